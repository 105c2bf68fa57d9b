#include "show/occupancy_page.h"

enum { CHARTS = 3, COLUMNS = 32, ROWS = 8, EIGHTHS = 8, GAP = 4, LEAD = 7 };

struct chart {
    const char *title;
    size_t first, last, used; // of the number that changes
    size_t columns[COLUMNS];  // the numbers drawn; the one in use takes the place of its column's
    int marked;               // the column of the number in use
    double percent[COLUMNS];
};

// Numbers from `first` to `last`, evenly.
static struct chart chart_over(const char *title, size_t first, size_t last, size_t used)
{
    struct chart chart = {.title = title, .first = first, .last = last, .used = used};
    for (int i = 0; i < COLUMNS; i++)
        chart.columns[i] = first + (last - first) * (size_t)i / (COLUMNS - 1);
    while (chart.marked < COLUMNS - 1 && chart.columns[chart.marked] < used)
        chart.marked++;
    chart.columns[chart.marked] = used;
    return chart;
}

static double percent_of(const struct sm_limits *sm, size_t threads, size_t registers,
                         size_t shared_bytes)
{
    struct occupancy occupancy =
        occupancy_of(sm, (unsigned)threads, (unsigned)registers, shared_bytes);
    return occupancy_percent(sm, &occupancy);
}

static void fill_charts(struct chart charts[CHARTS], const struct sm_limits *sm,
                        const struct launch_needs *needs)
{
    size_t threads = needs->threads, registers = (size_t)needs->registers;
    size_t shared = needs->shared_bytes;
    charts[0] = chart_over("threads per block", WARP_SIZE, MAX_BLOCK_THREADS, threads);
    charts[1] = chart_over("registers per thread", 1, sm->registers_per_thread, registers);
    charts[2] = chart_over("shared memory per block", 0, sm->shared_per_block, shared);
    for (int i = 0; i < COLUMNS; i++) {
        charts[0].percent[i] = percent_of(sm, charts[0].columns[i], registers, shared);
        charts[1].percent[i] = percent_of(sm, threads, charts[1].columns[i], shared);
        charts[2].percent[i] = percent_of(sm, threads, registers, charts[2].columns[i]);
    }
}

// What of a column is in a row, the lowest of which is 0: a block of so many eighths.
static const char *cell(const struct style *style, double percent, int row)
{
    static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    int filled = (int)(percent / 100 * ROWS * EIGHTHS + 0.5);
    if (percent > 0 && filled == 0)
        filled = 1;
    int here = filled - row * EIGHTHS;
    here = here < 0 ? 0 : here > EIGHTHS ? EIGHTHS : here;
    if (style->utf8)
        return blocks[here];
    return here > EIGHTHS / 2 || (row == 0 && here > 0) ? "#" : " ";
}

static void put_row(FILE *file, const struct style *style, const struct chart *charts, int count,
                    int row)
{
    fprintf(file, "  %4s ", row == ROWS - 1 ? "100%" : row == ROWS / 2 - 1 ? "50%" : "");
    for (int c = 0; c < count; c++) {
        fprintf(file, "%*s", c ? GAP : 0, "");
        for (int i = 0; i < COLUMNS; i++) {
            bool used = i == charts[c].marked;
            fprintf(file, "%s%s%s", used ? tone_start(style, TONE_GOOD) : "",
                    cell(style, charts[c].percent[i], row), used ? tone_end(style, TONE_GOOD) : "");
        }
    }
    fputc('\n', file);
}

static void put_axes(FILE *file, const struct style *style, const struct chart *charts, int count)
{
    fprintf(file, "  %4s ", "0%");
    for (int c = 0; c < count; c++) {
        fprintf(file, "%*s", c ? GAP : 0, "");
        for (int i = 0; i < COLUMNS; i++)
            fputs(i == charts[c].marked ? style_text(style, "▲", "^") : style_text(style, "─", "-"),
                  file);
    }
    fputc('\n', file);
}

// The ends of each range, and between them the number in use.
static void put_ranges(FILE *file, const struct chart *charts, int count)
{
    fprintf(file, "%7s", "");
    for (int c = 0; c < count; c++) {
        const struct chart *chart = &charts[c];
        char text[COLUMNS + 1], used[16];
        int length = snprintf(used, sizeof used, "%zu", chart->used);
        int at = chart->marked - length / 2, left = 5, right = COLUMNS - length - 7;
        at = at < left ? left : at > right ? right : at;
        snprintf(text, sizeof text, "%-*zu%-*s%*zu", at, chart->first, length, used,
                 COLUMNS - at - length, chart->last);
        fprintf(file, "%*s%s", c ? GAP : 0, "", text);
    }
    fputc('\n', file);
}

// So many of them, beside each other.
static void put_charts(FILE *file, const struct style *style, const struct chart *charts, int count)
{
    fprintf(file, "\n%7s", "");
    for (int c = 0; c < count; c++)
        fprintf(file, "over %-*s", c + 1 < count ? COLUMNS + GAP - 5 : 0, charts[c].title);
    fputc('\n', file);
    for (int row = ROWS - 1; row >= 0; row--)
        put_row(file, style, charts, count, row);
    put_axes(file, style, charts, count);
    put_ranges(file, charts, count);
}

void put_occupancy_charts(FILE *file, const struct style *style, const struct occupancy_page *page,
                          const struct occupancy_case *at)
{
    struct chart charts[CHARTS];
    int a_row = (page_width(file) - LEAD + GAP) / (COLUMNS + GAP);
    fill_charts(charts, &page->sm, &at->needs);
    a_row = a_row < 1 ? 1 : a_row > CHARTS ? CHARTS : a_row;
    for (int first = 0; first < CHARTS; first += a_row)
        put_charts(file, style, charts + first, first + a_row < CHARTS ? a_row : CHARTS - first);
}
