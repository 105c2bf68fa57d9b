// ./run occupancy [STEP...]: the occupancy calculator, for steps or for numbers given by hand.
#include "verbs/verbs.h"

#include "facts/device.h"
#include "files/json.h"
#include "show/occupancy_page.h"
#include "verbs/verb_options.h"

#include <errno.h>
#include <string.h>

static const char help[] =
    "Usage: ./run occupancy [STEP...] [OPTION...]\n"
    "       ./run occupancy --block T --registers R [--shared B] [OPTION...]\n"
    "\n"
    "How many blocks and warps an SM holds at once, which limit binds, and how that would change:\n"
    "for steps (all, or those named) as compiled for the present device, or for numbers given by\n"
    "hand. Nothing is run. With steps, the numbers take the place of what the step has: what if?\n"
    "Of a step that launches several kernels it is the launch of most threads.\n"
    "\n"
    "  --block T            threads per block, 1..1024\n"
    "  --registers R        registers per thread, 1..255\n"
    "  --shared B           bytes of shared memory per block, static and dynamic (default 0)\n"
    "  --arch X.Y           the limits of this compute capability, in place of the device's\n"
    "  -n N                 asks the steps for matrices of N x N (default: the device's)\n"
    "  --gpu, --sim[=NAME]  a GPU or nothing; the simulated device, as another GPU (--sim=list)\n"
    "  --device K           CUDA device K (default 0)\n"
    "  --json FILE          as JSON; - for standard output\n"
    "  --color WHEN         auto (default), always or never\n"
    "  -h, --help           this text\n"
    "\n"
    "Shared memory is taken for the largest carve-out of the SM, and for opted in where a block\n"
    "asks for more than 48 KiB, as cudaOccupancyMaxActiveBlocksPerMultiprocessor() does.\n";

// -1: not given.
struct request {
    struct verb_options common;
    bool has_steps; // it is about steps, named or all
    long block, registers, shared;
    const struct compute_capability *arch; // NULL: the device's
};

enum {
    MAX_SHARED = 1 << 20
}; // bytes: more than any SM has, so that what does not fit can be asked

static bool parse_arch(const char *text, const struct compute_capability **arch)
{
    int major, minor, length = 0, count;
    *arch = NULL;
    if (strlen(text) < 8 && sscanf(text, "%2d.%1d%n", &major, &minor, &length) == 2 &&
        text[length] == '\0')
        *arch = compute_capability_find(major, minor);
    if (*arch)
        return true;
    const struct compute_capability *table = compute_capability_table(&count);
    fprintf(stderr, "apodkit: --arch takes a compute capability, not '%s':", text);
    for (int i = 0; i < count; i++)
        fprintf(stderr, " %d.%d", table[i].major, table[i].minor);
    fputc('\n', stderr);
    return false;
}

static bool take_option(int option, void *context)
{
    struct request *request = context;
    switch (option) {
    case 'b':
        return number_option("--block", optarg, 1, MAX_BLOCK_THREADS, &request->block);
    case 'r':
        return number_option("--registers", optarg, 1, 255, &request->registers);
    case 's':
        return number_option("--shared", optarg, 0, MAX_SHARED, &request->shared);
    default:
        return parse_arch(optarg, &request->arch);
    }
}

// The steps, or numbers that do without: --block and --registers.
static bool check(void *context)
{
    struct request *request = context;
    request->has_steps = request->common.names_steps || request->block < 0;
    if (request->has_steps || request->registers > 0)
        return true;
    fprintf(stderr, "apodkit: --block needs a step, or --registers R too (ptxas -v says how many "
                    "a kernel has)\n");
    return false;
}

static enum parsed parse(int argc, char **argv, struct request *request)
{
    static const struct option options[] = {
        {"block", required_argument, NULL, 'b'},
        {"registers", required_argument, NULL, 'r'},
        {"shared", required_argument, NULL, 's'},
        {"arch", required_argument, NULL, 'a'},
        {"gpu", no_argument, NULL, 'g'},
        {"sim", optional_argument, NULL, 'm'},
        {"device", required_argument, NULL, 'd'},
        {"json", required_argument, NULL, 'j'},
        {"color", required_argument, NULL, 'w'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    struct verb_syntax syntax = {.verb = "occupancy",
                                 .help = help,
                                 .letters = "n:h",
                                 .options = options,
                                 .take = take_option,
                                 .check = check,
                                 .context = request};
    *request = (struct request){.block = -1, .registers = -1, .shared = -1};
    return verb_options_parse(&syntax, argc, argv, &request->common);
}

static void add_case(struct occupancy_page *page, const struct request *request, int step,
                     struct launch_needs needs)
{
    if (request->block >= 0)
        needs.threads = (unsigned)request->block;
    if (request->shared >= 0)
        needs.shared_bytes = (size_t)request->shared;
    if (request->registers >= 0) {
        needs.registers = (int)request->registers;
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
static bool add_steps(struct occupancy_page *page, const struct request *request, size_t n)
{
    bool good = true;
    launches_only_record(true);
    for (int i = 0; i < step_count(); i++) {
        struct launch_needs needs;
        if (!request->common.chosen[i])
            continue;
        if (ask_step(step_at(i), n, &needs))
            add_case(page, request, step_at(i)->number, needs);
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
static bool open_device(const struct request *request, struct device *device, char **argv)
{
    char failure[FAILURE_SIZE];
    if (!program_choose(request->common.choice, request->common.sim_device, argv))
        return false;
    if (device_open(request->common.device, device, failure))
        return true;
    if (device_none())
        program_without_gpu(request->common.choice, argv);
    fprintf(stderr, "apodkit: %s\n", failure);
    return false;
}

// False after a message when it cannot be written. Of steps that all went wrong there is nothing to say.
static bool show(const struct request *request, const struct occupancy_page *page)
{
    if (page->count == 0)
        return false;
    if (request->common.json)
        return json_finish(request->common.json, json_of_occupancy(page));
    struct style style = style_for(stdout, request->common.color);
    print_occupancy(stdout, &style, page);
    return true;
}

int occupancy_main(int argc, char **argv)
{
    struct request request;
    enum parsed parsed = parse(argc, argv, &request);
    if (parsed != PARSED_RUN)
        return parsed == PARSED_DONE ? EXIT_GOOD : EXIT_USAGE;

    struct occupancy_page page = {.device = NULL};
    struct device device = {.simulated = false};
    if (request.has_steps || !request.arch) {
        if (!open_device(&request, &device, argv - 1))
            return EXIT_NO_DEVICE;
        take_limits(&page, compute_capability_nearest(device.cc_major, device.cc_minor));
        page.device = device.name;
        page.major = device.cc_major;
        page.minor = device.cc_minor;
        page.sm = device.sm;
    }
    if (request.arch) {
        take_limits(&page, request.arch);
        page.device = NULL;
    }
    bool good = true;
    if (!request.has_steps)
        add_case(&page, &request, 0, (struct launch_needs){.shared_bytes = 0});
    else
        good = add_steps(&page, &request,
                         request.common.n ? request.common.n : device_default_n(&device));
    return show(&request, &page) && good ? EXIT_GOOD : EXIT_WRONG;
}
