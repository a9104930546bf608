/* SPDX-License-Identifier: BSD-3-Clause */
/* Links are followed one by one, each in the folder that it is in. Those of
   /proc, which /dev/stdout and /dev/fd lead to, stand for descriptors. */
#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { MOST_LINKS = 40 }; /* as Linux has it */

static bool is_descriptor(int folder)
{
    struct statfs system;
    return fstatfs(folder, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

/* The folder of a path, seen from another; one that may only be entered, too. */
static int open_folder(int from, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name =
        slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    if (!name)
        return -1;
    int folder = openat(from, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0 && errno == EACCES)
        folder = openat(from, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
    free(name);
    return folder;
}

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* From the folder `from` to the folder and the last name of `path`. */
static bool enter(place *p, int from, const char *path)
{
    char *name = strdup(last_name(path));
    const int folder = name ? open_folder(from, path) : -1;
    if (folder < 0) {
        free(name);
        return false;
    }
    place_close(p);
    p->folder = folder;
    p->name = name;
    return true;
}

/* false: no link. */
static bool read_link(const place *p, char text[PATH_MAX])
{
    const ssize_t length = readlinkat(p->folder, p->name, text, PATH_MAX - 1);
    if (length >= 0)
        text[length] = '\0';
    return length >= 0;
}

/* Whether a link may be a trap: a stranger's, in a folder like /tmp. Linux
   follows none of those either (fs.protected_symlinks). */
static bool is_trap(const place *p)
{
    struct stat folder;
    struct stat link;
    const mode_t shared = S_ISVTX | S_IWOTH;
    return fstat(p->folder, &folder) != 0 ||
           fstatat(p->folder, p->name, &link, AT_SYMLINK_NOFOLLOW) != 0 ||
           ((folder.st_mode & shared) == shared && link.st_uid != geteuid() &&
            link.st_uid != folder.st_uid);
}

/* Follow links; *descriptor: to one of /proc, where the place is then. */
static bool follow(place *p, const char *path, bool *descriptor)
{
    char text[PATH_MAX];
    *p = (place){.folder = -1};
    *descriptor = false;
    if (!enter(p, AT_FDCWD, path))
        return false;
    for (int links = 0; read_link(p, text); links++) {
        *descriptor = is_descriptor(p->folder);
        if (*descriptor)
            return true;
        errno = links == MOST_LINKS ? ELOOP : EACCES;
        if (links == MOST_LINKS || is_trap(p) || !enter(p, p->folder, text))
            return false;
    }
    return true;
}

bool place_is_special(const char *path)
{
    struct stat file;
    place p;
    bool descriptor = false;
    if (stat(path, &file) != 0)
        return false;
    if (!S_ISREG(file.st_mode))
        return true;
    follow(&p, path, &descriptor);
    place_close(&p);
    return descriptor;
}

bool place_open(place *p, const char *path)
{
    bool descriptor;
    if (!follow(p, path, &descriptor)) {
        const int why = errno;
        place_close(p);
        errno = why;
        return false;
    }
    p->is_there =
        fstatat(p->folder, p->name, &p->file, AT_SYMLINK_NOFOLLOW) == 0;
    return true;
}

void place_close(place *p)
{
    if (p->folder >= 0)
        close(p->folder);
    free(p->name);
    *p = (place){.folder = -1};
}

/* A descriptor of this process is written from where it stands. */
int place_open_special(const char *path)
{
    struct stat file;
    place p;
    bool descriptor;
    int opened = -1;
    if (follow(&p, path, &descriptor) && descriptor && stat(path, &file) == 0) {
        struct stat own;
        const int number = atoi(p.name);
        if (fstat(number, &own) == 0 && own.st_dev == file.st_dev &&
            own.st_ino == file.st_ino)
            opened = fcntl(number, F_DUPFD_CLOEXEC, 0);
    }
    place_close(&p);
    return opened >= 0 ? opened : open(path, O_WRONLY | O_CLOEXEC);
}

static bool find_file(struct stat *file, const char *path, int standard)
{
    const int failed =
        strcmp(path, "-") == 0 ? fstat(standard, file) : stat(path, file);
    return failed == 0 && S_ISREG(file->st_mode);
}

bool place_is_standard_output(const char *path)
{
    struct stat to;
    struct stat standard;
    if (strcmp(path, "-") == 0)
        return true;
    return stat(path, &to) == 0 && fstat(STDOUT_FILENO, &standard) == 0 &&
           to.st_dev == standard.st_dev && to.st_ino == standard.st_ino;
}

bool place_is_same(const char *output, const char *input)
{
    struct stat to;
    struct stat from;
    return find_file(&to, output, STDOUT_FILENO) &&
           find_file(&from, input, STDIN_FILENO) && to.st_dev == from.st_dev &&
           to.st_ino == from.st_ino;
}
