// What make plots draws: that the pictures are made, and have in them what they should. Only where gnuplot
// is installed.
#include "suites.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

#define OUT "build/check/plots"

static const char *without_gnuplot(void)
{
    return system("gnuplot --version >/dev/null 2>&1") == 0 ? NULL : "gnuplot is not installed";
}

SUITE(plots, .seconds = 300, .why_not = without_gnuplot)

TEST(plots_are_made)
{
    static const char *const names[] = {"ladder", "occupancy", "prediction", "sizes"};
    struct printed printed =
        type("rm -rf " OUT " && mkdir -p " OUT " && "
             "./run --sim 2 5 -n 1024 --json " OUT "/steps-1024.json >/dev/null && "
             "./run sweep --sim 2 5 n=64,100,128 --csv " OUT "/sweep.csv >/dev/null");
    ck_assert_msg(printed.status == 0, "%s", printed.err);
    printed = type_well("docs/plots/draw.sh " OUT " h200 " OUT "/sweep.csv " OUT " 1024");
    ck_assert_str_eq(printed.err, ""); // gnuplot warns there
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[64];
        snprintf(path, sizeof path, OUT "/%s.svg", names[i]);
        assert_contains(printed.out, path);
        char *svg = read_file(path);
        assert_contains(svg, "<svg");
        assert_contains(svg, "padded tile, fewer threads"); // whole, in spite of its comma
        assert_contains(svg, i == 0 ? "GB/s" : i == 1 ? "%" : "(ms)");
        struct printed png = type("head -c 8 " OUT "/%s.png | od -An -tx1", names[i]);
        ck_assert_str_eq(png.out, " 89 50 4e 47 0d 0a 1a 0a\n");
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
