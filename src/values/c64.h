/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of twice 64 bits: complex numbers. */
#include <complex.h>
#define VALUE_NAME "complex double"
#define VAL        double _Complex
/* gcc and clang: glibc has no CMPLX() for the latter. */
#define COMPLEX(re, im) __builtin_complex(re, im)
#define REAL(x)         creal(x)
#define IMAGINARY(x)    cimag(x)
#define VALUE_IS_COMPLEX
