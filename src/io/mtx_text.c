/* SPDX-License-Identifier: BSD-3-Clause */
/* Text in pieces of some MB, cut behind their last line break; what follows it
   is carried to the front of the next piece. No line is longer than a piece:
   compressed files may hold endless ones. */
#include "io/mtx_text.h"

#include <string.h>

#include "common/refusal.h"
#include "io/mtx_error.h"

#define PIECE_BYTES ((int64_t)16 << 20)

spgemm_status spgemm_mtx_text_init(mtx_text *text, memory *m,
                                   const spgemm_mtx_source *source)
{
    *text = (mtx_text){.m = m, .source = source};
    text->buffer = spgemm_memory_allocate(m, PIECE_BYTES + MTX_TEXT_MARGIN, 1);
    return text->buffer ? SPGEMM_SUCCESS : SPGEMM_ERROR_OUT_OF_MEMORY;
}

void spgemm_mtx_text_clear(mtx_text *text)
{
    if (text->buffer)
        spgemm_memory_release(text->m, text->buffer,
                              PIECE_BYTES + MTX_TEXT_MARGIN, 1);
    text->buffer = NULL;
}

/* The caller's functions may call the library: what they are refused is no reason of
   ours. */
static ptrdiff_t read_from(const spgemm_mtx_source *source, void *to, int64_t n)
{
    char refusal[SPGEMM_REFUSAL_BYTES];
    spgemm_refusal_keep(refusal);
    const ptrdiff_t got = source->read(source->context, to, (size_t)n);
    spgemm_refusal_restore(refusal);
    return got;
}

static const char *reason_of(const spgemm_mtx_source *source)
{
    char refusal[SPGEMM_REFUSAL_BYTES];
    if (!source->error_text)
        return "unknown reason";
    spgemm_refusal_keep(refusal);
    const char *why = source->error_text(source->context);
    spgemm_refusal_restore(refusal);
    return why ? why : "unknown reason";
}

/* Read until the buffer is full or the source ends. */
static spgemm_status fill(mtx_text *text, int64_t line, spgemm_mtx_error *error)
{
    while (!text->is_at_end && text->used < PIECE_BYTES) {
        const int64_t room = PIECE_BYTES - text->used;
        const ptrdiff_t got =
            read_from(text->source, text->buffer + text->used, room);
        if (got < 0 || got > room)
            return spgemm_mtx_fail(error, SPGEMM_ERROR_IO, line,
                                   "could not be read: %s",
                                   reason_of(text->source));
        text->is_at_end = got == 0;
        text->used += got;
        text->bytes += got;
    }
    return SPGEMM_SUCCESS;
}

/* Bytes of the byte order mark of UTF-8, which some editors put before a text. */
static int64_t mark_bytes(const mtx_text *text)
{
    static const char mark[] = "\xef\xbb\xbf";
    enum { LENGTH = sizeof mark - 1 };
    return text->used >= LENGTH && memcmp(text->buffer, mark, LENGTH) == 0
               ? LENGTH
               : 0;
}

spgemm_status spgemm_mtx_text_next(mtx_text *text, const char **begin,
                                   const char **end, int64_t line,
                                   spgemm_mtx_error *error)
{
    const bool is_first = text->bytes == 0;
    text->used -= text->piece;
    memmove(text->buffer, text->buffer + text->piece, (size_t)text->used);
    const spgemm_status status = fill(text, line, error);
    if (status < 0)
        return status;
    const char *last = memrchr(text->buffer, '\n', (size_t)text->used);
    if (!last && !text->is_at_end)
        return spgemm_mtx_fail(error, SPGEMM_ERROR_IO, line,
                               "a line is longer than %d MB",
                               (int)(PIECE_BYTES >> 20));
    text->piece = last ? last + 1 - text->buffer : 0;
    if (text->is_at_end && text->piece < text->used) {
        text->buffer[text->used++] = '\n';
        text->piece = text->used;
    }
    memset(text->buffer + text->used, 0, MTX_TEXT_MARGIN - 1);
    *begin = text->buffer + (is_first ? mark_bytes(text) : 0);
    *end = text->buffer + text->piece;
    return SPGEMM_SUCCESS;
}
