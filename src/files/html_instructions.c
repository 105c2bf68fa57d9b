// The roofline of kernels that compute, on its classic axes: a rate over an intensity. What runs count of their work is
// warp instructions. (Ding and Williams, "An Instruction Roofline Model for GPUs", 2019.)
#include "facts/format.h"
#include "files/html_view.h"

struct mark {
    const struct step_result *step;
    double intensity; // warp instructions for each byte of DRAM
    double rate;      // 1e9 of them a second
    enum provenance provenance;
};

struct plot {
    struct html_axis across, up;
    int count; // of marks
    struct mark marks[MAX_STEPS];
};

// Why the step has no mark; "" where it has one.
static const char *find_mark(const struct step_result *step, struct mark *mark)
{
    static const enum metric needed[] = {INST_EXECUTED, DRAM_READ_BYTES, DRAM_WRITE_BYTES, TIME_MS};
    const struct value *v = step->values;
    *mark = (struct mark){.step = step};
    if (went_wrong(step))
        return html_wrong(step);
    for (int i = 0; i < 4; i++) {
        if (!value_known(&v[needed[i]]))
            return v[needed[i]].why;
        mark->provenance = weaker(mark->provenance, v[needed[i]].provenance);
    }
    double bytes = v[DRAM_READ_BYTES].number + v[DRAM_WRITE_BYTES].number;
    if (v[INST_EXECUTED].number <= 0 || bytes <= 0 || v[TIME_MS].number <= 0)
        return "it moved nothing at DRAM, or executed nothing";
    mark->intensity = v[INST_EXECUTED].number / bytes;
    mark->rate = v[INST_EXECUTED].number / (v[TIME_MS].number * 1e6);
    return "";
}

static void find_marks(struct plot *plot, const struct run *run, cJSON *lacking)
{
    for (int i = 0; i < run->count; i++) {
        struct mark mark;
        char label[STEP_LABEL_SIZE];
        if (run->steps[i].number < OWN_KERNEL)
            continue;
        const char *why = find_mark(&run->steps[i], &mark);
        if (*why == '\0') {
            html_axis_widen(&plot->across, mark.intensity);
            html_axis_widen(&plot->up, mark.rate);
            plot->marks[plot->count++] = mark;
            continue;
        }
        cJSON *lack = json_object(lacking, NULL);
        json_add(lack, "label", step_label(run->steps[i].number, label));
        json_add(lack, "why", why);
    }
}

static double x_of(const struct plot *plot, double intensity)
{
    return html_axis_place(&plot->across, intensity, PLOT_LEFT, PLOT_RIGHT);
}

static double y_of(const struct plot *plot, double rate)
{
    return html_axis_place(&plot->up, rate, PLOT_BOTTOM, PLOT_TOP);
}

// Names stand beside the plot, each at its mark's height, or below the one before. The marks are sorted from the top.
static void add_marks(cJSON *object, const struct plot *plot)
{
    cJSON *marks = json_array(object, "marks");
    double free = PLOT_TOP;
    for (int i = 0; i < plot->count; i++) {
        const struct mark *mark = &plot->marks[i];
        cJSON *item = json_object(marks, NULL);
        char label[STEP_LABEL_SIZE], rate[FORMAT_SIZE], intensity[FORMAT_SIZE];
        double y = y_of(plot, mark->rate), label_y = fmax(y, free);
        free = label_y + PLOT_LABEL_GAP;
        format_number(rate, mark->rate);
        format_number(intensity, mark->intensity);
        json_add(item, "label", step_label(mark->step->number, label));
        json_add(item, "rate", rate);
        json_add(item, "intensity", intensity);
        json_add(item, "provenance", provenance_name(mark->provenance));
        html_add_place(item, "x", x_of(plot, mark->intensity));
        html_add_place(item, "y", y);
        html_add_place(item, "label_y", label_y);
    }
}

static void sort_marks(struct plot *plot)
{
    for (int i = 1; i < plot->count; i++)
        for (int k = i; k > 0 && plot->marks[k - 1].rate < plot->marks[k].rate; k--) {
            struct mark lower = plot->marks[k - 1];
            plot->marks[k - 1] = plot->marks[k];
            plot->marks[k] = lower;
        }
}

// Where the copy's bandwidth, times the intensity, is on the plot.
static void add_roof(cJSON *object, const struct plot *plot, const struct value *gbs)
{
    double least = pow(10, plot->across.least), most = pow(10, plot->across.most);
    double low = pow(10, plot->up.least), high = pow(10, plot->up.most);
    if (!value_known(gbs))
        return;
    double from = fmax(least, low / gbs->number), to = fmin(most, high / gbs->number);
    if (from >= to)
        return;
    cJSON *roof = json_object(object, "roof");
    html_add_figure(roof, BANDWIDTH_GBS, gbs);
    html_add_place(roof, "x1", x_of(plot, from));
    html_add_place(roof, "y1", y_of(plot, from * gbs->number));
    html_add_place(roof, "x2", x_of(plot, to));
    html_add_place(roof, "y2", y_of(plot, to * gbs->number));
}

void html_add_instructions(cJSON *object, const struct run *run)
{
    struct plot plot = {.across = HTML_NO_AXIS, .up = HTML_NO_AXIS};
    cJSON *lacking = cJSON_CreateArray();
    find_marks(&plot, run, lacking);
    if (plot.count == 0 && cJSON_GetArraySize(lacking) == 0) {
        cJSON_Delete(lacking);
        return;
    }
    cJSON *instructions = json_object(object, "instructions");
    cJSON_AddItemToObject(instructions, "lacking", lacking);
    json_add_bool(instructions, "has_marks", plot.count > 0);
    if (plot.count == 0)
        return;
    sort_marks(&plot);
    html_add_ticks(instructions, "across", &plot.across, PLOT_LEFT, PLOT_RIGHT);
    html_add_ticks(instructions, "up", &plot.up, PLOT_BOTTOM, PLOT_TOP);
    add_roof(instructions, &plot, &run->copy_gbs);
    add_marks(instructions, &plot);
}
