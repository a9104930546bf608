/* SPDX-License-Identifier: BSD-3-Clause */
/* No values: the pattern of a product, and its counts. */
#define VAL uint8_t
#define VALUE_IS_BOOL
#define HAS_VALUES 0
