/* SPDX-License-Identifier: BSD-3-Clause */
/* The row loops, compiled for each type and instruction set. */
#ifndef SPGEMM_KERNELS_ROW_KERNELS_H
#define SPGEMM_KERNELS_ROW_KERNELS_H

#include "common/checked.h"
#include "common/number_kind.h"
#include "cpu/features.h"
#include "kernels/row/output.h"
#include "kernels/row/scratch.h"
#include "matrix/bitmap_rows.h"
#include "matrix/shift_pattern.h"
#include "predict/prediction.h"
#include "spgemm/spgemm.h"

/* What becomes of a row of C after its products are summed. */
typedef struct epilogue {
    const void *alpha;      /* NULL: none */
    const void *beta;       /* NULL: none */
    const spgemm_csr *D;    /* its rows in order; NULL: none */
    const spgemm_csr *mask; /* of what was not masked before, or of all; NULL:
                               none */
    bool is_complement;
    bool drop_zeros;
    double drop_tolerance;   /* 0: none */
    int64_t keep_top;        /* 0: all */
    spgemm_top_order top_by; /* of complex values: magnitude */
} epilogue;

/* Whether entries may be dropped for their values alone. */
static inline bool epilogue_drops_by_value(const epilogue *f)
{
    return f->drop_zeros || f->drop_tolerance > 0;
}

/* What every row of one product shares. */
typedef struct operands {
    const spgemm_csr *A;
    const spgemm_csr *B;
    const spgemm_csr *middle;     /* C = A (middle B); NULL: C = A B */
    spgemm_index_type index_type; /* of C; A and B may have narrower columns */
    size_t value_size;            /* bytes of a value of C; 0: it has none */
    number_kind numbers;          /* what these are */
    const spgemm_csr *mask; /* C has entries only there; sorted. NULL: none */
    const spgemm_csr
        *by_columns; /* B', its rows in order as A's are: masked rows are
                                     dot products. NULL: they are not */
    const epilogue *epilogue; /* NULL: sums are what C has */
    const epilogue *kept; /* sums that its drops and keep_top leave out need not
                             be there; NULL: all are wanted */
    spgemm_semiring semiring;
    const spgemm_user_semiring *user; /* of SPGEMM_USER */
    bool b_is_sorted;
    bool b_is_single;    /* no row of B has two entries */
    bool scales_columns; /* and each lies right of those above; A is sorted */
    bool scales_rows;    /* no row of A has two entries; B is sorted */
    bool sort_rows;      /* of C */
    bool b_is_full;      /* B has every entry, and is sorted */
    const uint8_t
        *a_same_as_previous; /* [A->nrows] row i has the columns of row i - 1 */
    const uint8_t
        *b_same_as_previous;      /* [B->nrows]; NULL, both: few rows have */
    const bitmap_rows *b_bitmaps; /* NULL: B's columns are scattered */
    shift_pattern shifts;
    const uint8_t *a_shifted; /* [A->nrows] row i repeats row i - period */
    const uint8_t *b_shifted; /* [B->nrows] row k repeats row k - a_shift; NULL,
                                both: few rows do, or nobody can use it */
    const int64_t *products;  /* [A->nrows] */
    const uint16_t *row_class; /* [A->nrows], see prediction_class() */
    const prediction *prediction;
} operands;

/* Whether B is taken as a matrix in order of rows: not where rows of A that are alike
   are added together. */
static inline bool operands_take_full(const operands *ops)
{
    return ops->b_is_full && !ops->b_bitmaps;
}

/* Whether row k of B is its entry k. */
static inline bool operands_b_has_one_each(const operands *ops)
{
    return ops->b_is_single && ops->B->nnz == ops->B->nrows;
}

/* Rows [row_begin, row_end) of C or, of a giant row, the columns
   [col_begin, col_end). */
typedef struct row_range {
    int64_t row_begin;
    int64_t row_end;
    int64_t col_begin;
    int64_t col_end;
    int64_t parts; /* that the row is cut into; 0: whole rows. B is sorted */
    bool is_last;  /* of the parts of its row */
} row_range;

/* Entries of rows [begin, end) of D; 0: there is none. */
static inline int64_t operands_rows_of_d(const operands *ops, int64_t begin,
                                         int64_t end)
{
    const epilogue *f = ops->epilogue;
    return f && f->D ? f->D->rowptr[end] - f->D->rowptr[begin] : 0;
}

static inline int64_t operands_row_of_d(const operands *ops, int64_t i)
{
    return operands_rows_of_d(ops, i, i + 1);
}

/* nnz of row i of C at most. */
static inline int64_t operands_row_bound(const operands *ops, int64_t i)
{
    const epilogue *f = ops->epilogue;
    int64_t bound = min_i64(ops->products[i], ops->B->ncols);
    if (ops->mask)
        bound = min_i64(bound, ops->mask->rowptr[i + 1] - ops->mask->rowptr[i]);
    bound = min_i64(bound + operands_row_of_d(ops, i), ops->B->ncols);
    if (f && f->mask) {
        const int64_t there = f->mask->rowptr[i + 1] - f->mask->rowptr[i];
        bound =
            min_i64(bound, f->is_complement ? ops->B->ncols - there : there);
    }
    if (f && f->keep_top > 0)
        bound = min_i64(bound, f->keep_top);
    return bound;
}

/* C's rows to `out`. false: no memory. */
typedef bool numeric_fn(const operands *ops, const row_range *range, scratch *s,
                        output *out);

/* row_nnz[t - row_begin] = nnz of row t of C or, where rows is not NULL, of row
   rows[t], for t in [row_begin, row_end); in the columns of the range where it
   is a part. false: no memory. */
typedef bool symbolic_fn(const operands *ops, const int64_t *rows,
                         const row_range *range, scratch *s, int64_t *row_nnz);

/* next[i] = whether row i of X, not empty, has the columns of row i - period,
   each plus shift, for i in [begin, end). */
typedef void mark_next_fn(const spgemm_csr *X, int64_t begin, int64_t end,
                          int64_t period, int64_t shift, uint8_t *next);

/* Whether C has other entries than sums of products, or not all of them. */
static inline bool operands_have_form(const operands *ops)
{
    const epilogue *f = ops->epilogue;
    return ops->mask || (f && (f->D || f->mask));
}

/* Where the products of the rows of a range are added: for each of them, in the
   order of A's row and of B's rows, its entry of C's row, or their number where C
   has none for it. Behind those of a row, two bytes for each entry of D's. Whole
   rows, whose places lie side by side. */
typedef struct product_places {
    const uint8_t *width; /* [rows] bytes of a place, 1 or 2; 0: not placed */
    uint8_t *places;
} product_places;

/* Set in the place of an entry of D where there are no products; the others are
   below. */
#define PLACE_OF_D_ALONE 0x8000u

/* Columns of C that have a slot each while a row is placed; a row that spans more has
   a table. */
#define PLACED_COLUMNS ((int64_t)1 << 20)

/* Writes the places of the rows of a range of C that have a width.
   slots: [PLACED_COLUMNS], or as many as C has columns, of any content. */
typedef void place_fn(const operands *ops, const row_range *range,
                      const spgemm_csr *C, const product_places *to,
                      uint16_t *slots);

/* The values of the rows of a range, whole rows, of C, whose structure is there:
   to `values`, side by side. row_nnz: room for as many rows. Nothing is dropped
   by value. placed: NULL, or those of the range. false: no memory. */
typedef bool refill_fn(const operands *ops, const row_range *range, scratch *s,
                       const spgemm_csr *C, const product_places *placed,
                       void *values, int64_t *row_nnz);

/* Kernels of one type of values and of columns, and instruction set. */
typedef struct semiring_kernels {
    numeric_fn *numeric;
    refill_fn *refill;
    numeric_fn *chained; /* of ops->middle; NULL: none */
    double bitmap_fill_alone;
    int64_t sorted_products;
} semiring_kernels;

/* Those that read no values. */
typedef struct pattern_kernels {
    numeric_fn *numeric;
    numeric_fn *ones; /* and 1 for each entry */
    refill_fn *refill_ones;
    symbolic_fn *symbolic;
    numeric_fn *user; /* by a semiring of the caller */
    mark_next_fn *mark_next;
    place_fn *place;
    double bitmap_fill_alone;
    int64_t sorted_products;
} pattern_kernels;

/* Those of one product. */
typedef struct kernels {
    numeric_fn *numeric;
    refill_fn *refill;   /* NULL: numeric does it */
    numeric_fn *chained; /* of ops->middle; NULL: none */
    place_fn *place;     /* NULL: refill needs no places */
    symbolic_fn *symbolic;
    mark_next_fn *mark_next; /* NULL: a_shifted and b_shifted are of no use */
    bool has_sums;           /* false: they work on columns alone */
    /* Mean entries a byte from which bitmap rows of B pay for rows of A that are
       not alike. */
    double bitmap_fill_alone;
    /* Rows of so many products are sorted, whatever they are like; 0: none are. */
    int64_t sorted_products;
} kernels;

/* What a product has for values. */
typedef enum product_values {
    VALUES_NONE,
    VALUES_SUMS, /* the sums of its products, those of A B alone */
    VALUES_FORM  /* what alpha, D and drops make of these */
} product_values;

/** The kernels for values and columns of these types, here; false: not built. */
bool spgemm_kernels_select(kernels *k, spgemm_value_type value_type,
                           spgemm_index_type index_type,
                           spgemm_semiring semiring, product_values values,
                           isa which);

#endif
