/* SPDX-License-Identifier: BSD-3-Clause */
/* What the three products and the prediction have in common: a checked call,
   with its memory, its clock and its report. */
#ifndef SPGEMM_SPGEMM_PIPELINE_CALL_H
#define SPGEMM_SPGEMM_PIPELINE_CALL_H

#include "kernels/row/kernels.h"
#include "matrix/csr.h"
#include "predict/predictor.h"
#include "spgemm/pipeline/analyze.h"
#include "spgemm/pipeline/check_options.h"
#include "spgemm/pipeline/epilogue.h"
#include "spgemm/pipeline/narrow.h"
#include "spgemm/pipeline/operands.h"
#include "spgemm/pipeline/progress.h"
#include "spgemm/pipeline/schedule.h"

/* A copy of columns, or of an operand, of so many bytes is made whatever C is. */
#define ANY_COPY_BYTES 8e6

typedef struct call {
    memory m;
    spgemm_options options;
    spgemm_report report;
    spgemm_report *wanted; /* the caller's, or NULL */
    operand_names names;
    double start_seconds;
    double lap_seconds;
    progress progress;
    size_t context_bytes; /* that the context holds of it */
    bool wants_rows;      /* nnz of each row is what the caller asked for */
    bool computes;        /* C, and not its size alone */
    bool a_is_sorted;     /* A's rows, as they were operand_copies */

    kernels selected;
    const kernels *kernels; /* those */
    bool is_repeated;       /* as its entry point */
    bool narrows_later;     /* what follows is empty until C is predicted */
    bool b_is_met_alone; /* of B, rows that A has entries for alone are read */
    narrow_operands narrow; /* A and B, where columns are narrowed */
    operand_copies copies;
    spgemm_csr sorted; /* B in order, by its row pointers, where that pays */
    spgemm_csr transposed; /* B, where rows of C are dot products */
    operands ops;          /* A and B as they were operand_copies */
    analysis of_A;
    analysis of_B; /* empty where B is A */
    epilogue_copies epilogue;
    product_counts counts;
    prediction prediction;
    schedule p;
    spgemm_csr made; /* C, until it is the caller's */
} call;

/** Whether C has entries only where a mask has some. */
static inline bool call_is_masked(const call *c)
{
    const spgemm_filter_options *filter = &c->options.filter;
    return filter->mask && !(filter->mask_mode & SPGEMM_MASK_COMPLEMENT);
}

/** What a call does with a team at hand. */
typedef spgemm_status team_steps(void *context);

/** Takes the steps with a team of `size` threads at hand, and returns as they do. */
spgemm_status spgemm_call_with_team(int size, team_steps *steps, void *context);

/** Threads of that team where nothing of A and B is checked (NULL, too): all, if
    their product seems worth them, or 1. */
int spgemm_call_team_of_unchecked(const spgemm_csr *A, const spgemm_csr *B,
                                  const spgemm_options *options);

/** Options, A and B checked, op(A)(rows, :) and op(B)(:, cols) made, kernels
    selected, all on behalf of `self`. */
spgemm_status spgemm_call_begin(call *c, const entry_point *self,
                                const spgemm_csr *A, const spgemm_csr *B,
                                const spgemm_options *options,
                                spgemm_report *report);

/** A and B narrowed, transformed and checked: c->copies, c->a_is_sorted and
    c->ops.b_is_sorted, and what was found of their patterns. */
spgemm_status spgemm_call_take_operands(call *c, const entry_point *self,
                                        const spgemm_csr *A,
                                        const spgemm_csr *B, bool narrows,
                                        bool needs_values);

/** Kernels for A and B, whose columns are narrowed or not; values, and a semiring, in
    c->ops. A prediction needs no values. */
spgemm_status spgemm_call_select_kernels(call *c, const spgemm_csr *A,
                                         const spgemm_csr *B, bool b_is_to_come,
                                         bool narrows, bool needs_values);

/** Those of the call's values and semiring for other types; false: not built. */
bool spgemm_call_find_kernels(const call *c, kernels *k, spgemm_value_type type,
                              spgemm_index_type columns);

/** Whether of B, to predict C, those rows alone are read that A has entries for. */
bool spgemm_call_reads_met_rows(const call *c);

/** Whether op(B) may be left without entries until it is known whether they are needed:
    spgemm_call_take_columns(). */
bool spgemm_call_may_count_b(const call *c, const entry_point *self);

/** c->ops.by_columns, if the rows of C, which is masked, are to be dot products; else the
    entries of B, if they were left out. The mask is ready.
    SPGEMM_ERROR_OUT_OF_MEMORY. */
spgemm_status spgemm_call_take_columns(call *c);

/** What was found, to c->ops. */
void spgemm_call_use_analyses(call *c);

/** What the kernels can use of the patterns of c->ops.A and c->ops.B, which are
    in order, and whose flags tell whether their rows are sorted; what was known
    of others is given back. */
spgemm_status spgemm_call_analyze(call *c);

/** Whether the columns of A and B, which are to be narrowed, are so many that C has
    to be predicted first. */
bool spgemm_call_narrows_later(const entry_point *self, const spgemm_csr *A,
                               const spgemm_csr *B,
                               const spgemm_options *options);

/** Then they are narrowed, if C is predicted to be large beside them, and analyzed;
    otherwise they stay as they are. SPGEMM_ERROR_OUT_OF_MEMORY. */
spgemm_status spgemm_call_narrow(call *c);

/** A copy of B in order in its place, if it is in none, C is predicted to be large
    beside it, and that pays. SPGEMM_ERROR_OUT_OF_MEMORY. */
spgemm_status spgemm_call_sort_b(call *c);

/** C is there, and none of what the product is of. */
spgemm_status spgemm_call_check_c(const spgemm_csr *C, const spgemm_csr *A,
                                  const char *name_b, const spgemm_csr *B,
                                  const spgemm_options *options);

/** What a product does between its checks and its end. */
typedef spgemm_status product_steps(call *c, void *context);

/** The products of each row counted and the steps taken, by one team: that of
    the count where it needs one, otherwise one that what is counted needs. */
spgemm_status spgemm_call_count_and(call *c, product_steps *steps,
                                    void *context);

/* Ways to a product. */
typedef struct product_ways {
    product_steps *usual;
    /* Of few products, of a prediction of which nothing is said; and of a small C, by
       one thread. May be NULL. */
    product_steps *of_few;
    /* Where no two products meet: C is its bound. May be NULL. */
    product_steps *of_scaled;
    /* Where the limit of memory has no room for the usual one. May be NULL. */
    product_steps *of_limit;
} product_ways;

/** C of a call that has begun, by the first of these ways that there is room
    for. */
spgemm_status spgemm_call_take(call *c, const product_ways *ways,
                               void *context);

/**
 * A product from begin to end: its call checked, the products of each row
 * counted, the steps of one of the ways taken, *C written on success only, all
 * else given back.
 */
spgemm_status spgemm_call_product(const entry_point *self, spgemm_csr *C,
                                  const spgemm_csr *A, const spgemm_csr *B,
                                  const spgemm_options *options,
                                  spgemm_report *report,
                                  const product_ways *ways, void *context);

/** The steps of spgemm_predicted(). */
product_steps spgemm_predicted_steps;

/** Those of few products. */
product_steps spgemm_few_steps;

/** Those of a C no two products of which meet. */
product_steps spgemm_scaled_steps;

/** Whether that is known of C: each row has one entry of A, or each row of B one
    entry, right of those above. Then nnz(C) is its bound. */
bool spgemm_call_is_scaled(const call *c);

/** A or B of a C that is scaled, if the other is diagonal: C has its pattern, and its
    values can be made. NULL: neither. */
const spgemm_csr *spgemm_call_pattern_of_c(const call *c);

/** Whether C is so small that a prediction of it takes longer than it saves memory, and
    the caller asks for none. Its products are counted. */
bool spgemm_call_is_small(const call *c);

/** Those of spgemm_precise(). */
product_steps spgemm_precise_steps;

/** products of each row. */
spgemm_status spgemm_call_count_products(call *c);

/** The prediction of the method chosen. */
spgemm_status spgemm_call_predict(call *c, spgemm_predictor method);

/** The prediction as it is told. */
void spgemm_call_report_prediction(call *c);

/** From a prediction of A*B, with nothing masked or dropped, to one of C. */
void spgemm_call_predict_form(call *c);

/** As the options say, for a product of one pass: its progress goes on with
    the numeric pass. */
spgemm_status spgemm_call_predict_for_pass(call *c);

/** Blocks of some rows, from the prediction; giant rows in parts if
    splits_rows. */
spgemm_status spgemm_call_plan(call *c, slab *rows, bool splits_rows);

/** C's shape and types. */
void spgemm_call_make_header(call *c);

/** C's header and rowptr; colidx and values are still to come. */
spgemm_status spgemm_call_make_rowptr(call *c);

/** colidx and values of C, for nnz entries. */
spgemm_status spgemm_call_allocate_entries(call *c, int64_t nnz);

/** Bytes of C's three arrays with nnz entries; SIZE_MAX when they are more. */
size_t spgemm_call_c_bytes(const call *c, int64_t nnz);

/** Bytes of one entry of C. */
size_t spgemm_call_entry_bytes(const call *c);

/** Bytes of C with so many entries, as far as they are known. */
double spgemm_call_bytes_of(const call *c, double nnz);

/** Bytes that the limits leave; infinity: no limit. */
double spgemm_call_bytes_left(const call *c);

/** Entries to make room for: as many as are predicted, and some standard
    errors or options.predict.slack more; C's bound at most. */
double spgemm_call_expected(const call *c);

/** Blocks from the bounds of rows, giant rows in parts if splits_rows, and C's
    rowptr: what passes over known places begin with. */
spgemm_status spgemm_call_plan_bound(call *c, bool splits_rows);

/** What is known so far to the caller's report. */
void spgemm_call_report(call *c, spgemm_status status);

/** C, which is done, to the caller: into their arrays, if they have some for it.
    The call keeps its shape and types. */
void spgemm_call_deliver(call *c, spgemm_csr *C);

/** Arrays of the caller's that C lies in are no longer C's: it may be made another
    way. */
void spgemm_call_return_lent(call *c);

/** C's arrays go back, but for those of the caller. */
void spgemm_call_discard(call *c);

/** The same, to be made anew: the account of memory knows of it. */
void spgemm_call_drop_c(call *c);

/** Threads that the product may ask for. */
int spgemm_call_team(const call *c);

/** What the steps of a call only know as no memory, or as an end: whether it was
    the limit's, and who asked for it. Returns the status. */
spgemm_status spgemm_call_explain(call *c, spgemm_status status);

/** Everything but C goes back. */
void spgemm_call_clear(call *c);

/**
 * Everything but C goes back, the report is filled, and *C is written when
 * status is SPGEMM_SUCCESS. Returns status.
 */
spgemm_status spgemm_call_end(call *c, spgemm_csr *C, spgemm_status status);

#endif
