/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of twice 64 bits: complex numbers. */
#include <complex.h>
#define VALUE_NAME   "complex double"
#define VAL          double _Complex
#define COMPLEX      CMPLX
#define REAL(x)      creal(x)
#define IMAGINARY(x) cimag(x)
#define VALUE_IS_COMPLEX
