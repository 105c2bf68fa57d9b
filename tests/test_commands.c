// The commands that the documents tell the reader to type: they run.
#include "suites.h"
#include "support.h"

#include <stdio.h>

SUITE(commands, .seconds = 300, .uses_gpu = true) // steps are built

TEST(commands_run)
{
    struct printed printed = type(
        "docs/run_commands.sh build/check/commands README.md walkthrough.md docs/*.md labs/*.md");
    ck_assert_msg(printed.status == 0, "%s%s", printed.out, printed.err);
    int count = 0;
    ck_assert_int_eq(sscanf(printed.out, "%d blocks of commands, 0 of them wrong", &count), 1);
    ck_assert_int_ge(count, 9);
}

// One fails in its middle, one at its end; of those for a GPU, one has a wrong command line.
TEST(commands_that_fail_are_shown)
{
    struct printed printed = type_to(
        1,
        "printf '```sh\\nfalse && true\\ntrue\\n```\\n```sh\\ntrue\\n./run 99\\n```\\n"
        "```sh\\ntrue\\n```\\n```sh needs a GPU\\nfalse\\n```\\n```sh needs a GPU\\n./run "
        "2\\n```\\n"
        "```sh needs a GPU\\nfalse\\n./run sweep 2 n=1:9:2\\n```\\n' >build/check/commands.md && "
        "docs/run_commands.sh build/check/commands build/check/commands.md");
    assert_contains(printed.out, "commands.md:1: this fails:\nfalse && true",
                    "commands.md:5: this fails:\ntrue\n./run 99",
                    "commands.md:18: this fails:\nwithout_gpu sweep 2 n=1:9:2",
                    "5 blocks of commands, 3 of them wrong");
}
