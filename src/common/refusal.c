/* SPDX-License-Identifier: BSD-3-Clause */
/* Why the last call of this thread failed. */
#include "common/refusal.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char text[SPGEMM_REFUSAL_BYTES];

void spgemm_refusal_begin(void)
{
    text[0] = '\0';
}

spgemm_status spgemm_refuse(spgemm_status status, const char *format, ...)
{
    va_list list;
    if (text[0])
        return status;
    /* Numbers are not those of the caller's locale. */
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t callers = plain ? uselocale(plain) : (locale_t)0;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (plain) {
        uselocale(callers);
        freelocale(plain);
    }
    return status;
}

spgemm_status spgemm_refusal_end(spgemm_status status)
{
    if (status < 0)
        return spgemm_refuse(status, "%s", spgemm_status_string(status));
    text[0] = '\0';
    return status;
}

void spgemm_refusal_copy(char *to, spgemm_status status)
{
    if (status < 0)
        memcpy(to, text, sizeof text);
    else
        to[0] = '\0';
}

void spgemm_refusal_keep(char *copy)
{
    memcpy(copy, text, sizeof text);
}

void spgemm_refusal_restore(const char *copy)
{
    memcpy(text, copy, sizeof text);
}

const char *spgemm_error_text(void)
{
    return text;
}
