/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of twice 32 bits: complex numbers. */
#include <complex.h>
#define VALUE_NAME "complex float"
#define VAL        float _Complex
/* gcc and clang: glibc has no CMPLX() for the latter. */
#define COMPLEX(re, im) __builtin_complex(re, im)
#define REAL(x)         crealf(x)
#define IMAGINARY(x)    cimagf(x)
#define VALUE_IS_COMPLEX
