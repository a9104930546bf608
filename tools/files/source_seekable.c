/* SPDX-License-Identifier: BSD-3-Clause */
/* A file that can be sought in: the source itself, or a copy without a name. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratch.h"
#include "source.h"

static int fail(source *s)
{
    s->status = errno == ENOMEM ? SPGEMM_ERROR_OUT_OF_MEMORY : SPGEMM_ERROR_IO;
    snprintf(s->why, sizeof s->why, "temporary file: %s", strerror(errno));
    return -1;
}

/* All of the source to a file, which is then at its begin. */
static int copy_bytes(source *s, int descriptor)
{
    char block[64 << 10];
    ptrdiff_t got;
    while ((got = source_read_file(s, block, sizeof block)) > 0)
        if (!scratch_write(descriptor, block, (size_t)got))
            return fail(s);
    if (got == 0 && lseek(descriptor, 0, SEEK_SET) != 0)
        return fail(s);
    return got == 0 ? descriptor : -1;
}

int source_seekable(source *s)
{
    struct stat status;
    if (fstat(s->descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
        lseek(s->descriptor, 0, SEEK_SET) == 0)
        return s->descriptor;
    const int descriptor = scratch_open();
    if (descriptor < 0)
        return fail(s);
    const int copied = copy_bytes(s, descriptor);
    source_close(s);
    s->descriptor = descriptor;
    return copied;
}
