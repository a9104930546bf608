/* SPDX-License-Identifier: BSD-3-Clause */
/* Files without a name. Where the file system cannot make one, a file with a
   name loses it at once. */
#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *scratch_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
}

static int open_named(const char *folder)
{
    char *name = NULL;
    if (asprintf(&name, "%s/spgemm.XXXXXX", folder) < 0)
        return -1;
    const int descriptor = mkostemp(name, O_CLOEXEC);
    if (descriptor >= 0)
        unlink(name);
    free(name);
    return descriptor;
}

int scratch_open(const char *path)
{
    const char *temporary = getenv("TMPDIR");
    char *folder = path ? scratch_folder(path)
                        : strdup(temporary && *temporary ? temporary : "/tmp");
    if (!folder)
        return -1;
    int descriptor =
        open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (descriptor < 0 &&
        (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
        descriptor = open_named(folder);
    const int why = errno;
    free(folder);
    errno = why;
    return descriptor;
}

bool scratch_write(int descriptor, const void *bytes, size_t size)
{
    const char *from = bytes;
    while (size > 0) {
        const ssize_t written = write(descriptor, from, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        from += written;
        size -= (size_t)written;
    }
    return true;
}
