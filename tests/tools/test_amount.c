/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as people read them, where they change their unit or their digits. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "amount.h"

#define EXPECT(call, wanted)                                                   \
    do {                                                                       \
        char text[AMOUNT_BYTES];                                               \
        cr_expect_str_eq(call, wanted, "%s is %s", #call, text);               \
    } while (0)

Test(amount, counts_by_thousands)
{
    EXPECT(amount_count(text, 0), "0");
    EXPECT(amount_count(text, 999), "999");
    EXPECT(amount_count(text, 1000), "1,000");
    EXPECT(amount_count(text, -123456), "-123,456");
    EXPECT(amount_count(text, INT64_MIN), "-9,223,372,036,854,775,808");
}

Test(amount, bytes_by_three_digits)
{
    EXPECT(amount_bytes(text, 0), "0 B");
    EXPECT(amount_bytes(text, 999), "999 B");
    EXPECT(amount_bytes(text, 999.6), "1.00 kB");
    EXPECT(amount_bytes(text, 9994), "9.99 kB");
    EXPECT(amount_bytes(text, 9996), "10.0 kB");
    EXPECT(amount_bytes(text, 99960), "100 kB");
    EXPECT(amount_bytes(text, 999400), "999 kB");
    EXPECT(amount_bytes(text, 999600), "1.00 MB");
    EXPECT(amount_bytes(text, 1.5e9), "1.50 GB");
    EXPECT(amount_bytes(text, 3e18), "3000 PB");
}

Test(amount, seconds)
{
    EXPECT(amount_seconds(text, 0), "0.00 us");
    EXPECT(amount_seconds(text, 999.4e-6), "999 us");
    EXPECT(amount_seconds(text, 999.6e-6), "1.00 ms");
    EXPECT(amount_seconds(text, 0.9996), "1.00 s");
    EXPECT(amount_seconds(text, 1234), "1234 s");
}

Test(amount, percent)
{
    EXPECT(amount_percent(text, 0), "+0.00");
    EXPECT(amount_percent(text, -99.994), "-99.99");
    EXPECT(amount_percent(text, 99.996), "+100");
    EXPECT(amount_percent(text, 1234.5), "+1234");
    EXPECT(amount_percent(text, (double)NAN), "-");
}
