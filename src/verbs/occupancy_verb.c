// ./run occupancy [STEP...]: the occupancy calculator, for steps or for numbers given by hand.
#include "command_line/options.h"
#include "files/json.h"
#include "measure/ask_launches.h"
#include "show/occupancy_page.h"

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

static void take_limits(struct occupancy_page *page, const struct compute_capability *cc)
{
    page->major = cc->major;
    page->minor = cc->minor;
    page->family = cc->family;
    page->sm = cc->sm;
}

static void take_device(struct occupancy_page *page, const struct device *device)
{
    take_limits(page, compute_capability_nearest(device->cc_major, device->cc_minor));
    page->device = device->name;
    page->major = device->cc_major;
    page->minor = device->cc_minor;
    page->sm = device->sm;
}

// Finds out the device and, if it is about steps, what they launch. Where there is no GPU at all, goes on as the
// simulated program. False after a message.
static bool ask(const struct options *options, struct launch_answers *answers)
{
    int device = (int)options->device;
    if (!program_choose(options->choice, options->sim_device, options->argv))
        return false;
    if (is_about_steps(options) ? ask_launches(device, options->n, options->chosen, answers)
                                : device_open(device, &answers->device, answers->fatal))
        return true;
    if (is_about_steps(options) ? answers->no_gpu : device_none())
        program_without_gpu(options->choice, options->argv);
    fprintf(stderr, "apodkit: %s\n", answers->fatal);
    return false;
}

// Adds the chosen steps but those that went wrong. Whether none did.
static bool add_steps(struct occupancy_page *page, const struct options *options,
                      const struct launch_answers *answers)
{
    bool good = true;
    char label[STEP_LABEL_SIZE];
    for (int i = 0; i < step_count(); i++) {
        const struct launch_answer *answer = &answers->steps[i];
        if (!options->chosen[i])
            continue;
        if (!*answer->failure) {
            add_case(page, options, step_at(i)->number, answer->needs);
            continue;
        }
        fprintf(stderr, "apodkit: %s %s\n", step_label(step_at(i)->number, label), answer->failure);
        good = false;
    }
    return good;
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
    struct launch_answers answers;
    if ((is_about_steps(options) || !options->arch) && !ask(options, &answers))
        return EXIT_NO_DEVICE;
    if (options->arch)
        take_limits(&page, options->arch);
    else
        take_device(&page, &answers.device);
    bool good = true;
    if (is_about_steps(options))
        good = add_steps(&page, options, &answers);
    else
        add_case(&page, options, 0, (struct launch_needs){.shared_bytes = 0});
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
