/* SPDX-License-Identifier: BSD-3-Clause */
/* Sentences about a text that was refused. */
#include "io/mtx_error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/refusal.h"

spgemm_status spgemm_mtx_fail(spgemm_mtx_error *error, spgemm_status status,
                              int64_t line, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    error->line = line;
    vsnprintf(error->text, sizeof error->text, format, list);
    va_end(list);
    /* Of a source's own words, which may have several lines. */
    for (char *c = error->text; *c; c++)
        if (*c == '\n' || *c == '\r')
            *c = ' ';
    return status;
}

spgemm_status spgemm_mtx_end(spgemm_status status, spgemm_mtx_error *reason,
                             spgemm_mtx_error *error)
{
    if (status < 0 && !reason->text[0])
        spgemm_mtx_fail(reason, status, 0, "%s", spgemm_status_string(status));
    if (error)
        *error = *reason;
    if (status < 0 && reason->line > 0)
        spgemm_refuse(status, "line %" PRId64 ": %.200s", reason->line,
                      reason->text);
    else if (status < 0)
        spgemm_refuse(status, "%s", reason->text);
    return spgemm_refusal_end(status);
}

const char *spgemm_mtx_quote(char quote[MTX_QUOTE_BYTES], const char *begin,
                             const char *end)
{
    static const char ellipsis[] = "...";
    const size_t room = MTX_QUOTE_BYTES - sizeof ellipsis;
    const size_t length = (size_t)(end - begin);
    const size_t kept = length < room ? length : room;
    for (size_t c = 0; c < kept; c++)
        quote[c] = begin[c] >= ' ' && begin[c] <= '~' ? begin[c] : '?';
    strcpy(quote + kept, kept < length ? ellipsis : "");
    return quote;
}
