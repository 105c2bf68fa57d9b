#include "base/progress.h"

#include "base/style.h"

enum { BAR_WIDTH = 30, NOW_WIDTH = 70 };

static void put_times(const char *text, int times)
{
    while (times-- > 0)
        fputs(text, stderr);
}

void progress_show(int done, int total, const char *now)
{
    struct style style = style_for(stderr, COLOR_AUTO);
    if (!style.cursor)
        return;
    int full = BAR_WIDTH * done / total;
    fputs("\r\033[K[", stderr);
    put_times(style_text(&style, "█", "#"), full);
    put_times(style_text(&style, "·", "."), BAR_WIDTH - full);
    fprintf(stderr, "] %d/%d  %.*s ...", done, total, NOW_WIDTH, now);
}

void progress_say(const char *now)
{
    if (style_for(stderr, COLOR_AUTO).cursor)
        fprintf(stderr, "\r\033[K%s ...", now);
}

void progress_wipe(void)
{
    if (style_for(stderr, COLOR_AUTO).cursor)
        fputs("\r\033[K", stderr);
}
