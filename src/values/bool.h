/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of a byte: true, 1, or false, 0. Of operands, all but 0 is true. */
#define VALUE_NAME "bool"
#define VAL        uint8_t
#define VALUE_IS_BOOL
