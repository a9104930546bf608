/* SPDX-License-Identifier: BSD-3-Clause */
/* The failure that a reader of an archive tells first. */
#include "members.h"

#include <archive.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int members_fail(members *m, spgemm_status status, const char *format, ...)
{
    va_list list;
    if (m->status < 0)
        return -1;
    m->status = status;
    va_start(list, format);
    vsnprintf(m->why, sizeof m->why, format, list);
    va_end(list);
    return -1;
}

int members_fail_archive(members *m, struct archive *archive, const char *what)
{
    const char *why = archive_error_string(archive);
    /* Where libarchive gives no reason, an allocation of its own failed; what
       zstd says of one of its, libarchive hands on. */
    if (!why || archive_errno(archive) == ENOMEM ||
        strstr(why, "not enough memory"))
        return members_fail(m, SPGEMM_ERROR_OUT_OF_MEMORY,
                            "out of memory while it was unpacked");
    return members_fail(m, SPGEMM_ERROR_IO, "%s%s%s", what ? what : "",
                        what ? ": " : "", why);
}

ptrdiff_t members_read_archive(members *m, struct archive *archive,
                               const char *what, void *buffer, size_t size)
{
    la_ssize_t got;
    do {
        got = archive_read_data(archive, buffer, size);
    } while (got == ARCHIVE_RETRY);
    return got < 0 ? members_fail_archive(m, archive, what) : got;
}
