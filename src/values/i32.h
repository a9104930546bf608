/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of 32 bits: integers. */
#define VALUE_NAME "int32"
#define VAL        int32_t
#define UNSIGNED   uint32_t
#define LEAST      INT32_MIN
#define MOST       INT32_MAX
#define VALUE_IS_INTEGER
