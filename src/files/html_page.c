#define _POSIX_C_SOURCE 200809L // open_memstream
#include "files/html.h"

#include "facts/comparison.h"
#include "files/html_view.h"
#include "files/template.h"

#include <stdlib.h>
#include <string.h>

const struct style html_style = {.utf8 = true};

// What verbs wrote, read; NULL where there is none.
struct seen {
    cJSON *hotspots, *stalls, *trace;
};

// What a verb writes of a step that was right (docs/json.md): its own members, and those of each item of its list. The
// first letter is the type: a number, a string, an object.
static const struct shape {
    const char *verb, *list, *of_step[3], *of_item[8];
} shapes[] = {
    {"hotspots",
     "accesses",
     {"n step"},
     {"s file", "n line", "s access", "s unit", "n executions", "n passes", "n ideal"}},
    {"stalls", "lines", {"n step", "o samples"}, {"s file", "n line", "o samples"}},
    {"trace", "activities", {"n step"}, {"s kind", "s name", "s provenance"}},
};

static bool has_all(const cJSON *object, const char *const *members)
{
    bool has = true;
    for (; has && *members; members++) {
        const cJSON *member = json_get(object, *members + 2);
        has = **members == 'n'   ? cJSON_IsNumber(member)
              : **members == 's' ? cJSON_IsString(member)
                                 : cJSON_IsObject(member);
    }
    return has;
}

static bool step_fits(const cJSON *step, const struct shape *shape)
{
    const cJSON *list = json_get(step, shape->list), *item;
    bool fits = cJSON_IsArray(list) && has_all(step, shape->of_step);
    cJSON_ArrayForEach(item, list)
    {
        fits = fits && has_all(item, shape->of_item);
    }
    return fits;
}

// One that went wrong may lack what the verb finds out; one that does not at least must be there.
static bool fits(const cJSON *json, const struct shape *shape)
{
    static const char *const of_root[] = {"n n", "o device", NULL}, *of_device[] = {"s name", NULL};
    bool fits = has_all(json, of_root) && has_all(json_get(json, "device"), of_device);
    int count = 0;
    const cJSON *step;
    cJSON_ArrayForEach(step, json_get(json, "steps"))
    {
        if (!json_get(step, shape->list))
            continue;
        fits = fits && step_fits(step, shape);
        count++;
    }
    return fits && count > 0;
}

bool html_takes(const char *text, const char *verb)
{
    bool no_memory;
    const char *end;
    const struct shape *shape = shapes;
    while (strcmp(shape->verb, verb) != 0)
        shape++;
    cJSON *json = json_parse(text, &end, &no_memory);
    bool takes = json && fits(json, shape);
    cJSON_Delete(json);
    return takes;
}

static cJSON *read_seen(const struct seen_text *text)
{
    bool no_memory;
    const char *end;
    return text->json ? json_parse(text->json, &end, &no_memory) : NULL;
}

// What the page lacks, and why.
static void add_lack(cJSON *lacks, const char *what, const cJSON *seen,
                     const struct seen_text *text)
{
    if (seen)
        return;
    cJSON *lack = json_object(lacks, NULL);
    json_add(lack, "what", what);
    json_add(lack, "why", *text->why ? text->why : "it is no JSON");
}

static void add_cell(cJSON *cell, const struct run *run, double number)
{
    int place = run_place(run, number);
    json_add(cell, "run", run->label);
    if (place == run->count) {
        json_add_bool(cell, "is_missing", true);
        return;
    }
    html_add_panel(json_object(cell, "panel"), run, place);
}

// A run's time of the step, for the step's heading.
static void add_time(cJSON *times, const struct run *run, const struct step_result *step)
{
    if (!step)
        return;
    cJSON *time = json_object(times, NULL);
    json_add(time, "run", run->label);
    json_add(time, "wrong", html_wrong(step));
    if (!went_wrong(step))
        html_add_figure(time, TIME_MS, &step->values[TIME_MS]);
}

static void add_step(cJSON *object, const struct html_page *page, const struct pair *pair,
                     const struct seen *seen)
{
    const struct step_result *step = pair->b ? pair->b : pair->a;
    char label[STEP_LABEL_SIZE], id[32];
    json_add(object, "label", step_label(step->number, label));
    json_add(object, "title", step->title);
    snprintf(id, sizeof id, "step-%g", step->number);
    json_add(object, "anchor", id);
    cJSON *times = json_array(object, "times"), *cells = json_array(object, "cells");
    for (int i = 0; i < page->count; i++) {
        add_time(times, page->runs[i], i == 0 ? pair->a : pair->b);
        add_cell(json_object(cells, NULL), page->runs[i], step->number);
    }
    if (step->number == (int)step->number)
        html_add_lines(object, (int)step->number, seen->hotspots, seen->stalls);
}

static void add_steps(cJSON *root, const struct html_page *page, const struct seen *seen)
{
    struct comparison comparison;
    comparison_make(&comparison, page->runs[0], page->count > 1 ? page->runs[1] : NULL);
    cJSON *steps = json_array(root, "steps");
    for (int i = 0; i < comparison.count; i++)
        add_step(json_object(steps, NULL), page, &comparison.pairs[i], seen);
}

static cJSON *view(const struct html_page *page, const struct seen *seen)
{
    cJSON *root = json_begin();
    json_add(root, "device", page->runs[0]->device.name);
    json_add_bool(root, "is_pair", page->count > 1);
    cJSON *runs = json_array(root, "runs");
    double most = 0;
    for (int i = 0; i < page->count; i++)
        most = fmax(most, html_most_gbs(page->runs[i]));
    for (int i = 0; i < page->count; i++)
        html_add_summary(json_object(runs, NULL), page->runs[i], most);
    if (page->count > 1)
        html_add_comparison(json_object(root, "comparison"), page->runs[0], page->runs[1]);
    add_steps(root, page, seen);
    if (seen->trace)
        html_add_timeline(root, seen->trace);
    cJSON *lacks = json_array(root, "lacks");
    add_lack(lacks, "What each source line moved", seen->hotspots, &page->hotspots);
    add_lack(lacks, "What warps wait for", seen->stalls, &page->stalls);
    add_lack(lacks, "The timeline", seen->trace, &page->trace);
    return root;
}

// The page, or NULL where memory ran out or a template is missing.
static char *fill_page(const cJSON *root)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    bool filled = file && (!json_is_whole() || template_fill(file, "page.html", root));
    bool whole = file && json_is_whole() && !ferror(file);
    whole = file && fclose(file) == 0 && whole;
    if (filled && whole)
        return text;
    if (filled || !file)
        fprintf(stderr, "apodkit: the host has no memory for the report\n");
    free(text);
    return NULL;
}

char *html_of_page(const struct html_page *page)
{
    struct seen seen = {read_seen(&page->hotspots), read_seen(&page->stalls),
                        read_seen(&page->trace)};
    cJSON *root = view(page, &seen);
    char *text = fill_page(root);
    cJSON_Delete(root);
    cJSON_Delete(seen.hotspots);
    cJSON_Delete(seen.stalls);
    cJSON_Delete(seen.trace);
    return text;
}
