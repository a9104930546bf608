/* SPDX-License-Identifier: BSD-3-Clause */
/* The content of a matrix file. Text may be plain or packed: which, the content
   tells. */
#ifndef TOOLS_SOURCE_H
#define TOOLS_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "budget.h"
#include "members.h"

enum { SOURCE_HEAD_BYTES = 512, SOURCE_BANNER_BYTES = 256 };

typedef enum source_packing {
    SOURCE_PLAIN,
    SOURCE_GZIP,
    SOURCE_XZ,
    SOURCE_BZIP2,
    SOURCE_ZSTD,
    SOURCE_TAR /* not compressed */
} source_packing;

typedef struct source {
    int descriptor;
    budget limits;
    int64_t file_bytes;                    /* < 0: not known, a pipe */
    unsigned char head[SOURCE_HEAD_BYTES]; /* read to recognise the content */
    size_t head_length;
    size_t head_taken; /* bytes of it that were given out */
    members *packed;   /* NULL: plain text */
    int64_t text_bytes;
    char banner[SOURCE_BANNER_BYTES]; /* the begin of the text, behind blanks,
                                         ended by '\0' */
    size_t banner_length;
    spgemm_status status; /* of what failed */
    char why[256];        /* why it cannot be read */
} source;

/** Open a path, or standard input for "-". false: status and why tell why; it
    is to be closed all the same. */
bool source_open(source *s, const char *path, const budget *limits);
void source_close(source *s);

/** Whether it is a ZIP archive, which is not text: SciPy's .npz is one. */
bool source_is_zip(const source *s);

source_packing source_packing_of(const source *s);

/** A descriptor of the whole content, at its begin, that can be sought in;
    -1: source->why says why there is none. What comes through a pipe is put
    into a scratch file first. It is the source's. */
int source_seekable(source *s);

/** Bytes as they are in the file; 0: its end; -1: source->why says why not. */
ptrdiff_t source_read_file(source *s, void *buffer, size_t size);

/** To the begin of the file again; false: it is a pipe. */
bool source_rewind(source *s);

/** As spgemm_mtx_source.read and .error_text; context: the source. */
ptrdiff_t source_read(void *context, void *buffer, size_t size);
const char *source_why(void *context);

#endif
