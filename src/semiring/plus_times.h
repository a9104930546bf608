/* SPDX-License-Identifier: BSD-3-Clause */
/* Semiring (+, *, 0) over VAL. */
static inline VAL FN(add)(VAL x, VAL y)
{
    return x + y;
}
static inline VAL FN(mul)(VAL x, VAL y)
{
    return x * y;
}
