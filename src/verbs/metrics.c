// ./run metrics [--chip NAME]: nvprof's names, the kit's definitions, CUPTI's names, who has which.
#include "verbs/verbs.h"

#include "base/style.h"
#include "facts/metric_listing.h"
#include "facts/metric_names.h"
#include "facts/quantity.h"
#include "files/json.h"
#include "measure/instruments.h"
#include "verbs/next_option.h"
#include "verbs/options.h"

#include <string.h>

static const char help[] =
    "Usage: ./run metrics [--chip NAME] [--device K] [--json FILE] [--color WHEN]\n"
    "\n"
    "Lists nvprof's metrics with the kit's definitions and CUPTI's names, and says which of them "
    "a\n"
    "chip has: that of device K (default 0), or the one named. No GPU is needed to ask for a "
    "chip.\n"
    "Any name with a CUPTI line, and any other name of CUPTI's, can be given to ./run --metrics.\n"
    "\n"
    "  --chip NAME    GH100, AD102, TU102, ...: a wrong name lists them all\n"
    "  --device K     the chip of CUDA device K\n"
    "  --json FILE    as JSON; - for standard output\n"
    "  --color WHEN   auto (default), always or never\n"
    "  -h, --help     this text\n";

struct request {
    const char *chip, *json;
    int device;
    enum color_when color;
};

static enum parsed parse(int argc, char **argv, struct request *request)
{
    static const struct option options[] = {
        {"chip", required_argument, NULL, 'c'}, {"device", required_argument, NULL, 'd'},
        {"json", required_argument, NULL, 'j'}, {"color", required_argument, NULL, 'w'},
        {"help", no_argument, NULL, 'h'},       {NULL, 0, NULL, 0},
    };
    *request = (struct request){0};
    optind = 0;
    bool good = true;
    for (int option; good && (option = next_option(argc, argv, "h", options)) != -1;) {
        switch (option) {
        case 'h':
            fputs(help, stdout);
            return PARSED_DONE;
        case 'c':
            request->chip = optarg;
            break;
        case 'd':
            good = parse_device(optarg, &request->device);
            break;
        case 'j':
            good = parse_json(optarg, &request->json);
            break;
        case 'w':
            good = parse_color(optarg, &request->color);
            break;
        default:
            good = false;
        }
    }
    if (good && optind < argc)
        fprintf(stderr, "apodkit: metrics takes no argument '%s'\n", argv[optind]);
    if (good && optind == argc)
        return PARSED_RUN;
    fprintf(stderr, "Type `./run metrics --help` for the options.\n");
    return PARSED_WRONG;
}

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
static void derive_presence(struct metric_listing *listing, struct value values[QUANTITIES])
{
    values[TIME_MS] = value_of(1, MEASURED);
    quantities_derive(values, 0);
    for (enum quantity i = FIRST_METRIC; i < FIRST_COUNT; i++) { // they begin the listing
        struct listed_metric *metric = &listing->metrics[i - FIRST_METRIC];
        if (metric->cupti)
            continue;
        bool present = !quantities[i].derive || value_known(&values[i]);
        metric->presence = present ? PRESENT : ABSENT;
        snprintf(metric->detail, sizeof metric->detail, "%s", present ? "" : values[i].why);
    }
}

static void list_metrics(struct metric_listing *listing, struct chip *chip)
{
    struct value values[QUANTITIES] = {{0}};
    for (enum quantity i = FIRST_METRIC; i < QUANTITIES; i++) {
        const struct quantity_row *row = &quantities[i];
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
    for (int i = 0; i < nvprof_metric_count(); i++) {
        const struct nvprof_metric *metric = nvprof_metric_at(i);
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
        printf("?: there is no GPU here whose chip CUPTI could name; --chip NAME tells what a chip "
               "has.\n");
    for (int i = 0; i < listing->count; i++) {
        const struct listed_metric *metric = &listing->metrics[i];
        if (i == 0 || metric->group != listing->metrics[i - 1].group)
            printf("\n%s%s%s\n", tone_start(style, TONE_TITLE), titles[metric->group],
                   tone_end(style, TONE_TITLE));
        print_metric(metric, style);
    }
    printf("\nThe replay overheads are stand-ins: no scheduler has issued replays since Volta, so "
           "the kit\ncounts the passes that the load/store unit makes instead. nvprof's\n"
           "global_cache_replay_overhead and local_replay_overhead (L1 misses of Fermi and Kepler) "
           "have no\nsuccessor: their event does not exist since Maxwell.\n\n");
    list_chips(stdout);
}

int metrics_main(int argc, char **argv)
{
    struct request request;
    enum parsed parsed = parse(argc, argv, &request);
    if (parsed != PARSED_RUN)
        return parsed == PARSED_DONE ? EXIT_GOOD : EXIT_USAGE;

    const struct chips *chips = instruments.chips;
    struct metric_listing listing = {.chip = request.chip ? request.chip
                                             : chips      ? chips->of_device(request.device)
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
    struct style style = style_for(stdout, request.color);
    if (request.json)
        return json_finish(request.json, json_of_listing(&listing)) ? EXIT_GOOD : EXIT_WRONG;
    print_listing(&listing, &style);
    return EXIT_GOOD;
}
