#include "show/inspection_page.h"

enum { REMARK_SIZE = 512 };

// What is to be said of the file; "" when it is as the build saw it.
static void remark_on(const struct source_file *source, char remark[REMARK_SIZE])
{
    char command[MAKE_COMMAND_SIZE];
    rebuild_command(0, command);
    *remark = '\0';
    if (source->state == SOURCE_MISSING)
        snprintf(remark, REMARK_SIZE, "the file %s any more", source->lacks);
    else if (source->state == SOURCE_EDITED)
        snprintf(remark, REMARK_SIZE,
                 "the file was edited after the program was built: what ran may have stood on "
                 "other lines. Type `%.300s`.",
                 command);
}

void print_inspected(FILE *file, const struct style *style, const struct inspected *at,
                     const struct source_file *source)
{
    const struct step *step = step_find(at->step);
    const char *dot = style_text(style, "·", "-");
    char prefix[STEP_LABEL_SIZE];
    fprintf(file, "\n%s%s%s %s %s%s\n", tone_start(style, TONE_TITLE),
            step_prefix(step->number, dot, prefix), stage_name(step->stage), dot, step->title,
            tone_end(style, TONE_TITLE));
    fprintf(file, "  %s, n = %zu\n", source->name, at->n);
    char remark[REMARK_SIZE];
    remark_on(source, remark);
    if (*remark) {
        fprintf(file, "%s", tone_start(style, TONE_BAD));
        put_wrapped(file, "  ! ", remark);
        fprintf(file, "%s", tone_end(style, TONE_BAD));
    }
}

void print_inspected_device(FILE *file, const struct style *style,
                            const struct inspection_page *page, const struct inspection *inspection)
{
    const struct device *device = &inspection->device;
    fprintf(file, "%s%s%s%s: %s, n = %zu\n", tone_start(style, TONE_TITLE),
            device->simulated ? "" : "GPU ", device->name, tone_end(style, TONE_TITLE), page->what,
            inspection->n);
}

void print_inspection_legend(FILE *file, const struct inspection_page *page,
                             const struct inspection *inspection)
{
    const char *more = inspection->device.simulated ? page->legend_of_sim : page->legend_of_gpu;
    fputc('\n', file);
    put_wrapped(file, "", page->legend);
    if (more)
        put_wrapped(file, "", more);
}
