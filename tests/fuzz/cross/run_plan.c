/* SPDX-License-Identifier: BSD-3-Clause */
/* A plan, and repetitions of it: with other values, other patterns, another C. */
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "build_csr.h"
#include "draw.h"
#include "reference_form.h"
#include "run.h"
#include "scalars.h"

/* A plan and the C that it made. */
typedef struct planned {
    spgemm_plan *plan;
    spgemm_csr C;
    int64_t *rowptr; /* copies of C's arrays, as they must stay */
    char *colidx;
    size_t limit_bytes; /* of memory, which the plan keeps */
} planned;

static size_t index_bytes(const spgemm_csr *X)
{
    return (size_t)X->nnz * (X->index_type == SPGEMM_I64 ? 8 : 4);
}

static size_t rowptr_bytes(const spgemm_csr *X)
{
    return ((size_t)X->nrows + 1) * sizeof *X->rowptr;
}

/* ---- Create -------------------------------------------------------------- */

/* The call, given structs of operands that are gone after it. */
static spgemm_status create_of_lent(crossing *x, planned *p,
                                    spgemm_report *report)
{
    const bool is_square = x->A == x->B;
    spgemm_csr *const lent = malloc(2 * sizeof *lent);
    if (x->A)
        lent[0] = *x->A;
    if (x->B)
        lent[1] = *x->B;
    const spgemm_csr *A = x->A ? lent : NULL;
    const spgemm_csr *B = x->B ? lent + 1 : NULL;
    /* C may be wrong in that it is one of them. */
    const spgemm_status status =
        x->wrong_output
            ? spgemm_plan_create(&p->plan, output_of(x, &p->C), x->A, x->B,
                                 options_of(x), report)
            : spgemm_plan_create(&p->plan, &p->C, A, is_square ? A : B,
                                 options_of(x), report);
    free(lent);
    return status;
}

static spgemm_status create(crossing *x, const causes *c,
                            const spgemm_csr *want, planned *p, tally *t)
{
    spgemm_csr untouched;
    spgemm_report report;
    spgemm_plan *const nothing = (spgemm_plan *)(uintptr_t)0x3c3c;
    memset(&untouched, 0x3c, sizeof untouched);
    p->C = untouched;
    p->plan = nothing;
    x->entry = ENTRY_PLAN;
    p->limit_bytes =
        options_of(x) ? x->args->options.resources.memory_limit_bytes : 0;
    const before b = expect_begin(x);
    const spgemm_status status =
        create_of_lent(x, p, x->has_report ? &report : NULL);
    tally_call(t, x, status, x->has_report ? &report : NULL);
    if (!expect_status(x, c, status, &b))
        return status;
    if (status == SPGEMM_SUCCESS) {
        spgemm_csr got = copy_typed(&p->C);
        expect_entries(x, &got, want);
        free_csr(&got);
    }
    if (!x->wrong)
        expect_report(x, &report, status, want, &b);
    if (status < 0 && (memcmp(&p->C, &untouched, sizeof untouched) != 0 ||
                       p->plan != nothing))
        cross_fails(x, "C", "or the plan was written to, status %d",
                    (int)status);
    return status;
}

/* C as it came: an order of its rows, if they are not sorted, included. */
static void remember(planned *p)
{
    p->rowptr = arena_take(rowptr_bytes(&p->C));
    p->colidx = arena_take(index_bytes(&p->C));
    memcpy(p->rowptr, p->C.rowptr, rowptr_bytes(&p->C));
    if (p->C.nnz > 0)
        memcpy(p->colidx, p->C.colidx, index_bytes(&p->C));
}

static bool has_its_pattern(const planned *p)
{
    return memcmp(p->rowptr, p->C.rowptr, rowptr_bytes(&p->C)) == 0 &&
           (p->C.nnz == 0 ||
            memcmp(p->colidx, p->C.colidx, index_bytes(&p->C)) == 0);
}

/* ---- Changes ------------------------------------------------------------- */

/* Other values of everything that has some. */
static void change_values(crossing *x)
{
    dice *d = &x->dice;
    const spgemm_options *o = &x->args->options;
    const value_kind kind = one_in(d, 4) ? VALUES_SPECIAL : VALUES_INTEGER;
    draw_new_values(d, &x->args->A, kind);
    draw_new_values(d, &x->args->B, kind);
    if (o->product.D)
        draw_new_values(d, &x->args->D, kind);
    if (o->filter.mask)
        draw_new_values(d, &x->args->mask, kind);
}

/* The pattern of one operand, or a list. */
static void change_operands(crossing *x)
{
    dice *d = &x->dice;
    const spgemm_options *o = &x->args->options;
    int64_t *list = NULL;
    switch (dice_below(d, 6)) {
    case 0:
        if (o->filter.mask)
            draw_another_pattern(d, &x->args->mask);
        break;
    case 1:
        if (o->product.D)
            draw_another_pattern(d, &x->args->D);
        break;
    case 2:
        list = (int64_t *)(uintptr_t)o->product.rows;
        if (list)
            list[dice_below(d, o->product.nrows)] =
                one_in(d, 3) ? dice_below(d, 100) - 10
                             : list[dice_below(d, o->product.nrows)];
        break;
    case 3:
        list = (int64_t *)(uintptr_t)o->product.cols;
        if (list)
            list[dice_below(d, o->product.ncols)] += dice_below(d, 5) - 2;
        break;
    case 4:
        draw_another_pattern(d, &x->args->B);
        break;
    default:
        draw_another_pattern(d, &x->args->A);
    }
}

static int64_t draw_number(dice *d)
{
    static const int64_t numbers[] = {0, -1, 1, INT32_MAX, -5000000, 1000};
    return numbers[dice_below(d, 6)];
}

/* One member, or one number in an array, of C. */
static void change_c(dice *d, spgemm_csr *C)
{
    const int64_t p = C->nnz > 0 ? dice_below(d, C->nnz) : 0;
    switch (dice_below(d, 10)) {
    case 0:
        C->rowptr[dice_below(d, C->nrows + 1)] += dice_below(d, 11) - 5;
        break;
    case 1:
        C->rowptr[dice_below(d, C->nrows + 1)] = draw_number(d);
        break;
    case 2:
        C->nrows += dice_below(d, 3) - 2;
        break;
    case 3:
        C->ncols += C->ncols < INT64_MAX ? 1 : -1;
        break;
    case 4:
        C->nnz -= 1;
        break;
    case 5:
        C->value_type =
            C->value_type == SPGEMM_BOOL ? SPGEMM_INT32 : SPGEMM_BOOL;
        break;
    case 6: /* two entries change places */
        if (C->nnz > 1) {
            const int64_t j = column_of(C, p);
            set_column_of(C, p, column_of(C, 0));
            set_column_of(C, 0, j);
        }
        break;
    default:
        if (C->nnz > 0)
            set_column_of(
                C, p, one_in(d, 2) ? draw_number(d) : dice_below(d, C->ncols));
    }
}

/* ---- Repeat -------------------------------------------------------------- */

static spgemm_status repeat(crossing *x, planned *p, const causes *c, tally *t)
{
    spgemm_report report;
    causes all = *c;
    if (p->limit_bytes > 0)
        all.may |= status_bit(SPGEMM_ERROR_MEMORY_LIMIT);
    x->entry = ENTRY_REPEAT;
    const before b = expect_begin(x);
    const spgemm_status status = spgemm_plan_repeat(
        p->plan, &p->C, x->A, x->B, x->has_report ? &report : NULL);
    tally_call(t, x, status, x->has_report ? &report : NULL);
    if (expect_status(x, &all, status, &b))
        expect_report(x, &report, status, &p->C, &b);
    if (!x->wrong && x->heap->live != b.live)
        cross_fails(x, "leak", "%ld blocks", x->heap->live - b.live);
    return status;
}

static void expect_repeated(crossing *x, const planned *p)
{
    spgemm_csr want = reference_form(x->A, x->B, &x->args->options);
    spgemm_csr got = copy_typed(&p->C);
    expect_entries(x, &got, &want);
    free_csr(&got);
    free_csr(&want);
}

static void shifted_values(crossing *x, planned *p, tally *t)
{
    const causes none = {0};
    change_values(x);
    const spgemm_status status = repeat(x, p, &none, t);
    if (!x->wrong && !has_its_pattern(p))
        cross_fails(x, "plan", "the pattern of C was written to");
    if (!x->wrong && status == SPGEMM_SUCCESS)
        expect_repeated(x, p);
}

/* Refused as another pattern; or what is asked for has the pattern of C. */
static void repeat_operands(crossing *x, planned *p, tally *t)
{
    const causes may = {.may = status_bit(SPGEMM_ERROR_PATTERN) |
                               status_bit(SPGEMM_ERROR_INVALID)};
    change_operands(x);
    const spgemm_status status = repeat(x, p, &may, t);
    if (x->wrong || status < 0)
        return;
    if (causes_of(x).must)
        cross_fails(x, "plan", "other operands, which are wrong, are taken");
    else
        expect_repeated(x, p);
}

static bool is_same_header(const spgemm_csr *x, const spgemm_csr *y)
{
    return x->nrows == y->nrows && x->ncols == y->ncols && x->nnz == y->nnz &&
           x->value_type == y->value_type;
}

static void repeat_into_another(crossing *x, planned *p, tally *t)
{
    const causes pattern = {.must = status_bit(SPGEMM_ERROR_PATTERN),
                            .may = status_bit(SPGEMM_ERROR_INVALID)};
    const causes none = {0};
    const spgemm_csr C = p->C;
    change_c(&x->dice, &p->C);
    p->C.nrows = p->C.nrows < 0 ? 0 : p->C.nrows;
    const spgemm_csr changed = p->C;
    p->C = C;
    const bool is_changed =
        !is_same_header(&C, &changed) || !has_its_pattern(p);
    p->C = changed;
    repeat(x, p, is_changed ? &pattern : &none, t);
    p->C = C;
    memcpy(C.rowptr, p->rowptr, rowptr_bytes(&C));
    if (C.nnz > 0)
        memcpy(C.colidx, p->colidx, index_bytes(&C));
}

/* A few repetitions; what changes an operand comes last. */
static void repeat_some(crossing *x, planned *p, tally *t)
{
    dice *d = &x->dice;
    for (int64_t left = dice_below(d, 3); left > 0 && !x->wrong; left--)
        shifted_values(x, p, t);
    if (!x->wrong && one_in(d, 2))
        repeat_into_another(x, p, t);
    expect_disarm(x);
    if (!x->wrong && one_in(d, 2))
        shifted_values(x, p, t);
    if (!x->wrong && one_in(d, 2))
        repeat_operands(x, p, t);
}

void run_plan(crossing *x, const causes *c, const spgemm_csr *want, tally *t)
{
    planned p;
    spgemm_status status = create(x, c, want, &p, t);
    if (!x->wrong && status < 0 && !c->must && !c->may) {
        expect_disarm(x);
        status = create(x, c, want, &p, t);
    }
    if (status < 0)
        return;
    if (!x->wrong) {
        remember(&p);
        repeat_some(x, &p, t);
    }
    spgemm_plan_destroy(p.plan);
    spgemm_csr_destroy(&p.C);
}
