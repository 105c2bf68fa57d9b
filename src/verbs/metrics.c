// ./run metrics [--chip NAME]: nvprof's names, the kit's definitions, CUPTI's names, who has which.
#include "command_line/options.h"
#include "facts/metric_listing.h"
#include "facts/metric_names.h"
#include "facts/metric_table.h"
#include "files/json.h"
#include "measure/instruments.h"

static struct listed_metric *add(struct metric_listing *listing, struct chip *chip,
                                 struct listed_metric metric)
{
    struct listed_metric *added = &listing->metrics[listing->count++];
    *added = metric;
    if (chip && metric.cupti)
        added->presence =
            instruments.chips->counts(chip, metric.cupti, added->detail, sizeof added->detail)
                ? PRESENT
                : ABSENT;
    return added;
}

// A panel metric without a CUPTI name of its own follows from counts, and is there when they are; or from
// the launch alone.
static void derive_presence(struct metric_listing *listing, struct value values[METRICS])
{
    values[TIME_MS] = value_of(1, MEASURED);
    metrics_derive(values, 0);
    for (enum metric i = FIRST_METRIC; i < FIRST_COUNT; i++) { // they begin the listing
        struct listed_metric *metric = &listing->metrics[i - FIRST_METRIC];
        if (metric->cupti)
            continue;
        bool present = !metric_table[i].derive || value_known(&values[i]);
        metric->presence = present ? PRESENT : ABSENT;
        snprintf(metric->detail, sizeof metric->detail, "%s", present ? "" : values[i].why);
    }
}

static void list_metrics(struct metric_listing *listing, struct chip *chip)
{
    struct value values[METRICS] = {{0}};
    for (enum metric i = FIRST_METRIC; i < METRICS; i++) {
        const struct metric_row *row = &metric_table[i];
        const struct listed_metric *added =
            add(listing, chip,
                (struct listed_metric){.group = i < FIRST_COUNT ? IN_PANEL : COUNTED_EVENT,
                                       .name = row->nvprof ? row->nvprof : row->key,
                                       .formula = row->formula,
                                       .cupti = row->cupti,
                                       .note = row->note ? row->note : ""});
        values[i] = added->presence == PRESENT ? value_of(1, MEASURED)
                                               : value_unavailable("%s", added->detail);
    }
    if (chip)
        derive_presence(listing, values);
    for (int i = 0; i < nvprof_metric_count; i++) {
        const struct nvprof_metric *metric = &nvprof_metrics[i];
        add(listing, chip,
            (struct listed_metric){.group = BY_NAME,
                                   .name = metric->name,
                                   .cupti = metric->cupti,
                                   .note = metric->note});
    }
}

static const char *presence_text(enum presence presence)
{
    static const char *const texts[] = {
        [PRESENCE_UNKNOWN] = "?", [ABSENT] = "no", [PRESENT] = "yes"};
    return texts[presence];
}

static void list_chips(FILE *file)
{
    size_t count = 0;
    const char *const *names = instruments.chips ? instruments.chips->names(&count) : NULL;
    fprintf(file, count ? "The chips known here are" : "No chips are known here.");
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%s%s", i % 12 == 0 ? "\n  " : " ", names[i]);
    fputc('\n', file);
}

static void print_metric(const struct listed_metric *metric, const struct style *style)
{
    enum tone tone = metric->presence == ABSENT ? TONE_BAD : TONE_PLAIN;
    fputs("  ", stdout);
    put_padded(stdout, metric->name, 34);
    printf("%s%s%s\n", tone_start(style, tone), presence_text(metric->presence),
           tone_end(style, tone));
    if (metric->formula)
        put_wrapped(stdout, "      kit:   ", metric->formula);
    if (metric->presence == ABSENT)
        put_wrapped(stdout, "      ", metric->detail);
    else if (metric->cupti)
        put_wrapped(stdout,
                    "      CUPTI: ", metric->presence == PRESENT ? metric->detail : metric->cupti);
    if (*metric->note)
        put_wrapped(stdout, "      note:  ", metric->note);
}

static void print_listing(const struct metric_listing *listing, const struct style *style)
{
    static const char *const titles[LISTING_GROUPS] = {
        [IN_PANEL] = "In the panel and the summary (nvprof's name, or the kit's)",
        [COUNTED_EVENT] = "Counts of one launch, which the formulas are made of",
        [BY_NAME] = "Further metrics of nvprof's, for ./run --metrics NAME,..."};
    if (listing->chip)
        printf("yes, no: whether the chip %s has it\n", listing->chip);
    else
        put_text(stdout, "?: there is no GPU here whose chip CUPTI could name; --chip NAME tells "
                         "what a chip has.\n");
    for (int i = 0; i < listing->count; i++) {
        const struct listed_metric *metric = &listing->metrics[i];
        if (i == 0 || metric->group != listing->metrics[i - 1].group)
            printf("\n%s%s%s\n", tone_start(style, TONE_TITLE), titles[metric->group],
                   tone_end(style, TONE_TITLE));
        print_metric(metric, style);
    }
    put_text(stdout,
             "\nThe replay overheads are stand-ins: no scheduler has issued replays since Volta, "
             "so the kit\ncounts the passes that the load/store unit makes instead. nvprof's\n"
             "global_cache_replay_overhead and local_replay_overhead (L1 misses of Fermi and "
             "Kepler) have no\nsuccessor: their event does not exist since Maxwell.\n\n");
    list_chips(stdout);
}

static int metrics(const struct options *options)
{
    const struct chips *chips = instruments.chips;
    struct metric_listing listing = {.chip = options->chip ? options->chip
                                             : chips       ? chips->of_device((int)options->device)
                                                           : NULL};
    struct chip *chip = NULL;
    if (listing.chip) {
        char why[512];
        chip = chips ? chips->open(listing.chip, why, sizeof why) : NULL;
        if (!chip) {
            fprintf(stderr, "apodkit: chip %s: %s\n", listing.chip,
                    chips ? why : instruments.why_not.chips);
            list_chips(stderr);
            return EXIT_USAGE;
        }
    }
    list_metrics(&listing, chip);
    if (chip)
        chips->close(chip);
    struct style style = style_for(stdout, options->color);
    if (options->json)
        return json_finish(options->json, json_of_listing(&listing)) ? EXIT_GOOD : EXIT_WRONG;
    print_listing(&listing, &style);
    return EXIT_GOOD;
}

static const struct option_row rows[] = {
    FIELD_ROW("chip", "NAME", TEXT, chip, "GH100, AD102, TU102, ...: a wrong name lists them all"),
    DEVICE_ROW("the chip of CUDA device K"),
    LAST_ROWS,
};

const struct verb metrics_verb = {
    .name = "metrics",
    .summary = "nvprof's metrics, the kit's definitions, CUPTI's names, and who has which",
    .about = "Lists nvprof's metrics with the kit's definitions and CUPTI's names, and says "
             "which of them a chip has: that of device K (default 0), or the one named. No GPU "
             "is needed to ask for a chip. Any name with a CUPTI line, and any other name of "
             "CUPTI's, can be given to ./run --metrics.",
    .options = rows,
    .main = metrics,
};
