/* SPDX-License-Identifier: BSD-3-Clause */
/* The two operators of one semiring, in the names that kernels use. */
#ifndef SPGEMM_SEMIRING_OPERATORS_OF_SEMIRING_H
#define SPGEMM_SEMIRING_OPERATORS_OF_SEMIRING_H

/* Where a sum begins; what a window holds while nothing was added, and how its
   sums leave it. */
#define ZERO           PASTE(IDENTITY_, SEMIRING_ADD)
#define UNTOUCHED      PASTE(UNTOUCHED_, SEMIRING_ADD)
#define LEAVE(x)       PASTE(LEAVE_, SEMIRING_ADD)(x)
#define LEAVE_LANES(x) PASTE(LEAVE_LANES_, SEMIRING_ADD)(x)
#define AS_TERM(x)     PASTE(AS_TERM_, SEMIRING_ADD)(x)

/* Values that are not read need not be there. */
#if PASTE(READS_A_, SEMIRING_MUL) && HAS_VALUES
#define READS_A 1
#else
#define READS_A 0
#endif
#if PASTE(READS_B_, SEMIRING_MUL) && HAS_VALUES
#define READS_B 1
#else
#define READS_B 0
#endif

static ALWAYS_INLINE VAL semiring_add(VAL x, VAL y)
{
    return PASTE(op_, SEMIRING_ADD)(x, y);
}

static ALWAYS_INLINE VAL semiring_multiply(VAL x, VAL y)
{
    return PASTE(op_, SEMIRING_MUL)(x, y);
}

static ALWAYS_INLINE VAL value_a(const VAL *Ax, int64_t p)
{
    return READS_A ? Ax[p] : (VAL)0;
}

/* The product of a with entry q of B. */
static ALWAYS_INLINE VAL product(VAL a, const VAL *Bx, int64_t q)
{
    return semiring_multiply(a, READS_B ? Bx[q] : (VAL)0);
}

#if defined(LANES)
static ALWAYS_INLINE lanes semiring_add_lanes(lanes x, lanes y)
{
    return PASTE(lanes_, SEMIRING_ADD)(x, y);
}

/* The products of a with `taken` lanes of b; elsewhere what changes no sum. */
static ALWAYS_INLINE lanes product_lanes(factor a, lanes b, unsigned taken)
{
    return lanes_keep(taken, PASTE(lanes_, SEMIRING_MUL)(a, b),
                      lanes_set(ZERO));
}
#endif

#endif
