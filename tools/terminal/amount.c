/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as people read them. */
#include "amount.h"

#include <math.h>
#include <stdio.h>

char *amount_count(char text[AMOUNT_BYTES], int64_t count)
{
    char digits[AMOUNT_BYTES];
    int used = 0;
    const int length =
        snprintf(digits, sizeof digits, "%lld", (long long)count);
    for (int c = 0; c < length; c++) {
        if (c > 0 && (length - c) % 3 == 0 && digits[c - 1] != '-')
            text[used++] = ',';
        text[used++] = digits[c];
    }
    text[used] = '\0';
    return text;
}

char *amount_threads(char text[AMOUNT_BYTES], int count)
{
    snprintf(text, AMOUNT_BYTES, "%d thread%s", count, count == 1 ? "" : "s");
    return text;
}

/* Three digits of x, in [1, 1000), before its unit. */
static char *with_unit(char text[AMOUNT_BYTES], double x, const char *unit)
{
    const int places = x < 9.995 ? 2 : x < 99.95 ? 1 : 0;
    snprintf(text, AMOUNT_BYTES, "%.*f %s", places, x, unit);
    return text;
}

char *amount_bytes(char text[AMOUNT_BYTES], double bytes)
{
    static const char *const units[] = {"kB", "MB", "GB", "TB", "PB"};
    enum { LAST = sizeof units / sizeof *units - 1 };
    int k = 0;
    if (bytes < 999.5) {
        snprintf(text, AMOUNT_BYTES, "%.0f B", bytes);
        return text;
    }
    for (bytes /= 1000; bytes >= 999.5 && k < LAST; k++)
        bytes /= 1000;
    return with_unit(text, bytes, units[k]);
}

char *amount_seconds(char text[AMOUNT_BYTES], double seconds)
{
    if (seconds < 0.9995e-3)
        return with_unit(text, 1e6 * seconds, "us");
    return seconds < 0.9995 ? with_unit(text, 1e3 * seconds, "ms")
                            : with_unit(text, seconds, "s");
}

char *amount_percent(char text[AMOUNT_BYTES], double percent)
{
    if (isnan(percent))
        snprintf(text, AMOUNT_BYTES, "-");
    else
        snprintf(text, AMOUNT_BYTES, "%+.*f", fabs(percent) < 99.995 ? 2 : 0,
                 percent);
    return text;
}
