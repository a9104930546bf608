/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of what a unit of kernels exports, the only ones that tell units apart:
   spgemm_plus_times_f64_i32_avx512 is the table of plus_times, where UNIT is
   f64_i32_avx512. */
#ifndef SPGEMM_KERNELS_ROW_UNIT_TABLE_H
#define SPGEMM_KERNELS_ROW_UNIT_TABLE_H

#define UNIT_TABLE(name)             UNIT_TABLE_OF(name, UNIT)
#define UNIT_TABLE_OF(name, unit)    UNIT_TABLE_PASTE(name, unit)
#define UNIT_TABLE_PASTE(name, unit) spgemm_##name##_##unit

#endif
