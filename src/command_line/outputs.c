#include "command_line/outputs.h"

#include "base/output_file.h"
#include "command_line/help.h"
#include "files/csv.h"
#include "files/json.h"
#include "files/run_files.h"
#include "files/save.h"

// Whether no two are one file. False after a message.
static bool differ(const struct options *options)
{
    char saved[KIT_PATH_SIZE];
    bool saves = options->save && run_file_path(SAVED_RUNS, options->save, saved);
    const struct {
        const char *option, *file;
    } outputs[] = {{"--csv", options->csv},
                   {"--json", options->json},
                   {"--chrome", options->chrome},
                   {"--save", saves ? saved : NULL}};
    enum { COUNT = sizeof outputs / sizeof *outputs };
    for (int i = 0; i < COUNT; i++)
        for (int k = i + 1; k < COUNT; k++) {
            const char *one = outputs[i].file, *other = outputs[k].file;
            if (!one || !other || !output_is_same(one, other))
                continue;
            fprintf(stderr, "apodkit: %s and %s cannot both have %s\n", outputs[i].option,
                    outputs[k].option, is_stdout(other) ? "standard output" : other);
            say_where_help_is(options->verb);
            return false;
        }
    return true;
}

int outputs_try(const struct options *options)
{
    if ((options->save && !save_possible(options->save)) || !differ(options))
        return EXIT_USAGE;
    bool possible = (!options->json || output_possible(JSON_WRITING, options->json)) &&
                    (!options->chrome || output_possible(JSON_WRITING, options->chrome)) &&
                    (!options->csv || output_possible(CSV_WRITING, options->csv));
    return possible ? EXIT_GOOD : EXIT_WRONG;
}
