/* SPDX-License-Identifier: BSD-3-Clause */
/* Files without a name. Where the file system cannot make one, a file with a
   name loses it at once. */
#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guard.h"

/* Others of this process's number may have left their names. */
enum { MOST_NAMES = 100, LINK_BYTES = 32 };

static void next_name(char name[SCRATCH_NAME_BYTES], int k)
{
    snprintf(name, SCRATCH_NAME_BYTES, "spgemm.%ld.%d.tmp", (long)getpid(), k);
}

/* The name that a descriptor has whatever its file is called. */
static void descriptor_link(char link[LINK_BYTES], int descriptor)
{
    snprintf(link, LINK_BYTES, "/proc/self/fd/%d", descriptor);
}

int scratch_nameless(int folder, int access, mode_t mode)
{
    const int descriptor =
        openat(folder, ".", O_TMPFILE | O_CLOEXEC | access, mode);
    if (descriptor < 0 && (errno == EISDIR || errno == EINVAL))
        errno = EOPNOTSUPP; /* as older systems say it */
    return descriptor;
}

int scratch_named(int folder, char name[SCRATCH_NAME_BYTES], int access,
                  mode_t mode)
{
    int descriptor = -1;
    errno = EEXIST;
    for (int k = 0; k < MOST_NAMES && descriptor < 0 && errno == EEXIST; k++) {
        next_name(name, k);
        descriptor =
            openat(folder, name, O_CREAT | O_EXCL | O_CLOEXEC | access, mode);
    }
    return descriptor;
}

bool scratch_link(int descriptor, int folder, char name[SCRATCH_NAME_BYTES])
{
    char link[LINK_BYTES];
    bool is_linked = false;
    descriptor_link(link, descriptor);
    errno = EEXIST;
    for (int k = 0; k < MOST_NAMES && !is_linked && errno == EEXIST; k++) {
        next_name(name, k);
        is_linked =
            linkat(AT_FDCWD, link, folder, name, AT_SYMLINK_FOLLOW) == 0;
    }
    return is_linked;
}

bool scratch_can_link(int descriptor)
{
    char link[LINK_BYTES];
    descriptor_link(link, descriptor);
    return access(link, F_OK) == 0;
}

static int open_briefly_named(int folder)
{
    char name[SCRATCH_NAME_BYTES];
    guard_begin();
    guard_hold();
    const int descriptor =
        scratch_named(folder, name, O_RDWR, S_IRUSR | S_IWUSR);
    const int why = errno;
    if (descriptor >= 0)
        unlinkat(folder, name, 0);
    guard_release();
    guard_end();
    errno = why;
    return descriptor;
}

int scratch_open_in(int folder)
{
    const int descriptor = scratch_nameless(folder, O_RDWR, S_IRUSR | S_IWUSR);
    return descriptor < 0 && errno == EOPNOTSUPP ? open_briefly_named(folder)
                                                 : descriptor;
}

int scratch_open(void)
{
    const char *temporary = getenv("TMPDIR");
    const int folder = open(temporary && *temporary ? temporary : "/tmp",
                            O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return -1;
    const int descriptor = scratch_open_in(folder);
    const int why = errno;
    close(folder);
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

ptrdiff_t scratch_read_some(int descriptor, void *bytes, size_t size)
{
    ssize_t got;
    do {
        got = read(descriptor, bytes, size);
    } while (got < 0 && errno == EINTR);
    return got;
}

bool scratch_read(int descriptor, void *bytes, size_t size)
{
    for (size_t used = 0; used < size;) {
        const ptrdiff_t got =
            scratch_read_some(descriptor, (char *)bytes + used, size - used);
        if (got == 0)
            errno = EIO;
        if (got <= 0)
            return false;
        used += (size_t)got;
    }
    return true;
}
