// ./run: the first argument is a verb, or there is none and the steps are run.
#include "verbs.h"

#include <locale.h>
#include <string.h>

static const struct {
    const char *name;
    int (*main)(int argc, char **argv);
} verbs[] = {
    {"metrics", metrics_main},
};

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, "");
    for (size_t i = 0; argc > 1 && i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(argv[1], verbs[i].name) == 0)
            return verbs[i].main(argc - 1, argv + 1);
    return run_main(argc, argv);
}
