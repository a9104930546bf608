/* SPDX-License-Identifier: BSD-3-Clause */
/* What the system may do to a program that writes a result, at each of its
   calls in turn. Linked with --wrap of the functions below, by the environment:
       FAULT="N fail"     call N from the first of the result fails
       FAULT="N SIGNAL"   a signal of this number comes before call N
       FAULT="N exit"     exit(EXIT_FAILURE) is called before call N
       NO_TMPFILE=1       the file system has no files without a name
   "fault" on standard error says that there was a call N. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "result.h"

static bool is_counting;
static int calls;

/* The next call: whether it fails. */
static bool fails(void)
{
    const char *fault = is_counting ? getenv("FAULT") : NULL;
    char *what = NULL;
    if (!fault || strtol(fault, &what, 10) != ++calls)
        return false;
    static const char text[] = "fault\n";
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        abort();
    const int number = atoi(what);
    if (strcmp(what, " exit") == 0)
        exit(EXIT_FAILURE);
    if (number != 0)
        raise(number);
    errno = ENOSPC;
    return number == 0;
}

/* WRAP(name, value of a failure, type, parameters, arguments) */
#define WRAP(name, failure, type, parameters, arguments)                       \
    type __real_##name parameters;                                             \
    type __wrap_##name parameters;                                             \
    type __wrap_##name parameters                                              \
    {                                                                          \
        return fails() ? (failure) : __real_##name arguments;                  \
    }

WRAP(malloc, NULL, void *, (size_t size), (size))
WRAP(calloc, NULL, void *, (size_t count, size_t size), (count, size))
WRAP(strdup, NULL, char *, (const char *text), (text))
WRAP(strndup, NULL, char *, (const char *text, size_t size), (text, size))
WRAP(fsync, -1, int, (int file), (file))
WRAP(fchmod, -1, int, (int file, mode_t mode), (file, mode))
WRAP(fchown, -1, int, (int file, uid_t user, gid_t group), (file, user, group))
WRAP(lseek, -1, off_t, (int file, off_t to, int whence), (file, to, whence))
WRAP(linkat, -1, int,
     (int from, const char *old, int to, const char *new, int flags),
     (from, old, to, new, flags))
WRAP(renameat, -1, int, (int from, const char *old, int to, const char *new),
     (from, old, to, new))
WRAP(read, -1, ssize_t, (int file, void *bytes, size_t size),
     (file, bytes, size))

/* What goes to the result or to scratch files; messages are let through. */
ssize_t __real_write(int file, const void *bytes, size_t size);
ssize_t __wrap_write(int file, const void *bytes, size_t size);
ssize_t __wrap_write(int file, const void *bytes, size_t size)
{
    if (file == STDERR_FILENO || !fails())
        return __real_write(file, bytes, size);
    /* The disk is full after a part of it. */
    if (__real_write(file, bytes, size / 2) >= 0)
        errno = ENOSPC;
    return -1;
}

/* A file is closed all the same. */
int __real_close(int file);
int __wrap_close(int file);
int __wrap_close(int file)
{
    const bool is_failing = fails();
    const int closed = __real_close(file);
    return is_failing ? -1 : closed;
}

int __real_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    const mode_t mode =
        flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    if (fails())
        return -1;
    if ((flags & O_TMPFILE) == O_TMPFILE && getenv("NO_TMPFILE")) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return __real_openat(folder, path, flags, mode);
}

typedef int open_stream(row_stream **stream, const char *path, int64_t nrows,
                        int64_t ncols, spgemm_index_type index_type,
                        spgemm_value_type value_type);
open_stream __real_result_stream_open;
open_stream __wrap_result_stream_open;
int __wrap_result_stream_open(row_stream **stream, const char *path,
                              int64_t nrows, int64_t ncols,
                              spgemm_index_type index_type,
                              spgemm_value_type value_type)
{
    is_counting = true;
    return __real_result_stream_open(stream, path, nrows, ncols, index_type,
                                     value_type);
}
