/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of 64 bits: real numbers. */
#define VALUE_NAME "double"
#define VAL        double
#define VALUE_IS_REAL
