/* SPDX-License-Identifier: BSD-3-Clause */
/* Options are within what they may be. */
#include "spgemm/pipeline/check_options.h"

#include <inttypes.h>

#include "alloc/memory.h"
#include "common/refusal.h"
#include "common/try.h"
#include "cpu/features.h"
#include "predict/predictor.h"

bool spgemm_options_drop(const spgemm_options *options)
{
    return options->drop_zeros || options->drop_tolerance > 0 ||
           options->keep_top > 0;
}

static spgemm_status refuse_number(const char *name, double value, double least)
{
    return spgemm_refuse(SPGEMM_ERROR_INVALID,
                         "options.%s is %g, and must be at least %g", name,
                         value, least);
}

static spgemm_status
refuse_integer(const char *name, int64_t value, int64_t least)
{
    return spgemm_refuse(SPGEMM_ERROR_INVALID,
                         "options.%s is %" PRId64
                         ", and must be at least %" PRId64,
                         name, value, least);
}

/* An enumerator, 0 <= value < count. */
static spgemm_status
check_enum(const char *name, unsigned value, unsigned count)
{
    return value < count
               ? SPGEMM_SUCCESS
               : spgemm_refuse(SPGEMM_ERROR_INVALID,
                               "options.%s is %d, which is none of its values",
                               name, (int)value);
}

static spgemm_status check_enums(const spgemm_options *options)
{
    const struct {
        const char *name;
        unsigned value;
        unsigned count;
    } enums[] = {
        {"row_order", options->row_order, SPGEMM_ROWS_UNSORTED + 1},
        {"input_check", options->input_check, SPGEMM_CHECK_NONE + 1},
        {"semiring", options->semiring, SPGEMM_SEMIRING_COUNT},
        {"op_a", options->op_a, SPGEMM_OP_CONJUGATE_TRANSPOSE + 1},
        {"op_b", options->op_b, SPGEMM_OP_CONJUGATE_TRANSPOSE + 1},
        {"mask_mode", options->mask_mode,
         (SPGEMM_MASK_VALUES | SPGEMM_MASK_COMPLEMENT) + 1},
    };
    spgemm_status status = SPGEMM_SUCCESS;
    for (size_t t = 0; t < sizeof enums / sizeof *enums; t++)
        SPGEMM_TRY(check_enum(enums[t].name, enums[t].value, enums[t].count));

cleanup:
    return status;
}

static spgemm_status check_reserved(const spgemm_options *options)
{
    for (size_t t = 0;
         t < sizeof options->reserved / sizeof options->reserved[0]; t++)
        if (options->reserved[t] != 0)
            return spgemm_refuse(SPGEMM_ERROR_INVALID,
                                 "options.reserved[%zu] is not 0", t);
    return SPGEMM_SUCCESS;
}

/* NaN is at least nothing. */
static spgemm_status check_numbers(const spgemm_options *options)
{
    if (options->slack != 0 && !(options->slack >= 1))
        return refuse_number("slack", options->slack, 1);
    if (options->nthreads < 0)
        return refuse_integer("nthreads", options->nthreads, 0);
    if (!(options->drop_tolerance >= 0))
        return refuse_number("drop_tolerance", options->drop_tolerance, 0);
    if (options->keep_top < 0)
        return refuse_integer("keep_top", options->keep_top, 0);
    return SPGEMM_SUCCESS;
}

/* A list of rows or columns has at least one; without a list, no length. */
static spgemm_status
check_list(const char *name, const int64_t *list, int64_t count)
{
    if (list && count < 1)
        return spgemm_refuse(SPGEMM_ERROR_INVALID,
                             "options.n%s is %" PRId64
                             ", and options.%s has at least one entry",
                             name, count, name);
    if (!list && count != 0)
        return spgemm_refuse(SPGEMM_ERROR_INVALID,
                             "options.n%s is %" PRId64
                             ", but options.%s is NULL",
                             name, count, name);
    return SPGEMM_SUCCESS;
}

static spgemm_status refuse_missing(const char *name, const char *why)
{
    return spgemm_refuse(SPGEMM_ERROR_INVALID,
                         "options.%s is NULL, but options.%s", name, why);
}

/* What one option asks of another. */
static spgemm_status check_pairs(const spgemm_options *options)
{
    if (options->beta && !options->D)
        return refuse_missing("D", "beta is given");
    if (options->mask_mode != 0 && !options->mask)
        return refuse_missing("mask", "mask_mode is given");
    if (options->semiring == SPGEMM_USER && spgemm_options_drop(options))
        return spgemm_refuse(SPGEMM_ERROR_UNSUPPORTED,
                             "options.drop_zeros, drop_tolerance and keep_top "
                             "know no magnitude of values of SPGEMM_USER");
    return SPGEMM_SUCCESS;
}

static spgemm_status check_user(const spgemm_options *options)
{
    const spgemm_user_semiring *user = options->user;
    if (options->semiring != SPGEMM_USER)
        return SPGEMM_SUCCESS;
    if (!user)
        return refuse_missing("user", "semiring is SPGEMM_USER");
    if (!user->zero || !user->multiply || !user->add)
        return refuse_missing(!user->zero       ? "user->zero"
                              : !user->multiply ? "user->multiply"
                                                : "user->add",
                              "semiring is SPGEMM_USER");
    return SPGEMM_SUCCESS;
}

static spgemm_status check_out(const spgemm_out *out)
{
    if (!out)
        return SPGEMM_SUCCESS;
    if (!out->rowptr)
        return refuse_missing("out->rowptr", "out is given");
    if (out->capacity < 0)
        return refuse_integer("out->capacity", out->capacity, 0);
    if (out->capacity > 0 && !out->colidx)
        return refuse_missing("out->colidx", "out->capacity is not 0");
    return SPGEMM_SUCCESS;
}

spgemm_status spgemm_options_check(const spgemm_options *options)
{
    spgemm_status status = SPGEMM_SUCCESS;
    SPGEMM_TRY(check_reserved(options));
    SPGEMM_TRY(
        spgemm_memory_check_hooks(options->allocator, "options.allocator"));
    SPGEMM_TRY(check_enums(options));
    SPGEMM_TRY(check_numbers(options));
    SPGEMM_TRY(spgemm_predictor_check(options));
    SPGEMM_TRY(check_list("rows", options->rows, options->nrows));
    SPGEMM_TRY(check_list("cols", options->cols, options->ncols));
    SPGEMM_TRY(check_user(options));
    SPGEMM_TRY(check_out(options->out));
    SPGEMM_TRY(check_pairs(options));
    SPGEMM_TRY(spgemm_cpu_check());

cleanup:
    return status;
}
