/* SPDX-License-Identifier: BSD-3-Clause */
/* The failure that a reader of an archive tells first. */
#include "members.h"

#include <stdarg.h>
#include <stdio.h>

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
