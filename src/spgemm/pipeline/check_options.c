/* SPDX-License-Identifier: BSD-3-Clause */
/* Options are within what they may be. */
#include "spgemm/pipeline/check_options.h"

#include <inttypes.h>

#include "alloc/memory.h"
#include "common/refusal.h"
#include "common/try.h"
#include "cpu/features.h"
#include "predict/predictor.h"

/* Whether entries are dropped by value. */
static bool drops_entries(const spgemm_options *options)
{
    return options->filter.drop_zeros || options->filter.drop_tolerance > 0 ||
           options->filter.keep_top > 0;
}

bool spgemm_options_read_values(const spgemm_options *options)
{
    return options->product.alpha || options->product.D ||
           drops_entries(options);
}

static spgemm_status refuse_number(const char *name, double value, double least)
{
    return spgemm_refuse(SPGEMM_ERROR_INVALID,
                         "options.%s is %g, and must be at least %g", name,
                         value, least);
}

static spgemm_status refuse_integer(const char *name, int64_t value,
                                    int64_t least)
{
    return spgemm_refuse(SPGEMM_ERROR_INVALID,
                         "options.%s is %" PRId64
                         ", and must be at least %" PRId64,
                         name, value, least);
}

/* An enumerator, 0 <= value < count. */
static spgemm_status check_enum(const char *name, unsigned value,
                                unsigned count)
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
        {"product.row_order", options->product.row_order,
         SPGEMM_ROWS_UNSORTED + 1},
        {"resources.input_check", options->resources.input_check,
         SPGEMM_CHECK_NONE + 1},
        {"product.semiring", options->product.semiring, SPGEMM_SEMIRING_COUNT},
        {"product.op_a", options->product.op_a,
         SPGEMM_OP_CONJUGATE_TRANSPOSE + 1},
        {"product.op_b", options->product.op_b,
         SPGEMM_OP_CONJUGATE_TRANSPOSE + 1},
        {"filter.mask_mode", options->filter.mask_mode,
         (SPGEMM_MASK_VALUES | SPGEMM_MASK_COMPLEMENT) + 1},
        {"filter.top_by", options->filter.top_by, SPGEMM_TOP_VALUE + 1},
    };
    spgemm_status status = SPGEMM_SUCCESS;
    for (size_t t = 0; t < sizeof enums / sizeof *enums; t++)
        SPGEMM_TRY(check_enum(enums[t].name, enums[t].value, enums[t].count));

cleanup:
    return status;
}

/* Members that later versions may give a meaning. */
static spgemm_status check_reserved(const spgemm_options *options)
{
    enum { EACH = sizeof options->product.reserved / sizeof(uint64_t) };
    const struct {
        const char *group;
        const uint64_t *reserved;
    } groups[] = {
        {"product", options->product.reserved},
        {"filter", options->filter.reserved},
        {"predict", options->predict.reserved},
        {"resources", options->resources.reserved},
    };
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
        for (int t = 0; t < EACH; t++)
            if (groups[g].reserved[t] != 0)
                return spgemm_refuse(SPGEMM_ERROR_INVALID,
                                     "options.%s.reserved[%d] is not 0",
                                     groups[g].group, t);
    return SPGEMM_SUCCESS;
}

/* NaN is at least nothing. */
static spgemm_status check_numbers(const spgemm_options *options)
{
    if (options->predict.slack != 0 && !(options->predict.slack >= 1))
        return refuse_number("predict.slack", options->predict.slack, 1);
    if (options->resources.nthreads < 0)
        return refuse_integer("resources.nthreads", options->resources.nthreads,
                              0);
    if (!(options->filter.drop_tolerance >= 0))
        return refuse_number("filter.drop_tolerance",
                             options->filter.drop_tolerance, 0);
    if (options->filter.keep_top < 0)
        return refuse_integer("filter.keep_top", options->filter.keep_top, 0);
    return SPGEMM_SUCCESS;
}

/* What is given is used. */
static spgemm_status check_unused(const spgemm_options *options,
                                  const entry_point *self)
{
    const spgemm_predict_options *p = &options->predict;
    const spgemm_resource_options *r = &options->resources;
    const bool samples = self->predicts || self->samples;
    const bool makes_room = samples && self->multiplies;
    const struct {
        const char *name;
        bool is_given;
        bool is_used;
    } all[] = {
        {"product.beta", options->product.beta != NULL, self->multiplies},
        {"product.D", options->product.D != NULL, self->multiplies},
        {"predict.method", p->method != SPGEMM_PREDICTOR_AUTO, self->predicts},
        {"predict.size", p->size != 0, self->predicts},
        {"predict.probability", p->probability != 0, self->predicts},
        {"predict.budget", p->budget != 0, self->predicts},
        {"predict.error", p->error != 0, self->predicts},
        {"predict.seed", p->seed != 0, samples},
        {"predict.row_nnz", p->row_nnz != NULL, self->predicts},
        {"predict.slack", p->slack != 0, makes_room},
        {"resources.context", r->context != NULL, self->multiplies},
        {"resources.out", r->out != NULL, self->makes_c},
    };
    for (size_t t = 0; t < sizeof all / sizeof *all; t++)
        if (all[t].is_given && !all[t].is_used)
            return spgemm_refuse(
                SPGEMM_ERROR_INVALID,
                "options.%s is given, and %s() does not use it", all[t].name,
                self->name);
    return SPGEMM_SUCCESS;
}

/* A list of rows or columns has at least one; without a list, no length. */
static spgemm_status check_list(const char *name, const int64_t *list,
                                int64_t count)
{
    if (list && count < 1)
        return spgemm_refuse(SPGEMM_ERROR_INVALID,
                             "options.product.n%s is %" PRId64
                             ", and options.product.%s has at least one entry",
                             name, count, name);
    if (!list && count != 0)
        return spgemm_refuse(SPGEMM_ERROR_INVALID,
                             "options.product.n%s is %" PRId64
                             ", but options.product.%s is NULL",
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
    if (options->product.beta && !options->product.D)
        return refuse_missing("product.D", "product.beta is given");
    if (options->filter.mask_mode != 0 && !options->filter.mask)
        return refuse_missing("filter.mask", "filter.mask_mode is given");
    if (options->filter.top_by != SPGEMM_TOP_MAGNITUDE &&
        options->filter.keep_top == 0)
        return spgemm_refuse(SPGEMM_ERROR_INVALID,
                             "options.filter.keep_top is 0, but "
                             "options.filter.top_by is given");
    if (options->product.semiring == SPGEMM_USER && drops_entries(options))
        return spgemm_refuse(
            SPGEMM_ERROR_UNSUPPORTED,
            "options.filter.drop_zeros, drop_tolerance and keep_top "
            "know no magnitude and no order of values of SPGEMM_USER");
    return SPGEMM_SUCCESS;
}

static spgemm_status check_user(const spgemm_options *options)
{
    const spgemm_user_semiring *user = options->product.user;
    if (options->product.semiring != SPGEMM_USER)
        return SPGEMM_SUCCESS;
    if (!user)
        return refuse_missing("product.user",
                              "product.semiring is SPGEMM_USER");
    if (!user->zero || !user->multiply || !user->add)
        return refuse_missing(!user->zero       ? "product.user->zero"
                              : !user->multiply ? "product.user->multiply"
                                                : "product.user->add",
                              "product.semiring is SPGEMM_USER");
    return SPGEMM_SUCCESS;
}

static spgemm_status check_out(const spgemm_out *out)
{
    if (!out)
        return SPGEMM_SUCCESS;
    if (!out->rowptr)
        return refuse_missing("resources.out->rowptr",
                              "resources.out is given");
    if (out->capacity < 0)
        return refuse_integer("resources.out->capacity", out->capacity, 0);
    if (out->capacity > 0 && !out->colidx)
        return refuse_missing("resources.out->colidx",
                              "resources.out->capacity is not 0");
    return SPGEMM_SUCCESS;
}

spgemm_status spgemm_options_check(const spgemm_options *options,
                                   const entry_point *self)
{
    spgemm_status status = SPGEMM_SUCCESS;
    SPGEMM_TRY(check_reserved(options));
    SPGEMM_TRY(spgemm_memory_check_hooks(options->resources.allocator,
                                         "options.resources.allocator"));
    SPGEMM_TRY(check_enums(options));
    SPGEMM_TRY(check_numbers(options));
    SPGEMM_TRY(spgemm_predictor_check(options));
    SPGEMM_TRY(check_unused(options, self));
    SPGEMM_TRY(
        check_list("rows", options->product.rows, options->product.nrows));
    SPGEMM_TRY(
        check_list("cols", options->product.cols, options->product.ncols));
    SPGEMM_TRY(check_user(options));
    SPGEMM_TRY(check_out(options->resources.out));
    SPGEMM_TRY(check_pairs(options));
    SPGEMM_TRY(spgemm_cpu_check());

cleanup:
    return status;
}
