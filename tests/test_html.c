// The report: that its figures are the JSON's, that nothing from a file becomes markup, that it needs nothing else, and
// what is said when it cannot be written. Where Chromium is installed, that a browser takes it as it is meant.
#define _POSIX_C_SOURCE 200809L // strndup
#include "facts/format.h"
#include "files/html.h"
#include "files/run_read.h"
#include "files/template.h"
#include "suites.h"
#include "support.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define RUN "ASAN_OPTIONS=protect_shadow_gap=0 build/check/run report "
#define OUT "build/check/report"

// What a verb could have written of step 2, with what would be markup in it.
static const char hotspots[] =
    "{\"device\": {\"kind\": \"simulated\", \"name\": \"<b>\"}, \"n\": 64, \"provenance\": "
    "\"counted\", \"steps\": [{\"step\": 2, \"worst_line\": 6, \"accesses\": [{\"file\": "
    "\"steps/step2_per_column.cu\", \"line\": 6, \"access\": \"<i>load\", \"executions\": 12, "
    "\"unit\": \"sectors\", \"passes\": 77, \"ideal\": 7}]}]}";

static char *page_of(const struct run *a, const struct run *b)
{
    struct html_page page = {
        .count = b ? 2 : 1, .runs = {a, b}, .hotspots = {(char *)hotspots, ""}};
    char *text = keep(html_of_page(&page));
    return text;
}

// What stands behind the figure's opening tag, and its exact number in `exact`.
static const char *find_figure(const char *page, const char *key, double step, const char *run,
                               char exact[64])
{
    char panel[160], tag[80];
    snprintf(panel, sizeof panel, " data-step=\"%g\" data-run=\"%s\">", step, run);
    snprintf(tag, sizeof tag, "\" data-key=\"%s\">", key);
    const char *found = strstr(page, panel);
    found = found ? strstr(found, tag) : NULL;
    ASSERT_QUICK_MSG(found, "no figure %s in %s", tag, panel);
    const char *start = found;
    while (start[-1] != '"')
        start--;
    snprintf(exact, 64, "%.*s", (int)(found - start), start);
    return found + strlen(tag);
}

static void assert_figures(const char *page, const struct run *run, const cJSON *step)
{
    static const struct style style = {.utf8 = true};
    double number = json_number(step, "step");
    const struct step_result *result = run_find(run, number);
    for (enum metric i = 0; i < METRICS; i++) {
        const cJSON *group = i < FIRST_METRIC  ? step
                             : i < FIRST_COUNT ? json_member(step, "metrics")
                                               : json_member(step, "counters");
        const cJSON *item = cJSON_GetObjectItem(group, metric_table[i].key); // older runs lack some
        char exact[64], text[FORMAT_SIZE];
        const char *shown = find_figure(page, metric_table[i].key, number, run->label, exact);
        if (!cJSON_IsNumber(item)) {
            ASSERT_QUICK(*exact == '\0');
            ASSERT_QUICK(strncmp(shown, "unavailable<", 12) == 0);
            continue;
        }
        ASSERT_QUICK_MSG(strtod(exact, NULL) == item->valuedouble, "%s of step %g: %s",
                         metric_table[i].key, number, exact);
        format_value(text, i, &result->values[i], &style);
        ASSERT_QUICK_MSG(
            strncmp(shown, *text == '<' ? "&lt;" : text, *text == '<' ? 4 : strlen(text)) == 0 ||
                strstr(text, "<"),
            "%s of step %g: %.20s, not %s", metric_table[i].key, number, shown, text);
    }
}

SUITE(html, .seconds = 300)

TEST(figures_are_the_jsons)
{
    static const char *const names[] = {"h200", "gtc2012", "sim-h200"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[64];
        snprintf(path, sizeof path, "docs/runs/%s.json", names[i]);
        cJSON *json = read_json(read_file(path));
        struct run *run = keep(run_read(path, names[i]));
        char *page = page_of(run, NULL);
        const cJSON *step;
        cJSON_ArrayForEach(step, json_member(json, "steps"))
        {
            if (cJSON_IsTrue(json_member(step, "verified")) || i == 1)
                assert_figures(page, run, step);
        }
    }
}

// The name of the tag that starts here, "/td" of an ending one. Returns what stands behind the tag.
static const char *read_tag(const char *tag, char name[32])
{
    const char *end = strchr(tag, '>');
    ASSERT_QUICK(end != NULL);
    snprintf(name, 32, "%.*s", (int)strcspn(tag + 1, " >\n"), tag + 1);
    return end[-1] == '/' ? NULL : end + 1;
}

// Fails unless what is opened is closed, in its order.
static void assert_balanced(const char *page)
{
    static const char *const empty[] = {"!doctype", "meta"};
    enum { DEEPEST = 40 };
    char open[DEEPEST][32], name[32];
    int depth = 0;
    for (const char *tag = page; (tag = strchr(tag, '<'));) {
        const char *behind = read_tag(tag, name);
        tag = behind ? behind : strchr(tag, '>') + 1;
        if (!behind || strcmp(name, empty[0]) == 0 || strcmp(name, empty[1]) == 0)
            continue;
        ASSERT_QUICK_MSG(depth < DEEPEST, "too deep: %s", name);
        if (*name != '/')
            strcpy(open[depth++], name);
        else
            ASSERT_QUICK_MSG(depth > 0 && strcmp(open[--depth], name + 1) == 0, "<%s> in <%s>",
                             name, open[depth]);
    }
    ck_assert_int_eq(depth, 0);
}

// Every link within the page has its target, and every name is there once.
static void assert_links_lead_somewhere(const char *page)
{
    for (const char *link = page; (link = strstr(link, "href=\"")); link++) {
        char target[64];
        ASSERT_QUICK_MSG(link[6] == '#', "a link leads out: %.40s", link);
        snprintf(target, sizeof target, " id=\"%.*s\"", (int)strcspn(link + 7, "\""), link + 7);
        const char *found = strstr(page, target);
        ASSERT_QUICK_MSG(found && !strstr(found + 1, target), "%s", target);
    }
}

TEST(each_kind_of_record_makes_a_page_that_needs_nothing_else)
{
    static const char *const outside[] = {"http:",   "https:",  "src=",  "url(",
                                          "@import", "<script", "<link", "{{"};
    char *names = type_well("grep -l '\"baselines\"' docs/runs/gtc2012.json docs/runs/h200.json "
                            "docs/runs/h100-10007.json docs/runs/h200-blind-1024.json "
                            "docs/runs/sim-*.json tests/recorded/*.json")
                      .out;
    for (char *path = strtok(names, "\n"); path; path = strtok(NULL, "\n")) {
        struct run *run = keep(run_read(path, path));
        char *page = page_of(run, run);
        ck_assert_msg(strlen(page) < 1000000, "%s", path);
        for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
            ASSERT_QUICK_MSG(!strstr(page, outside[i]), "%s: %s", path, outside[i]);
        assert_balanced(page);
        assert_links_lead_somewhere(page);
    }
}

// The marks are at the counters' ratios, and what has none is said why.
TEST(kernels_that_compute_have_a_roofline_of_instructions)
{
    struct run *lesson = keep(run_read("docs/runs/h200.json", "h200"));
    struct run *run = keep(run_read("docs/runs/sim-h200-mysteries.json", "mysteries"));
    const struct step_result *step = &run->steps[0];
    double bytes = step->values[DRAM_READ_BYTES].number + step->values[DRAM_WRITE_BYTES].number;
    double inst = step->values[INST_EXECUTED].number;
    char mark[200], rate[FORMAT_SIZE], intensity[FORMAT_SIZE];
    format_number(rate, inst / (step->values[TIME_MS].number * 1e6));
    format_number(intensity, inst / bytes);
    snprintf(mark, sizeof mark, "<title>mystery 1: %s for %s (modelled)", rate, intensity);
    run->steps[1].values[INST_EXECUTED] = value_unavailable("nobody counted");
    char *page = page_of(run, NULL), *without = page_of(lesson, NULL);
    assert_contains(page, mark, "mystery 2: no mark: nobody counted");
    ck_assert_int_eq(count_of(page, " for 0."), run->count - 1);
    ck_assert_ptr_null(strstr(without, "Kernels that compute"));
}

// The table's row of step 3 behind `section`.
static char *row_of_step_3(const char *page, const char *section)
{
    const char *row = strstr(strstr(page, section), "<a href=\"#step-3\">");
    ck_assert_ptr_nonnull(row);
    return keep(strndup(row, (size_t)(strstr(row, "</tr>") - row)));
}

// As in the terminal's summary: neither figures nor marks, and nothing to compare.
TEST(a_step_that_went_wrong_has_no_figures)
{
    struct run *run = keep(run_read("docs/runs/h200.json", "bad"));
    struct run *good = keep(run_read("docs/runs/h200.json", "good"));
    run->steps[2].outcome = FAILED;
    run->steps[2].values[BANDWIDTH_GBS] = value_of(1e6, MEASURED);
    char *page = page_of(run, NULL), *pair = page_of(run, good);
    char *row = row_of_step_3(page, "id=\"summary\""),
         *both = row_of_step_3(pair, "id=\"comparison\"");
    assert_contains(row, "WRONG or FAILED");
    ck_assert_int_eq(count_of(row, "<data") + count_of(row, "\"bar\""), 0);
    assert_contains(page, "style=\"width:100%\"", "step 3: no mark: WRONG or FAILED.",
                    "Wrong: WRONG or FAILED"); // the record has no complaint
    ck_assert_int_eq(count_of(page, "<title>step 3, "), 0);
    assert_contains(both, "WRONG or FAILED");
    ck_assert_int_eq(count_of(both, "<data"), 2);
    assert_balanced(pair);
}

// A step is called as the second run calls it, as `compare` does.
TEST(both_runs_head_a_step)
{
    struct run *a = keep(run_read("docs/runs/h200.json", "before"));
    struct run *b = keep(run_read("docs/runs/h100.json", "after"));
    strcpy(b->steps[2].title, "another title");
    a->steps[3].outcome = FAILED;
    char *page = page_of(a, b), *step3 = strstr(page, "id=\"step-3\""),
         *step4 = strstr(page, "id=\"step-4\"");
    *strstr(step3, "</summary>") = *strstr(step4, "</summary>") = '\0';
    assert_contains(step3, "another title", "before: 1.029 ms</span>", "after: 1.248 ms</span>");
    assert_contains(step4, "before: </span><span class=\"wrong\">WRONG or FAILED</span>");
    ck_assert_int_eq(count_of(step4, "WRONG"), 1);
}

// Step 1 is of another n than those below it.
TEST(each_step_stands_with_its_n)
{
    struct run *run = keep(run_read("docs/runs/h200.json", "h200"));
    char *page = page_of(run, run), *promises = strstr(page, "id=\"promises\"");
    run->steps[2].n = 77;
    char *other = page_of(run, run);
    char *row = row_of_step_3(other, "id=\"summary\""),
         *both = row_of_step_3(other, "id=\"comparison\"");
    ck_assert_int_eq(count_of(row, ">77<"), 1);
    ck_assert_int_eq(count_of(both, ">77<"), 2);
    assert_contains(promises, "<th scope=\"row\">step 1</th><td class=\"number\">1024</td>",
                    "step 2 at n = 8192");
}

// The page calls a hardware counter's figure measured: a simulated device has none.
TEST(nothing_of_a_simulated_device_is_measured)
{
    struct run *run = keep(run_read("docs/runs/sim-h200.json", "sim"));
    char *page = page_of(run, NULL);
    ck_assert_ptr_null(strstr(page, "<td>measured</td>"));
    ck_assert_ptr_null(strstr(page, " measured</span>"));
}

#define PLANTED "<script>alert('&\")</script>"
#define ESCAPED "&lt;script&gt;alert(&#39;&amp;&quot;)&lt;/script&gt;"

TEST(nothing_from_a_file_becomes_markup)
{
    struct run *run = keep(run_read("docs/runs/h200.json", "h200"));
    strcpy(run->label, PLANTED "label");
    strcpy(run->device.name, PLANTED "device");
    strcpy(run->source, PLANTED "source \033[31m");
    strcpy(run->kit, PLANTED "kit");
    strcpy(run->steps[1].title, PLANTED "title");
    run->steps[2].outcome = FAILED;
    strcpy(run->steps[2].complaint, PLANTED "complaint");
    run->steps[3].values[DRAM_READ_BYTES] = value_unavailable(PLANTED "why");
    char *page = page_of(run, NULL);
    ck_assert_ptr_null(strstr(page, "<script"));
    ck_assert_ptr_null(strchr(page, '\033'));
    static const char *const shown[] = {"label", "device",    "source", "kit",
                                        "title", "complaint", "why"};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        char text[80];
        snprintf(text, sizeof text, ESCAPED "%s", shown[i]);
        assert_contains(page, text);
    }
    assert_contains(page, "&lt;i&gt;load: 12 executions, 77 sectors, ideal 7");
    assert_balanced(page);
}

TEST(names_in_templates)
{
    cJSON *data = read_json("{\"a\": \"<&\", \"n\": 0.1, \"none\": null, \"no\": false, \"list\": "
                            "[{\"x\": 1}, {\"x\": 2, \"a\": \"b\"}], \"empty\": []}");
    FILE *file = text_begin();
    put_escaped(file, "a<b> & 'c' \"d\" \xff\x01 \xc3\xa9\n");
    ck_assert_str_eq(text_end(file), "a&lt;b&gt; &amp; &#39;c&#39; &quot;d&quot; \xEF\xBF\xBD"
                                     "\xEF\xBF\xBD \xc3\xa9\n");
    file = text_begin();
    ck_assert(!template_fill(file, "no such template", data));
    text_end(file);
}

// Of a template that is missing, which each row asks for, in a copy of the kit.
TEST(a_missing_template_is_named_once)
{
    type_well("rm -rf " OUT "/kit && mkdir -p " OUT "/kit/build/check " OUT "/kit/src/files && "
              "cp build/check/run " OUT "/kit/build/check && cp -r src/files/html " OUT
              "/kit/src/files && rm " OUT "/kit/src/files/html/row.html");
    struct printed printed =
        type_to(EXIT_WRONG, "ASAN_OPTIONS=protect_shadow_gap=0 " OUT
                            "/kit/build/check/run report docs/runs/h200.json -o -");
    ck_assert_int_eq(count_of(printed.err, "row.html: it cannot be read"), 1);
}

TEST(two_runs_stand_side_by_side)
{
    type_well("mkdir -p " OUT);
    assert_contains(type_well(RUN "h200 h100 -o " OUT "/two.html").out,
                    "The report is in " OUT "/two.html");
    char *page = read_file(OUT "/two.html"), exact[64];
    find_figure(page, "time_ms", 4, "h200", exact);
    ck_assert(strtod(exact, NULL) == 0.5230239629745483);
    find_figure(page, "time_ms", 4, "h100", exact);
    assert_contains(page, "id=\"comparison\"", "The devices differ",
                    "style=\"width:100%\""); // the H200's copy; the H100's bars have its scale
    assert_contains(page, "style=\"width:70.9%\"",
                    "shared load: 32768 executions, 1048576 wavefronts, ideal 32768",
                    "class=\"timeline\"", "What warps were found waiting for, modelled on ",
                    ", because of line 13</div>"); // the barrier
}

TEST(it_is_written_from_any_folder_and_to_standard_output)
{
    char *here = type_well("pwd").out;
    here[strcspn(here, "\n")] = '\0';
    struct printed printed = type_well(
        "cd / && ASAN_OPTIONS=protect_shadow_gap=0 %s/build/check/run report h200 -o -", here);
    ck_assert(strncmp(printed.out, "<!doctype html>", 15) == 0);
    ck_assert_str_eq(printed.err, "");
}

// Once, though more than the run looks at the steps; the page is written.
TEST(steps_that_go_wrong_now_are_complained_of)
{
    type_well("mkdir -p " OUT " && rm -f " OUT "/wrong.html");
    struct printed printed =
        type_to(EXIT_WRONG, "build/sim/lab-wrong report -o " OUT "/wrong.html");
    ck_assert_int_eq(count_of(printed.err, "gave a wrong result"), 1);
    assert_contains(read_file(OUT "/wrong.html"), "WRONG or FAILED");
}

// Not another verb's, which has a member of the same name, and nothing that lacks what the page shows.
TEST(a_verbs_json_is_told_from_others)
{
#define WITH(steps) "{\"n\": 64, \"device\": {\"name\": \"x\"}, \"steps\": [" steps "]}"
    static const char activity[] =
        WITH("{\"step\": 2, \"activities\": [{\"kind\": \"kernel\", \"name\": \"k\", "
             "\"start_ns\": null, \"provenance\": \"unavailable\"}]}, {\"step\": 3}");
    static const struct {
        const char *verb, *json;
    } others[] = {
        {"trace", WITH("")},
        {"trace", WITH("{\"step\": 2}")},
        {"trace", WITH("{\"step\": 2, \"activities\": 7}")},
        {"trace", WITH("{\"step\": 2, \"activities\": [{\"kind\": \"kernel\"}]}")},
        {"trace", "{\"n\": 64, \"steps\": [{\"step\": 2, \"activities\": []}]}"},
        {"stalls", activity},
        {"stalls", WITH("{\"step\": 2, \"lines\": [], \"samples\": 7}")},
        {"hotspots", WITH("{\"step\": 2, \"accesses\": [{\"file\": \"f\", \"line\": 1}]}")},
        {"hotspots", "[]"},
        {"hotspots", "7"},
    };
    ck_assert(html_takes(hotspots, "hotspots") && html_takes(activity, "trace"));
    ck_assert(html_takes(WITH("{\"step\": 2, \"lines\": [], \"samples\": {}}"), "stalls"));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert_msg(!html_takes(others[i].json, others[i].verb), "%s", others[i].json);
}

// What is wrong is named, and nothing is written.
TEST(what_is_no_run_is_refused)
{
    type_well("mkdir -p " OUT " && rm -f " OUT
              "/none.html && head -c 3000 docs/runs/h200.json >" OUT
              "/cut.json && echo '{\"kit\": \"old\", \"n\": 64, \"device\": {\"kind\": \"gpu\", "
              "\"name\": \"x\"}}' >" OUT "/old.json && echo 7 >" OUT "/trace.json");
    static const char *const mistakes[][2] = {
        {OUT "/cut.json", OUT "/cut.json: it is no JSON, or it is cut off: see line"},
        {OUT "/old.json", OUT "/old.json: baselines: an object is expected"},
        {"nonsense", "there is no recorded run 'nonsense'"},
        {"h200 h100 gtc2012", "report shows a run, or two side by side, not 3"},
        {"h200 --trace " OUT "/nowhere.json", OUT "/nowhere.json: it cannot be read"},
        {"h200 --trace " OUT "/trace.json", OUT "/trace.json: it is none of `./run trace --json`"},
        {"h200 --stalls " OUT "/cut.json", OUT "/cut.json: it is none of `./run stalls --json`"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        struct printed printed = type_to(EXIT_USAGE, RUN "%s -o " OUT "/none.html", mistakes[i][0]);
        ck_assert_str_eq(printed.out, "");
        assert_contains(printed.err, mistakes[i][1]);
        if (i < 2)
            assert_contains(printed.err, "no report is written: `./run --json FILE`");
        ck_assert_int_ne(type("test -e " OUT "/none.html").status, 0);
    }
}

// What the report is made of is not written over, by whatever name.
TEST(no_input_is_written_over)
{
    type_well("mkdir -p " OUT " && cp docs/runs/h200.json " OUT "/in.json && ln -sf in.json " OUT
              "/link.json");
    static const char *const lines[][2] = {
        {OUT "/in.json -o " OUT "/link.json", "-o and RUN cannot both have " OUT "/in.json"},
        {"h200 --trace " OUT "/in.json -o " OUT "/in.json", "-o and --trace cannot both have"},
        {"h200 --stalls " OUT "/in.json -o " OUT "/in.json", "-o and --stalls cannot both have"},
        {"h200 --hotspots " OUT "/link.json -o " OUT "/in.json", "-o and --hotspots cannot both"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_contains(type_to(EXIT_USAGE, RUN "%s", lines[i][0]).err, lines[i][1]);
        type_well("cmp docs/runs/h200.json " OUT "/in.json");
    }
}

TEST(where_it_cannot_be_written)
{
    assert_contains(type_to(EXIT_WRONG, RUN "h200 -o " OUT "/no/such/folder.html").err,
                    "writing the report to " OUT "/no/such/folder.html: No such file");
    assert_contains(type_to(EXIT_WRONG, RUN "h200 -o /dev/full").err,
                    "writing the report to /dev/full: No space left on device");
}

static const char *without_chromium(void)
{
    return system("chromium --version >/dev/null 2>&1") == 0 ? NULL : "chromium is not installed";
}

SUITE(browser, .seconds = 300, .why_not = without_chromium)

// tests/browser.js looks at the page as Chromium lays it out: keys reach what folds and what leads on, it folds, no two
// labels of a picture overlap or leave it, and the page is no wider than its window.
static const struct {
    const char *runs;
    int width;
    bool is_dark;
} views[] = {{OUT "/now.json", 1280, false},
             {OUT "/now.json h200", 1280, true},
             {"sim-h200-mysteries", 800, false},
             {"docs/runs/h100-blind-8192.json gtc2012", 800, true}};

TEST(a_browser_takes_it_as_it_is_meant, .times = sizeof views / sizeof *views)
{
    char name[32];
    snprintf(name, sizeof name, OUT "/view%d", _i);
    type_well("mkdir -p " OUT "; build/sim/run --sim 2 4 5 -n 1024 --json " OUT
              "/now.json --summary && " RUN "%s -o %s.html && "
              "{ grep -v Content-Security-Policy %s.html; echo '<script>'; cat tests/browser.js; "
              "echo '</script>'; } >%s-test.html",
              views[_i].runs, name, name, name);
    struct printed printed = type_well(
        "chromium --headless --no-sandbox --disable-gpu --user-data-dir=" OUT "/chromium "
        "--blink-settings=preferredColorScheme=%d --window-size=%d,900 --virtual-time-budget=5000 "
        "--dump-dom file://$PWD/%s-test.html 2>/dev/null | sed -n 's/^<title>//p'",
        !views[_i].is_dark, views[_i].width, name);
    ck_assert_msg(strncmp(printed.out, "good: ", 6) == 0, "%s", printed.out);
    assert_contains(printed.out, views[_i].is_dark ? "dark" : "light");
}
