/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a path leads, through links: to a name that a file is put under, or to
   what is written as it is, a pipe, a device or an open descriptor. */
#ifndef TOOLS_PLACE_H
#define TOOLS_PLACE_H

#include <stdbool.h>
#include <sys/stat.h>

typedef struct place {
    int folder;       /* descriptor */
    char *name;       /* in it */
    bool is_there;    /* a file has that name */
    struct stat file; /* then */
} place;

/** Whether a path is written as it is. */
bool place_is_special(const char *path);

/** The place of a path that is not special. false: errno says why there is
    none. On success to be closed. */
bool place_open(place *p, const char *path);
void place_close(place *p);

/** A descriptor to write what is special to; -1: errno says why not. */
int place_open_special(const char *path);

/** Whether a path, or "-", is what standard output is. */
bool place_is_standard_output(const char *path);

/** Whether two paths, or "-" for standard output and input, are one and the
    same regular file. */
bool place_is_same(const char *output, const char *input);

#endif
