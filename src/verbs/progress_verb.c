// ./run progress: how well the steps were predicted (./run --predict).
#include "command_line/options.h"
#include "files/json.h"
#include "files/predictions.h"
#include "show/report.h"

static int progress(const struct options *options)
{
    struct prediction_record records[MAX_STEPS];
    int unreadable, count = predictions_read(records, &unreadable);
    if (count < 0)
        return EXIT_USAGE;
    const struct report report = {.file = stdout, .style = style_for(stdout, options->color)};
    int status = unreadable > 0 ? EXIT_USAGE : EXIT_GOOD;
    if (options->json)
        return json_finish(options->json, json_of_predictions(records, count)) ? status
                                                                               : EXIT_WRONG;
    if (count > 0)
        report_progress(&report, records, count);
    else
        printf("Nothing was predicted yet: `./run --predict` asks before it shows the panel.\n");
    return status;
}

static const struct option_row rows[] = {
    LAST_ROWS,
};

const struct verb progress_verb = {
    .name = "progress",
    .summary = "how well you predicted the steps (--predict), and how far off you tend to be",
    .about = "Lists what ./run --predict has kept, the last time of each step: how many answers "
             "were right, and the gain that was predicted beside the one that came; then all of "
             "them together.",
    .notes = "Predictions are JSON files in results/predictions/, or in that of the folder that "
             "APODKIT_RESULTS names.",
    .options = rows,
    .main = progress,
};
