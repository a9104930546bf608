/* SPDX-License-Identifier: BSD-3-Clause */
/* What all semirings of one unit of kernels share: one value type, one index
   type, one instruction set. The unit has defined VALUE_H, VALUE_IS_ and
   INDEX_IS_ their names, and IDX. Included once a unit. */
#ifndef SPGEMM_SPGEMM_UNIT_H
#define SPGEMM_SPGEMM_UNIT_H

#include <stdbool.h>
#include <string.h>

#include "accumulate/choose.h"
#include "accumulate/insert_key.h"
#include "accumulate/lines.h"
#include "accumulate/pack.h"
#include "accumulate/select_largest.h"
#include "common/checked.h"
#include "common/compiler.h"
#include "common/slots.h"
#include "spgemm/kernels.h"
#include "spgemm/prefetch.h"
#include "spgemm/row_buffers.h"
#include "spgemm/row_columns.h"

#include VALUE_H
#ifndef HAS_VALUES
#define HAS_VALUES 1
#endif

#include "accumulate/lanes.tmpl.h"
#include "semiring/operators.tmpl.h"

#if defined(LEAVES_AVX512)
#include "accumulate/repeat_avx512.h"
#include "accumulate/tiny_avx512.h"
#elif defined(__AVX2__) && defined(VALUE_IS_f64)
#define LEAVES_AVX2
#include "accumulate/spread_avx2.h"
#endif

#endif
