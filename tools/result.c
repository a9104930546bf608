/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices to files, never half a file. */
#include "result.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "progress.h"
#include "spgemm/mtx.h"
#include "status.h"

/* The unfinished file; a signal that ends the program removes it first. */
static char unfinished[4096];

static void remove_unfinished(int signal_number)
{
    unlink(unfinished);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void guard(bool is_on)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (signal(numbers[k], is_on ? remove_unfinished : SIG_DFL) == SIG_IGN)
            signal(numbers[k], SIG_IGN);
}

static int put(void *context, const char *text, size_t length)
{
    const int descriptor = *(const int *)context;
    while (length > 0) {
        const ssize_t written = write(descriptor, text, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return -1;
        text += written;
        length -= (size_t)written;
    }
    return 0;
}

/* Write A to an open file, and see it to the disk if it is one. */
static int write_matrix(const spgemm_csr *A, int descriptor, const char *name)
{
    errno = 0;
    progress_begin("writing");
    const spgemm_status status = spgemm_mtx_write(A, put, &descriptor);
    progress_end();
    if (status == SPGEMM_ERROR_IO)
        return message_system(name);
    if (status < 0)
        return message_failure(name, status);
    if (fsync(descriptor) != 0 && errno != EINVAL && errno != EROFS)
        return message_system(name);
    return TOOL_OK;
}

/* What is no regular file (a pipe, a device) is written where it is. */
static int write_in_place(const spgemm_csr *A, const char *path)
{
    const int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0)
        return message_system(path);
    const int status = write_matrix(A, descriptor, path);
    if (close(descriptor) != 0 && status == TOOL_OK)
        return message_system(path);
    return status;
}

/* The folder of a path knows of a new name only once it is on the disk too. */
static void sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder =
        slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    const int descriptor =
        folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (descriptor >= 0) {
        (void)fsync(descriptor);
        close(descriptor);
    }
    free(folder);
}

static int write_beside(const spgemm_csr *A, const char *path)
{
    const int length = snprintf(unfinished, sizeof unfinished, "%s.%ld.tmp",
                                path, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof unfinished) {
        errno = ENAMETOOLONG;
        return message_system(path);
    }
    const int descriptor =
        open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return message_system(path);
    guard(true);
    int status = write_matrix(A, descriptor, path);
    if (close(descriptor) != 0 && status == TOOL_OK)
        status = message_system(path);
    if (status == TOOL_OK && rename(unfinished, path) != 0)
        status = message_system(path);
    if (status != TOOL_OK)
        unlink(unfinished);
    else
        sync_folder(path);
    guard(false);
    return status;
}

int result_write(const spgemm_csr *A, const char *path)
{
    struct stat status;
    if (strcmp(path, "-") == 0)
        return write_matrix(A, STDOUT_FILENO, "standard output");
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return write_in_place(A, path);
    return write_beside(A, path);
}

int result_finish(int status)
{
    errno = 0;
    const bool is_lost =
        fflush(stdout) != 0 || ferror(stdout) || fclose(stdout) != 0;
    if (!is_lost || status != TOOL_OK)
        return status;
    if (errno == 0)
        errno = EIO; /* something before, whose reason is forgotten */
    return message_system("standard output");
}
