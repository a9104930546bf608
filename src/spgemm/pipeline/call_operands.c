/* SPDX-License-Identifier: BSD-3-Clause */
/* A and B of a call: narrowed, transformed, checked, and what of their patterns the
   kernels can use. */
#include <string.h>

#include "common/refusal.h"
#include "common/timer.h"
#include "common/try.h"
#include "kernels/row/limits.h"
#include "spgemm/pipeline/call.h"
#include "values/traits.h"

/* Whether an operand needs no check. */
static bool is_trusted(const call *c, bool is_made)
{
    return is_made || c->options.resources.input_check == SPGEMM_CHECK_NONE;
}

/* Whether nothing that rows of A and B have in common can be used, as is known
   beforehand: B's are in no order. */
static bool is_in_no_order(const call *c, const spgemm_csr *B, bool is_made)
{
    return is_trusted(c, is_made) && !(B->flags & SPGEMM_SORTED_ROWS);
}

/* One operand: checked, unless it was made, and analyzed, unless s is NULL or few rows
   of it are met; *is_sorted as far as it is known. */
static spgemm_status check_operand(call *c, const spgemm_csr *X, bool is_made,
                                   const char *name, analysis *s,
                                   bool *is_sorted)
{
    const bool is_unchecked = is_trusted(c, is_made);
    const int nthreads = c->options.resources.nthreads;
    spgemm_fault fault = {.operand = name};
    spgemm_status found = SPGEMM_SUCCESS;
    const bool is_met_alone = c->b_is_met_alone && X == c->copies.B;
    *is_sorted = X->flags & SPGEMM_SORTED_ROWS;
    if (s && !is_met_alone && X->nnz >= LOOKED_ENTRIES) {
        s->X = X;
        s->m = &c->m;
        s->kernels = c->kernels;
        found = spgemm_analyze(s, is_unchecked, nthreads, is_sorted, &fault);
    } else if (!is_unchecked) {
        found = is_met_alone ? spgemm_csr_check_met(X, c->copies.A, nthreads,
                                                    is_sorted, &fault)
                             : spgemm_csr_check_full(X, nthreads, NULL,
                                                     is_sorted, &fault);
    }
    if (found == SPGEMM_ERROR_STRUCTURE)
        c->report.fault = fault;
    return found;
}

/* Whether B has every entry, if its rows are sorted. */
static bool may_be_full(const spgemm_csr *B)
{
    int64_t all;
    return !__builtin_mul_overflow(B->nrows, B->ncols, &all) && B->nnz == all &&
           all > 0;
}

/* Rows of B from which it may be that few of them are met, and entries of A for each of
   them below which it is so. */
#define MANY_ROWS 16384
#define FEW_MET   0.125

/* Whether the product reads so few rows of B that to look at all its entries would take
   longer: these are checked alone, and nothing is looked for in others. A plan pays for
   it once. Measured, one thread of a Zen 4, time of a product without over time with it,
   for rows of A and B and entries of each: 10 of 5 and 20000 of 3 3.6, of 30 6.4; 50 of
   20 and 200000 of 10 3.3; 2000 of 10 1.38, 2400 of 10 1.16. */
static bool meets_few(const call *c, const spgemm_csr *A, const spgemm_csr *B)
{
    return A != B && B != &c->copies.made_B && B->nrows >= MANY_ROWS &&
           (double)A->nnz < FEW_MET * (double)B->nrows && !c->is_repeated &&
           !may_be_full(B) && spgemm_call_reads_met_rows(c);
}

/* Whether products beside the mask are not summed. They are where B is taken as
   bitmap rows, since that is faster than to look columns up: not where so few of
   them are wanted that they are searched in B's rows. */
static bool masks_products(const call *c, const spgemm_csr *B)
{
    const spgemm_csr *mask = c->options.filter.mask;
    if (!call_is_masked(c))
        return false;
    if (c->ops.mask) /* it is decided */
        return !c->ops.epilogue || !c->ops.epilogue->mask;
    return c->options.product.user || mask_is_thin(mask, B);
}

/* Whether B is to be taken as bitmap rows: of trusted rows in no order, not even the
   columns are read. */
static bool takes_bitmaps_of(const call *c, const spgemm_csr *A,
                             const spgemm_csr *B)
{
    return !c->b_is_met_alone &&
           !is_in_no_order(c, B, B == &c->copies.made_B) &&
           A->nnz >= LOOKED_ENTRIES && B->nnz >= LOOKED_ENTRIES &&
           !masks_products(c, B) &&
           spgemm_takes_bitmaps(A, B, c->kernels, true, c->is_repeated);
}

/* Short rows of a pattern are soon computed: of the share of A's rows that repeat others
   they must be more for programs to pay. */
#define PATTERN_SHIFTED_SHARE 0.9

static bool shifts_pay(const call *c, const spgemm_csr *A,
                       const shift_pattern *shifts)
{
    if (!c->computes || shifts->period == 0)
        return false;
    return c->kernels->has_sums ||
           spgemm_csr_is_often_same(A, shifts->period, shifts->a_shift,
                                    PATTERN_SHIFTED_SHARE);
}

/* Rows that are alike, of the nodes of a grid with several unknowns each, repeat those
   of the node before as well: programs repeat them sooner than bitmap rows are added
   for all of a node, up to so many products a row, in the mean; not where a plan does
   it again and again. Measured, one thread of a Zen 4, AVX-512, A*A by bitmap rows over
   programs, for products a row: tridiagonal, of 2, 3, 4 unknowns (36, 81, 144) 2.3, 1.6,
   1.2; 5-point (99, 222, 395) 1.9, 1.3, 0.9; 7-point, 2 and 3 (182, 410) 1.4, 0.9; shells,
   2 and 3 (320, 719) 1.4, 0.8. AVX2 and portable 1.0 to 1.5 times as much. Complex:
   1.4, 1.0, 0.75; 1.2, 0.9, 0.6; 1.1, 0.8; 0.9. */
#define REPEATED_PRODUCTS         350.0
#define REPEATED_COMPLEX_PRODUCTS 100.0

/* Of A's rows, that are like the one before. */
#define ALIKE_SHARE 0.4

static bool repeats_nodes(const call *c, const spgemm_csr *A,
                          const spgemm_csr *B)
{
    const double most = spgemm_value_is_complex(A->value_type)
                            ? REPEATED_COMPLEX_PRODUCTS
                            : REPEATED_PRODUCTS;
    return !c->is_repeated && (double)A->nnz * (double)B->nnz <=
                                  most * (double)A->nrows * (double)B->nrows;
}

/* Whether rows of A that are alike are added together entry by entry, where B is not
   taken as bitmap rows. */
static bool adds_alike(const call *c, const spgemm_csr *A, const spgemm_csr *B)
{
    return c->computes && A->nnz >= LOOKED_ENTRIES && B->nnz > B->nrows &&
           spgemm_csr_is_often_same(A, 1, 0, ALIKE_SHARE);
}

/* How rows of A and B repeat, and what is to be looked for in each: of a full B, which
   rows of A are alike. */
static void begin_analyses(call *c, const spgemm_csr *A, const spgemm_csr *B)
{
    c->ops.shifts = (shift_pattern){0};
    if (may_be_full(B) && !adds_alike(c, A, B))
        return;
    const bool may_repeat = !call_is_masked(c) && !c->b_is_met_alone &&
                            A->nnz >= LOOKED_ENTRIES && A->nnz > A->nrows &&
                            B->nnz > B->nrows;
    const shift_pattern shifts =
        may_repeat ? spgemm_find_shift_pattern(A, B) : (shift_pattern){0};
    bool are_of_use = shifts_pay(c, A, &shifts);
    bool takes_bitmaps = takes_bitmaps_of(c, A, B);
    if (takes_bitmaps && are_of_use &&
        spgemm_csr_is_often_same(A, 1, 0, ALIKE_SHARE)) {
        takes_bitmaps = !repeats_nodes(c, A, B);
        are_of_use = !takes_bitmaps;
    }
    c->ops.shifts = shifts;
    c->of_A.wants_same = takes_bitmaps || (!are_of_use && adds_alike(c, A, B));
    c->of_A.wants_bitmaps = takes_bitmaps && A == B;
    c->of_A.period = are_of_use ? shifts.period : 0;
    c->of_A.shift = shifts.a_shift;
    c->of_B.wants_same = takes_bitmaps;
    c->of_B.wants_bitmaps = takes_bitmaps;
    c->of_B.period = are_of_use ? shifts.a_shift : 0;
    c->of_B.shift = shifts.b_shift;
}

static spgemm_status check_operands(call *c)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const operand_copies *made = &c->copies;
    const spgemm_csr *A = made->A;
    const spgemm_csr *B = made->B;
    const bool is_of_use =
        !made->b_is_counted && !is_in_no_order(c, B, B == &made->made_B);
    bool is_sorted;
    c->of_A.is_brief = c->narrows_later;
    c->of_B.is_brief = c->narrows_later;
    c->b_is_met_alone = meets_few(c, A, B);
    if (!c->narrows_later && !made->b_is_counted)
        begin_analyses(c, A, B);
    SPGEMM_TRY(check_operand(c, A, A == &made->made_A, name_of_left(&c->names),
                             is_of_use ? &c->of_A : NULL, &is_sorted));
    c->a_is_sorted = is_sorted;
    if (A != B)
        SPGEMM_TRY(check_operand(c, B, B == &made->made_B,
                                 name_of_right(&c->names),
                                 is_of_use ? &c->of_B : NULL, &is_sorted));
    c->ops.b_is_sorted = is_sorted;

cleanup:
    return status;
}

/* A alone, and nothing is looked for before B is there. */
static spgemm_status check_left(call *c)
{
    const spgemm_csr *A = c->copies.A;
    return check_operand(c, A, A == &c->copies.made_A, name_of_left(&c->names),
                         NULL, &c->a_is_sorted);
}

static spgemm_status prepare_operands(call *c, const entry_point *self,
                                      const spgemm_csr *A, const spgemm_csr *B,
                                      bool needs_values)
{
    const operand_needs needs = {.values = needs_values,
                                 .counts_alone =
                                     spgemm_call_may_count_b(c, self)};
    const spgemm_status status =
        spgemm_operands_make(&c->copies, A, B, &c->names, &c->options, needs,
                             &c->report.fault, &c->m);
    if (c->copies.A != A || c->copies.B != B)
        c->report.operands_seconds = timer_lap(&c->lap_seconds);
    return status;
}

/* The fault of a narrowed operand, as it was given. */
static spgemm_status blame(call *c, const spgemm_csr *A, const spgemm_csr *B)
{
    const char *name = c->report.fault.operand;
    const bool is_A = strcmp(name, name_of_left(&c->names)) == 0;
    spgemm_fault fault = {.operand = name};
    bool is_sorted;
    const spgemm_status status = spgemm_csr_check_full(
        is_A ? A : B, c->options.resources.nthreads, NULL, &is_sorted, &fault);
    c->report.fault = fault;
    return status;
}

/* A and B narrowed, transformed, and checked. */
spgemm_status spgemm_call_take_operands(call *c, const entry_point *self,
                                        const spgemm_csr *A,
                                        const spgemm_csr *B, bool narrows,
                                        bool needs_values)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const spgemm_csr *left = A;
    const spgemm_csr *right = B;
    if (narrows)
        SPGEMM_TRY(spgemm_narrow_make(&c->narrow, &left, &right,
                                      self->b_is_to_come,
                                      c->options.resources.nthreads, &c->m));
    SPGEMM_TRY(prepare_operands(c, self, left, right, needs_values));
    SPGEMM_TRY(self->b_is_to_come ? check_left(c) : check_operands(c));

cleanup:
    return status == SPGEMM_ERROR_STRUCTURE && narrows ? blame(c, A, B)
                                                       : status;
}

/* What was found of the operands, as far as the kernels can use it. */
void spgemm_call_use_analyses(call *c)
{
    const analysis *of_B = c->ops.A == c->ops.B ? &c->of_A : &c->of_B;
    if (!c->ops.b_is_sorted)
        return;
    c->ops.b_is_full = may_be_full(c->ops.B);
    c->ops.b_is_single = of_B->is_single;
    c->ops.scales_columns = of_B->increases && c->a_is_sorted;
    c->ops.scales_rows = c->of_A.is_single;
    c->ops.a_same_as_previous = c->of_A.same;
    if (of_B->bitmaps.row) {
        c->ops.b_bitmaps = &of_B->bitmaps;
        c->ops.b_same_as_previous = of_B->same;
    }
    /* Rows that may be repeated are sorted, wanted or not, and on any CPU. */
    c->ops.sort_rows |= c->ops.shifts.period > 0;
    if (!c->ops.mask && c->of_A.next && of_B->next) {
        c->ops.a_shifted = c->of_A.next;
        c->ops.b_shifted = of_B->next;
    }
}

spgemm_status spgemm_call_analyze(call *c)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const spgemm_csr *A = c->ops.A;
    const spgemm_csr *B = c->ops.B;
    const bool is_of_use = !is_in_no_order(c, B, true);
    bool is_sorted;
    spgemm_analysis_clear(&c->of_A);
    spgemm_analysis_clear(&c->of_B);
    c->ops.b_is_full = false;
    c->ops.b_is_single = false;
    c->ops.scales_columns = false;
    c->ops.scales_rows = false;
    c->ops.b_bitmaps = NULL;
    c->ops.a_same_as_previous = NULL;
    c->ops.b_same_as_previous = NULL;
    c->ops.a_shifted = NULL;
    c->ops.b_shifted = NULL;
    begin_analyses(c, A, B);
    SPGEMM_TRY(check_operand(c, A, true, NULL, is_of_use ? &c->of_A : NULL,
                             &is_sorted));
    if (A != B)
        SPGEMM_TRY(check_operand(c, B, true, NULL, is_of_use ? &c->of_B : NULL,
                                 &is_sorted));
    c->ops.b_is_sorted = is_sorted;
    spgemm_call_use_analyses(c);

cleanup:
    c->report.check_seconds += timer_lap(&c->lap_seconds);
    return status;
}
