#include "verbs/verb_options.h"

#include "verbs/next_option.h"
#include "verbs/sim_choice.h"

#include <stdio.h>

static bool take_number(const char *name, long least, long most, long *number)
{
    return number_option(name, optarg, least, most, number);
}

static enum parsed parsed_if(bool good)
{
    return good ? PARSED_RUN : PARSED_WRONG;
}

static enum parsed take(const struct verb_syntax *syntax, int option, struct verb_options *options)
{
    long number = 0;
    bool good;
    switch (option) {
    case 'n':
        good = take_number("-n", 1, MAX_N, &number);
        options->n = (size_t)number;
        return parsed_if(good);
    case 'g':
        options->choice = GPU_ONLY;
        return PARSED_RUN;
    case 'm':
        options->choice = SIMULATED_ONLY;
        return parse_sim(optarg, &options->sim_device);
    case 'd':
        return parsed_if(parse_device(optarg, &options->device));
    case 't':
        good = take_number("--timeout", 1, 86400, &number);
        options->timeout_s = (double)number;
        return parsed_if(good);
    case 'j':
        options->json = optarg;
        return PARSED_RUN;
    case 'w':
        return parsed_if(parse_color(optarg, &options->color));
    case 'h':
        fputs(syntax->help, stdout);
        return PARSED_DONE;
    case '?': // next_option() has said what is wrong
        return PARSED_WRONG;
    default:
        return parsed_if(syntax->take(option, syntax->context));
    }
}

static bool take_steps(int argc, char **argv, struct verb_options *options)
{
    options->names_steps = argc > 0;
    for (int i = 0; i < argc; i++)
        if (!parse_step(argv[i], options->chosen))
            return false;
    for (int i = 0; argc == 0 && i < step_count(); i++)
        options->chosen[i] = true;
    return true;
}

enum parsed verb_options_parse(const struct verb_syntax *syntax, int argc, char **argv,
                               struct verb_options *options)
{
    enum parsed parsed = PARSED_RUN;
    optind = 0;
    for (int option; parsed == PARSED_RUN &&
                     (option = next_option(argc, argv, syntax->letters, syntax->options)) != -1;)
        parsed = take(syntax, option, options);
    if (parsed == PARSED_RUN)
        parsed = parsed_if(take_steps(argc - optind, argv + optind, options) &&
                           (!syntax->check || syntax->check(syntax->context)));
    if (parsed == PARSED_WRONG)
        fprintf(stderr, "Type `./run %s --help` for the options.\n", syntax->verb);
    return parsed;
}

bool any_step_is_built(void)
{
    if (step_count() == 0)
        fprintf(stderr, "apodkit: no step is built: type `make`\n");
    return step_count() > 0;
}
