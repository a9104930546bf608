/* SPDX-License-Identifier: BSD-3-Clause */
/* Results to files, never half a file. */
#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "scratch.h"
#include "status.h"

/* The unfinished file; a signal that ends the program removes it first. */
static char unfinished[4096];

static void remove_unfinished(int signal_number)
{
    unlink(unfinished);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* Signals that somebody else ignores or handles stay theirs. */
static void guard(bool is_on)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        struct sigaction now;
        sigaction(numbers[k], NULL, &now);
        if (is_on && now.sa_handler == SIG_DFL)
            signal(numbers[k], remove_unfinished);
        else if (!is_on && now.sa_handler == remove_unfinished)
            signal(numbers[k], SIG_DFL);
    }
}

static int open_beside(target *t)
{
    const int length = snprintf(unfinished, sizeof unfinished, "%s.%ld.tmp",
                                t->path, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof unfinished) {
        errno = ENAMETOOLONG;
        return message_system(t->name);
    }
    /* From before it is there: a signal may come at once. */
    guard(true);
    t->descriptor =
        open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    t->is_beside = t->descriptor >= 0;
    if (t->is_beside)
        return TOOL_OK;
    const int status = message_system(t->name);
    guard(false);
    return status;
}

int target_open(target *t, const char *path)
{
    struct stat status;
    *t = (target){.name = path, .path = path, .descriptor = STDOUT_FILENO};
    if (strcmp(path, "-") == 0) {
        t->name = "standard output";
        t->path = NULL;
        return TOOL_OK;
    }
    if (stat(path, &status) != 0 || S_ISREG(status.st_mode))
        return open_beside(t);
    t->descriptor = open(path, O_WRONLY | O_CLOEXEC);
    return t->descriptor < 0 ? message_system(t->name) : TOOL_OK;
}

bool target_write(const target *t, const void *bytes, size_t size)
{
    return scratch_write(t->descriptor, bytes, size);
}

/* The folder of a path knows of a new name only once it is on the disk too. */
static void sync_folder(const char *path)
{
    char *folder = scratch_folder(path);
    const int descriptor =
        folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (descriptor >= 0) {
        (void)fsync(descriptor);
        close(descriptor);
    }
    free(folder);
}

int target_close(target *t, int status)
{
    if (status == TOOL_OK && fsync(t->descriptor) != 0 && errno != EINVAL &&
        errno != EROFS)
        status = message_system(t->name);
    if (t->path && close(t->descriptor) != 0 && status == TOOL_OK)
        status = message_system(t->name);
    if (!t->is_beside)
        return status;
    if (status == TOOL_OK && rename(unfinished, t->path) != 0)
        status = message_system(t->name);
    if (status == TOOL_OK)
        sync_folder(t->path);
    else
        unlink(unfinished);
    guard(false);
    return status;
}
