#define _POSIX_C_SOURCE 200809L // sigaction
#include "base/progress.h"

#include "base/style.h"

#include <signal.h>
#include <unistd.h>

enum { BAR_WIDTH = 30, NOW_WIDTH = 70 };

static volatile sig_atomic_t line_stands;

// Ends the line for who types next, and then this process as if nobody had cared for the signal.
static void end_line(int signal)
{
    if (line_stands && write(STDERR_FILENO, "\n", 1) < 0)
        line_stands = 0;
    raise(signal);
}

// What is ignored, as nohup has it, stays so.
static void care_for_signals(void)
{
    static const int fatal[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    const struct sigaction once = {.sa_handler = end_line,
                                   .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)};
    struct sigaction now;
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        if (sigaction(fatal[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaction(fatal[i], &once, NULL);
}

// Whether there can be a line, which stands from now on.
static bool begin_line(const struct style *style)
{
    if (!style->cursor)
        return false;
    care_for_signals();
    line_stands = 1;
    fputs("\r\033[K", stderr);
    return true;
}

static void put_times(const char *text, int times)
{
    while (times-- > 0)
        fputs(text, stderr);
}

void progress_show(int done, int total, const char *now)
{
    struct style style = style_for(stderr, COLOR_AUTO);
    if (!begin_line(&style))
        return;
    int full = BAR_WIDTH * done / total;
    fputc('[', stderr);
    put_times(style_text(&style, "█", "#"), full);
    put_times(style_text(&style, "·", "."), BAR_WIDTH - full);
    char text[4 * NOW_WIDTH] = "";
    text_append(text, sizeof text, now, NOW_WIDTH);
    fprintf(stderr, "] %d/%d  %s ...", done, total, text);
}

void progress_say(const char *now)
{
    struct style style = style_for(stderr, COLOR_AUTO);
    if (begin_line(&style))
        fprintf(stderr, "%s ...", now);
}

void progress_question(bool stands)
{
    care_for_signals();
    line_stands = stands;
}

void progress_wipe(void)
{
    if (line_stands)
        fputs("\r\033[K", stderr);
    line_stands = 0;
}
