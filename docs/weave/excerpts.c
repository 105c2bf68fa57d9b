#define _POSIX_C_SOURCE 200809L
#include "excerpts.h"

#include "document.h"
#include "recorded.h"
#include "show/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

// ---- Lines from a text -----------------------------------------------------------------------------

// The lines from the first that contains `from` to the next, or the same, that contains `to`; all of
// them when both are NULL. False when there are none such.
static bool find_lines(const struct document *text, const char *from, const char *to, size_t *first,
                       size_t *last)
{
    *first = 0;
    *last = text->count - 1;
    if (text->count == 0 || !from)
        return text->count > 0;
    while (*first < text->count && !strstr(text->lines[*first], from))
        (*first)++;
    for (*last = *first; *last < text->count && !strstr(text->lines[*last], to);)
        (*last)++;
    return *last < text->count;
}

static void put_lines(FILE *out, const char *info, const struct document *text, size_t first,
                      size_t last)
{
    fprintf(out, "```%s\n", info);
    for (size_t i = first; i <= last; i++)
        fprintf(out, "%s\n", text->lines[i]);
    fprintf(out, "```\n");
}

bool write_code(const struct words *words, const char *to_root, FILE *out, char *why)
{
    struct document file;
    size_t first, last;
    const char *path = words->count ? words->word[0] : "";
    if (words->count != 1 && words->count != 3) {
        snprintf(why, BLOCK_WHY_SIZE, "code takes a file, and perhaps \"FROM\" and \"TO\"");
        return false;
    }
    if (!document_read(path, &file)) {
        snprintf(why, BLOCK_WHY_SIZE, "there is no %s to quote", path);
        return false;
    }
    const char *from = words->count == 3 ? words->word[1] : NULL,
               *to = from ? words->word[2] : NULL;
    bool found = find_lines(&file, from, to, &first, &last);
    if (found) {
        put_lines(out, "cuda", &file, first, last);
        fprintf(out, "[`%s`](%s%s#L%zu-L%zu), lines %zu to %zu\n", path, to_root, path, first + 1,
                last + 1, first + 1, last + 1);
    } else {
        snprintf(why, BLOCK_WHY_SIZE, "%s has no lines from '%s' to '%s'", path, from ? from : "",
                 to ? to : "");
    }
    document_free(&file);
    return found;
}

// What the command prints, as a string; NULL when it fails.
static char *output_of(const char *command)
{
    char *text = NULL;
    size_t size = 0;
    FILE *pipe = popen(command, "r");
    if (!pipe)
        return NULL;
    ssize_t length = getdelim(&text, &size, '\0', pipe);
    int status = pclose(pipe);
    if (length > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return text;
    free(text);
    return NULL;
}

static void join(const struct words *words, int first, char command[WORDS_SIZE])
{
    *command = '\0';
    for (int i = first; i < words->count; i++) {
        strcat(command, words->word[i]); // as long as the marker's text at most
        if (i + 1 < words->count)
            strcat(command, " ");
    }
}

bool write_output(const struct words *words, const char *to_root, FILE *out, char *why)
{
    (void)to_root;
    bool part = words->count > 2 && words->quoted[0] && words->quoted[1];
    char command[WORDS_SIZE], in_locale[WORDS_SIZE + 64];
    join(words, part ? 2 : 0, command);
    snprintf(in_locale, sizeof in_locale, "LC_ALL=C.UTF-8 NO_COLOR=1 %s </dev/null", command);
    char *text = output_of(in_locale);
    struct document printed = {0};
    if (!text || !document_of_text(command, text, &printed)) {
        snprintf(why, BLOCK_WHY_SIZE, "`%s` fails or prints nothing", command);
        return false;
    }
    size_t first, last;
    bool found = find_lines(&printed, part ? words->word[0] : NULL, part ? words->word[1] : NULL,
                            &first, &last);
    if (found)
        put_lines(out, "", &printed, first, last);
    else
        snprintf(why, BLOCK_WHY_SIZE, "`%s` prints no lines from '%s' to '%s'", command,
                 words->word[0], words->word[1]);
    document_free(&printed);
    return found;
}

// ---- What a recorded run printed -------------------------------------------------------------------

// What the report prints of the panel of the run's step at `place`, or with `step` 0 of the summary: a
// string, which the caller frees; NULL when there is no memory.
static char *report_text(const struct run *run, int step, int place)
{
    char *text = NULL;
    size_t size;
    FILE *page = open_memstream(&text, &size);
    if (!page)
        return NULL;
    struct report report = {page, {.utf8 = true}};
    if (step)
        report_panel(&report, run, place);
    else
        report_summary(&report, run);
    if (fclose(page) == 0)
        return text;
    free(text);
    return NULL;
}

// Writes the lines of the report from the first that contains `from` to the next that contains `to`, or
// all of them but the blank one in front.
static bool put_part(FILE *out, char *text, const char *from, const char *to, char *why)
{
    struct document printed = {0};
    size_t first, last;
    if (!text || !document_of_text("the report", text, &printed)) {
        snprintf(why, BLOCK_WHY_SIZE, "there is no memory for the report");
        return false;
    }
    bool found = find_lines(&printed, from, to, &first, &last);
    if (found)
        put_lines(out, "", &printed, first + !from, last);
    else
        snprintf(why, BLOCK_WHY_SIZE, "the report has no lines from '%s' to '%s'", from, to);
    document_free(&printed);
    return found;
}

// Writes the panel of `step`, or the summary for step 0, or the lines `from` .. `to` of it.
static bool put_report(const char *name, int step, const char *from, const char *to,
                       const char *to_root, FILE *out, char *why)
{
    struct run *run = run_open(name);
    char reason[RUN_WHY_SIZE] = "it cannot be read";
    bool good = run && can_be_reported(run, reason);
    const struct step_result *found = good && step ? run_find(run, step) : NULL;
    int place = found ? (int)(found - run->steps) : 0;
    bool there = good && (found || !step);
    if (!there)
        snprintf(why, BLOCK_WHY_SIZE, "run %s, step %d: %s", name, step,
                 good ? "it has no such step" : reason);
    bool put = there && put_part(out, report_text(run, step, place), from, to, why);
    if (put) {
        put_origin(out, run, step ? run->steps[place].n : run->n, to_root);
        fputc('\n', out);
    }
    free(run);
    return put;
}

bool write_panel(const struct words *words, const char *to_root, FILE *out, char *why)
{
    int step = words->count == 2 ? atoi(words->word[1]) : 0;
    if (step > 0)
        return put_report(words->word[0], step, NULL, NULL, to_root, out, why);
    snprintf(why, BLOCK_WHY_SIZE, "panel takes a run and a step's number");
    return false;
}

bool write_summary(const struct words *words, const char *to_root, FILE *out, char *why)
{
    bool part = words->count == 3;
    if (part || words->count == 1)
        return put_report(words->word[0], 0, part ? words->word[1] : NULL,
                          part ? words->word[2] : NULL, to_root, out, why);
    snprintf(why, BLOCK_WHY_SIZE, "summary takes a run, and perhaps \"FROM\" and \"TO\"");
    return false;
}
