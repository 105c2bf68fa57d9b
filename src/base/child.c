#define _POSIX_C_SOURCE 200809L // posix_spawnp, fileno
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int child_start(char *const *argv, int output, int errors, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    fflush(NULL); // what is still in a buffer comes before what the child does
    if (!error)
        error = posix_spawnp(child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

void child_wait(pid_t child, struct child_end *end)
{
    int raw;
    while (waitpid(child, &raw, 0) < 0)
        if (errno != EINTR) {
            end->error = errno;
            return;
        }
    end->signal = WIFSIGNALED(raw) ? WTERMSIG(raw) : 0;
    end->status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 0;
}

static void read_end(FILE *errors, char said[CHILD_SAID_SIZE])
{
    if (fseek(errors, -(CHILD_SAID_SIZE - 1), SEEK_END) != 0)
        rewind(errors); // it is shorter
    said[fread(said, 1, CHILD_SAID_SIZE - 1, errors)] = '\0';
}

bool child_run(char *const *argv, struct child_end *end)
{
    *end = (struct child_end){0};
    FILE *errors = tmpfile();
    int nowhere = errors ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
    pid_t child;
    end->error = nowhere < 0 ? errno : child_start(argv, nowhere, fileno(errors), &child);
    if (!end->error) {
        child_wait(child, end);
        read_end(errors, end->said);
    }
    if (nowhere >= 0)
        close(nowhere);
    if (errors)
        fclose(errors);
    return end->error == 0 && end->signal == 0 && end->status == 0;
}
