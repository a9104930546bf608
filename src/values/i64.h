/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of 64 bits: integers. */
#define VALUE_NAME "int64"
#define VAL        int64_t
#define UNSIGNED   uint64_t
#define LEAST      INT64_MIN
#define MOST       INT64_MAX
#define VALUE_IS_INTEGER
