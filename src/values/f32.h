/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of 32 bits: real numbers. */
#define VALUE_NAME "float"
#define VAL        float
#define VALUE_IS_REAL
