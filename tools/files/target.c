/* SPDX-License-Identifier: BSD-3-Clause */
/* Results to files, never half a file: whatever ends the program, the place has
   what it had, or the whole of the new. */
#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "guard.h"
#include "interrupt.h"
#include "message.h"
#include "status.h"

static int fail(const target *t)
{
    return message_system(t->name);
}

/* Without a name, if it can be given one in the end. */
static int open_nameless(const target *t, mode_t mode)
{
    const int descriptor = scratch_nameless(t->place.folder, O_WRONLY, mode);
    if (descriptor < 0 || scratch_can_link(descriptor))
        return descriptor;
    close(descriptor);
    errno = EOPNOTSUPP;
    return -1;
}

static int open_named(target *t, mode_t mode)
{
    guard_hold();
    const int descriptor =
        scratch_named(t->place.folder, t->temporary, O_WRONLY, mode);
    const int why = errno;
    t->is_named = descriptor >= 0;
    if (t->is_named)
        guard_name(t->place.folder, t->temporary);
    guard_release();
    errno = why;
    return descriptor;
}

/* What this user may not write is not replaced either. */
static bool is_writable(const place *p)
{
    return !p->is_there || faccessat(p->folder, p->name, W_OK, AT_EACCESS) == 0;
}

/* To whom the old file belongs, and who may read it, as far as this user and
   the file system allow. A group that cannot be given leaves its rights to
   nobody who had none. */
static void take_rights(const target *t)
{
    const struct stat *old = &t->place.file;
    mode_t mode = old->st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
    if (fchown(t->descriptor, old->st_uid, old->st_gid) != 0 &&
        fchown(t->descriptor, (uid_t)-1, old->st_gid) != 0)
        mode &= S_IRWXU | S_IRWXO | (mode & S_IRWXO) << 3;
    (void)fchmod(t->descriptor, mode);
}

static int open_replacement(target *t, const char *path)
{
    if (!place_open(&t->place, path))
        return fail(t);
    const mode_t mode = t->place.is_there ? S_IRUSR | S_IWUSR : 0666;
    guard_begin();
    t->is_replaced = true;
    if (is_writable(&t->place)) {
        t->descriptor = open_nameless(t, mode);
        if (t->descriptor < 0 && errno == EOPNOTSUPP)
            t->descriptor = open_named(t, mode);
    }
    if (t->descriptor < 0)
        return target_close(t, fail(t));
    if (t->place.is_there)
        take_rights(t);
    return TOOL_OK;
}

int target_open(target *t, const char *path)
{
    *t = (target){.name = path, .descriptor = -1, .place = {.folder = -1}};
    if (strcmp(path, "-") == 0) {
        t->name = "standard output";
        t->descriptor = STDOUT_FILENO;
        return TOOL_OK;
    }
    if (!place_is_special(path))
        return open_replacement(t, path);
    t->descriptor = place_open_special(path);
    return t->descriptor < 0 ? fail(t) : TOOL_OK;
}

bool target_write(const target *t, const void *bytes, size_t size)
{
    return scratch_write(t->descriptor, bytes, size);
}

/* A file without a name gets a temporary one: only a rename replaces. */
static bool give_name(target *t)
{
    if (t->is_named)
        return true;
    t->is_named = scratch_link(t->descriptor, t->place.folder, t->temporary);
    if (t->is_named)
        guard_name(t->place.folder, t->temporary);
    return t->is_named;
}

static bool close_descriptor(target *t)
{
    return t->descriptor < 0 || t->descriptor == STDOUT_FILENO ||
           close(t->descriptor) == 0;
}

static bool put_in_place(const target *t)
{
    const place *p = &t->place;
    return renameat(p->folder, t->temporary, p->folder, p->name) == 0;
}

/* While signals are held: the file in its place, or nothing left of it. One that
   was noted, where they are, ends it too. */
static int close_replacement(target *t, int status)
{
    if (status == TOOL_OK && interrupt_signal() != 0)
        status = interrupt_status(interrupt_signal());
    if (status == TOOL_OK && !give_name(t))
        status = fail(t);
    if (!close_descriptor(t) && status == TOOL_OK)
        status = fail(t);
    if (status == TOOL_OK && !put_in_place(t))
        status = fail(t);
    if (status != TOOL_OK && t->is_named)
        unlinkat(t->place.folder, t->temporary, 0);
    guard_name(-1, NULL);
    return status;
}

int target_close(target *t, int status)
{
    if (status == TOOL_OK && fsync(t->descriptor) != 0 && errno != EINVAL &&
        errno != EROFS)
        status = fail(t);
    if (!t->is_replaced)
        return close_descriptor(t) || status != TOOL_OK ? status : fail(t);
    guard_hold();
    status = close_replacement(t, status);
    guard_release();
    guard_end();
    /* The folder knows of a new name only once it is on the disk too. */
    if (status == TOOL_OK)
        (void)fsync(t->place.folder);
    place_close(&t->place);
    return status;
}

int target_write_file(const char *path, const void *bytes, size_t size)
{
    target t;
    const int status = target_open(&t, path);
    if (status != TOOL_OK)
        return status;
    return target_close(&t, target_write(&t, bytes, size) ? TOOL_OK : fail(&t));
}
