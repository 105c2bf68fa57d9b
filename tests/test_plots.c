// What make plots draws: that the pictures are made, and have in them what they should. Only where gnuplot
// is installed.
#include "base/style.h"
#include "suites.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUT "build/check/plots"

static const char *without_gnuplot(void)
{
    return system("gnuplot --version >/dev/null 2>&1") == 0 ? NULL : "gnuplot is not installed";
}

SUITE(plots, .seconds = 300, .why_not = without_gnuplot)

// Where a text of a picture of gnuplot's stands, by its font's size: DejaVu Sans is 0.62 of it wide, in the mean.
struct box {
    double left, right, top, bottom;
    char text[160];
};

enum { MOST_TEXTS = 80, WIDTH = 1600, HEIGHT = 900 };

// What is between the text's tags.
static void read_words(const char *start, char words[160])
{
    size_t used = 0;
    bool in_tag = false;
    const char *end = strstr(start, "</text>");
    for (const char *c = start + strlen("<text>"); c < end && used < 159; c++) {
        if (*c == '<' || *c == '>')
            in_tag = *c == '<';
        else if (!in_tag)
            words[used++] = *c;
    }
    words[used] = '\0';
}

static void read_box(const char *group, struct box *box)
{
    double x, y, size;
    const char *font = strstr(group, "font-size=\""), *anchor = strstr(group, "text-anchor=\"");
    ck_assert(font && anchor);
    ck_assert_int_eq(sscanf(group, "<g transform=\"translate(%lf,%lf)", &x, &y), 2);
    ck_assert_int_eq(sscanf(font, "font-size=\"%lf", &size), 1);
    read_words(strstr(group, "<text>"), box->text);
    double length = 0.62 * size * text_width(box->text), *from = &box->left, *to = &box->right;
    double before = anchor[13] == 's' ? 0 : anchor[13] == 'e' ? length : length / 2;
    *box = (struct box){x, x, y - 0.8 * size, y + 0.25 * size, ""};
    read_words(strstr(group, "<text>"), box->text);
    if (strncmp(strchr(group, ')'), ") rotate(270)", 13) == 0) {
        *box = (struct box){x - 0.8 * size, x + 0.25 * size, y, y, ""};
        read_words(strstr(group, "<text>"), box->text);
        from = &box->top;
        to = &box->bottom;
    }
    *from -= before;
    *to += length - before;
}

static int read_boxes(const char *svg, struct box boxes[MOST_TEXTS])
{
    int count = 0;
    for (const char *group = svg; (group = strstr(group, "<g transform=\"translate(")); group++) {
        const char *text = strstr(group, "<text>"), *next = strstr(group + 1, "<g ");
        if (!text || (next && next < text))
            continue;
        ck_assert_int_lt(count, MOST_TEXTS);
        read_box(group, &boxes[count++]);
    }
    return count;
}

static void assert_texts_are_apart(const char *name, const char *svg)
{
    struct box boxes[MOST_TEXTS];
    int count = read_boxes(svg, boxes);
    ck_assert_int_gt(count, 10);
    for (int i = 0; i < count; i++) {
        const struct box *a = &boxes[i];
        ck_assert_msg(a->left >= 0 && a->right <= WIDTH && a->top >= 0 && a->bottom <= HEIGHT,
                      "%s: %s is not in the picture", name, a->text);
        for (int k = 0; k < i; k++) {
            const struct box *b = &boxes[k];
            ck_assert_msg(a->left >= b->right || b->left >= a->right || a->top >= b->bottom ||
                              b->top >= a->bottom,
                          "%s: %s covers %s", name, a->text, b->text);
        }
    }
}

// The names of the steps take two fifths at most of what has them beside its plot.
static void assert_legend_is_small(const char *svg)
{
    struct box boxes[MOST_TEXTS];
    int count = read_boxes(svg, boxes);
    for (int i = 0; i < count; i++)
        if (strstr(boxes[i].text, "padded tile"))
            ck_assert(boxes[i].left >= 0.6 * WIDTH);
}

TEST(no_two_steps_share_colour_and_mark)
{
    type_well("mkdir -p " OUT " && ./run export h200 --csv " OUT "/marks.csv");
    struct printed printed = type_well(
        "gnuplot -e \"format='svg'; out='" OUT "/marks.svg'; data='" OUT "/marks.csv'; load "
        "'docs/plots/style.gp'; steps = ''; do for [i=2:50] { steps = steps.sprintf(' %%g', i / "
        "2.0) "
        "}; do for [s in steps] { print color(s), ' ', shape(s) }\" 2>&1");
    FILE *file = fopen(OUT "/marks", "w");
    ck_assert(file && fputs(printed.out, file) >= 0 && fclose(file) == 0);
    ck_assert_str_eq(type_well("wc -l <" OUT "/marks").out, "49\n");
    ck_assert_str_eq(type_well("sort " OUT "/marks | uniq -d").out, "");
}

TEST(plots_are_made)
{
    static const char *const names[] = {"ladder", "occupancy", "prediction", "sizes"};
    struct printed printed =
        type_well("rm -rf " OUT " && mkdir -p " OUT " && "
                  "./run --sim 2 5 -n 1024 --json " OUT "/steps-1024.json >/dev/null && "
                  "./run sweep --sim 2 5 n=64,100,128 --csv " OUT "/sweep.csv >/dev/null");
    printed = type_well("docs/plots/draw.sh " OUT " h200 " OUT "/sweep.csv " OUT " 1024");
    ck_assert_str_eq(printed.err, ""); // gnuplot warns there
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[64];
        snprintf(path, sizeof path, OUT "/%s.svg", names[i]);
        assert_contains(printed.out, path);
        char *svg = read_file(path);
        assert_contains(svg, "<svg", "padded tile, fewer threads"); // whole, in spite of its comma
        assert_texts_are_apart(names[i], svg);
        if (i >= 2)
            assert_legend_is_small(svg);
        assert_contains(svg, i == 0 ? "GB/s" : i == 1 ? "%" : "(ms)");
        ck_assert_str_eq(type("head -c 8 " OUT "/%s.png | od -An -tx1", names[i]).out,
                         " 89 50 4e 47 0d 0a 1a 0a\n");
    }
    // The README's ladder is this one; another gnuplot lays it out otherwise.
    printed =
        type("for file in docs/pictures/ladder.svg " OUT "/ladder.svg; do grep '<text' $file | "
             "sed 's/<[^>]*>//g' | sort >" OUT "/$(dirname $file | tr / _).txt; done && "
             "diff " OUT "/docs_pictures.txt " OUT "/build_check_plots.txt");
    ck_assert_msg(printed.status == 0, "make pictures draws another ladder:\n%s%s", printed.out,
                  printed.err);
}

TEST(plots_of_what_is_no_run_are_refused)
{
    struct printed printed = type("docs/plots/draw.sh " OUT " nonsense '' " OUT " 1024");
    ck_assert_int_ne(printed.status, 0);
    assert_contains(printed.err, "there is no recorded run 'nonsense'");
}
