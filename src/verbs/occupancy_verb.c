// ./run occupancy [STEP...]: the occupancy calculator, for steps or for numbers given by hand.
#include "facts/device.h"
#include "files/json.h"
#include "show/occupancy_page.h"
#include "verbs/options.h"

#include <errno.h>
#include <string.h>

enum {
    MAX_SHARED = 1 << 20
}; // bytes: more than any SM has, so that what does not fit can be asked

static bool is_about_steps(const struct options *options)
{
    return options->names_steps || options->block < 0;
}

// The steps, or numbers that do without: --block and --registers.
static bool check(const struct options *options)
{
    if (is_about_steps(options) || options->registers > 0)
        return true;
    fprintf(stderr, "apodkit: --block needs a step, or --registers R too (ptxas -v says how many "
                    "a kernel has)\n");
    return false;
}

static void add_case(struct occupancy_page *page, const struct options *options, int step,
                     struct launch_needs needs)
{
    if (options->block >= 0)
        needs.threads = (unsigned)options->block;
    if (options->shared >= 0)
        needs.shared_bytes = (size_t)options->shared;
    if (options->registers >= 0) {
        needs.registers = (int)options->registers;
        needs.registers_estimated = false;
    }
    page->cases[page->count++] = (struct occupancy_case){
        .step = step,
        .needs = needs,
        .occupancy =
            occupancy_of(&page->sm, needs.threads, (unsigned)needs.registers, needs.shared_bytes),
    };
}

// Asks the step's launch() what it would launch, for matrices of n x n. False after a message.
static bool ask_step(const struct step *step, size_t n, struct launch_needs *needs)
{
    char failure[FAILURE_SIZE];
    launches_forget();
    step->launch(NULL, NULL, n);
    struct launch_record launch = launches_largest();
    if (!launch.kernel) {
        fprintf(stderr, "apodkit: step %d launched no kernel: look at launch() in %s\n",
                step->number, step->file);
        return false;
    }
    if (!launch_needs(&launch, needs, failure)) {
        fprintf(stderr, "apodkit: step %d: %s\n", step->number, failure);
        return false;
    }
    if (needs->threads == 0)
        fprintf(stderr, "apodkit: step %d has blocks of no thread: look at launch() in %s\n",
                step->number, step->file);
    return needs->threads > 0;
}

// Adds the chosen steps but those that went wrong. Whether none did.
static bool add_steps(struct occupancy_page *page, const struct options *options, size_t n)
{
    bool good = true;
    launches_only_record(true);
    for (int i = 0; i < step_count(); i++) {
        struct launch_needs needs;
        if (!options->chosen[i])
            continue;
        if (ask_step(step_at(i), n, &needs))
            add_case(page, options, step_at(i)->number, needs);
        else
            good = false;
    }
    return good;
}

static void take_limits(struct occupancy_page *page, const struct compute_capability *cc)
{
    page->major = cc->major;
    page->minor = cc->minor;
    page->family = cc->family;
    page->sm = cc->sm;
}

// Opens the device for the page; where there is no GPU at all, goes on as the simulated program.
static bool open_device(const struct options *options, struct device *device)
{
    char failure[FAILURE_SIZE];
    if (!program_choose(options->choice, options->sim_device, options->argv))
        return false;
    if (device_open((int)options->device, device, failure))
        return true;
    if (device_none())
        program_without_gpu(options->choice, options->argv);
    fprintf(stderr, "apodkit: %s\n", failure);
    return false;
}

// False after a message when it cannot be written. Of steps that all went wrong there is nothing to say.
static bool show(const struct options *options, const struct occupancy_page *page)
{
    if (page->count == 0)
        return false;
    if (options->json)
        return json_finish(options->json, json_of_occupancy(page));
    struct style style = style_for(stdout, options->color);
    print_occupancy(stdout, &style, page);
    return true;
}

static int occupancy(const struct options *options)
{
    struct occupancy_page page = {.device = NULL};
    struct device device = {.simulated = false};
    if (is_about_steps(options) || !options->arch) {
        if (!open_device(options, &device))
            return EXIT_NO_DEVICE;
        take_limits(&page, compute_capability_nearest(device.cc_major, device.cc_minor));
        page.device = device.name;
        page.major = device.cc_major;
        page.minor = device.cc_minor;
        page.sm = device.sm;
    }
    if (options->arch) {
        take_limits(&page, options->arch);
        page.device = NULL;
    }
    bool good = true;
    if (!is_about_steps(options))
        add_case(&page, options, 0, (struct launch_needs){.shared_bytes = 0});
    else
        good = add_steps(&page, options, options->n ? options->n : device_default_n(&device));
    return show(options, &page) && good ? EXIT_GOOD : EXIT_WRONG;
}

static const struct option_row rows[] = {
    NUMBER_ROW("block", "T", block, 1, MAX_BLOCK_THREADS, "threads per block, 1..1024"),
    NUMBER_ROW("registers", "R", registers, 1, 255, "registers per thread, 1..255"),
    NUMBER_ROW("shared", "B", shared, 0, MAX_SHARED,
               "bytes of shared memory per block, static and dynamic (default 0)"),
    PLAIN_ROW("arch", "X.Y", ARCH,
              "the limits of this compute capability, in place of the device's"),
    N_ROW("asks the steps for matrices of N x N (default: the device's)"),
    DEVICE_ROWS(ANOTHER_GPU),
    LAST_ROWS,
};

const struct verb occupancy_verb = {
    .name = "occupancy",
    .summary = "the occupancy calculator: what limits the warps of a step or of given numbers",
    .takes = "[STEP... | --block T --registers R [--shared B]]",
    .about = "How many blocks and warps an SM holds at once, which limit binds, and how that "
             "would change: for steps (all, or those named) as compiled for the present device, "
             "or for numbers given by hand. Nothing is run. With steps, the numbers take the "
             "place of what the step has: what if? Of a step that launches several kernels it is"
             " the launch of most threads.",
    .notes = "Shared memory is taken for the largest carve-out of the SM, and for opted in where"
             " a block asks for more than 48 KiB, as "
             "cudaOccupancyMaxActiveBlocksPerMultiprocessor() does.",
    .words = STEP_WORDS,
    .options = rows,
    .defaults = &(const struct options){.block = -1, .registers = -1, .shared = -1},
    .check = check,
    .main = occupancy,
};
