/* SPDX-License-Identifier: BSD-3-Clause */
/* What a unit of kernels is compiled for, the same files once for each: CMake
   defines UNIT, its name; VALUE_H and VALUE_IS_<type>, the type of values; IDX,
   that of columns; the file itself SEMIRING, if it has one alone. */
#ifndef SPGEMM_KERNELS_ROW_UNIT_H
#define SPGEMM_KERNELS_ROW_UNIT_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "common/checked.h"
#include "common/compiler.h"
#include "common/slots.h"
#include "kernels/row/kernels.h"
#include "kernels/row/limits.h"
#include "kernels/row/prefetch.h"
#include "kernels/row/row_buffers.h"
#include "kernels/row/row_columns.h"
#include "kernels/simd/insert_key.h"
#include "kernels/simd/pack.h"

#include VALUE_H
#ifndef HAS_VALUES
#define HAS_VALUES 1
#endif

#include "kernels/row/unit_table.h"
#include "kernels/simd/lanes_of_type.h"
#include "semiring/operators_of_semiring.h"

/* A function that has loops for each semiring: inlined where there is one. */
#if defined(SEMIRING)
#define ROW_OF_SEMIRING ALWAYS_INLINE
#else
#define ROW_OF_SEMIRING NOINLINE
#endif

#if defined(__AVX2__) && !defined(LEAVES_AVX512) && defined(VALUE_IS_REAL)
#define LEAVES_AVX2
#include "kernels/simd/reals_avx2.h"
#endif

/* Where eight sums of a line can be compared and moved at once in AVX2. */
#if defined(LEAVES_AVX2) && defined(PLUS_TIMES)
#define LINES_AVX2
#endif

#endif
