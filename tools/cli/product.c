/* SPDX-License-Identifier: BSD-3-Clause */
/* Whatever the options say together, the library judges: only what it never
   sees is refused here, a word that is none, a matrix that is not there. */
#include "product.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "budget.h"
#include "common/checked.h"
#include "convert.h"
#include "message.h"
#include "row_list.h"
#include "spgemm/mtx.h"
#include "status.h"

/* ---- Operands -------------------------------------------------------------- */

/* The matrix of a path; one that was read before is not read again. */
static int read_once(product *p, input *in, const char *path,
                     const arguments *args, const spgemm_csr **found)
{
    const bool is_a = in != &p->a && strcmp(path, args->operands[0]) == 0;
    const bool is_b = in == &p->mask && args->operands[1] &&
                      strcmp(path, args->operands[1]) == 0;
    *found = is_a ? p->A : is_b ? p->B : &in->matrix;
    return is_a || is_b ? TOOL_OK : input_read(in, path, args);
}

static int read_all(product *p, const arguments *args)
{
    const char *a = args->operands[0];
    const char *b = args->operands[1] ? args->operands[1] : a;
    const char *mask = arguments_text(args, "mask", NULL);
    int status = read_once(p, &p->a, a, args, &p->A);
    if (status == TOOL_OK)
        status = read_once(p, &p->b, b, args, &p->B);
    if (status == TOOL_OK && mask)
        status = read_once(p, &p->mask, mask, args, &p->options.filter.mask);
    return status;
}

static const char *name_of_b(const product *p)
{
    return p->A == p->B ? p->a.name : p->b.name;
}

/* Columns of X become rows, whose pointers a file's claim may make long. */
static int check_columns(const spgemm_csr *X, const char *name,
                         const arguments *args)
{
    const budget limits =
        budget_make(arguments_integer(args, "memory-limit", 0));
    const int64_t most = saturating_add_i64(
        X->nnz, limits.empty_rows / (int64_t)sizeof *X->rowptr);
    if (X->ncols <= most)
        return TOOL_OK;
    return message(TOOL_LIMIT,
                   "%s: its header says %" PRId64
                   " columns, and it has %" PRId64
                   " entries: row pointers of empty rows of its transpose may "
                   "take %" PRId64 " bytes; see --memory-limit",
                   name, X->ncols, X->nnz, limits.empty_rows);
}

static int check_shapes(product *p, const arguments *args)
{
    const bool turns_a = arguments_has(args, "transpose-a");
    const bool turns_b = arguments_has(args, "transpose-b");
    const spgemm_csr *A = p->A;
    const spgemm_csr *B = p->B;
    const int64_t ncols = turns_a ? A->nrows : A->ncols;
    const int64_t nrows = turns_b ? B->ncols : B->nrows;
    int status = turns_a ? check_columns(A, p->a.name, args) : TOOL_OK;
    if (status == TOOL_OK && turns_b)
        status = check_columns(B, name_of_b(p), args);
    p->nrows = turns_a ? A->ncols : A->nrows;
    p->ncols = turns_b ? B->nrows : B->ncols;
    if (status != TOOL_OK || ncols == nrows)
        return status;
    if (A == B)
        return message(TOOL_INPUT,
                       "%s: a %" PRId64 " x %" PRId64
                       " matrix cannot be multiplied by itself; by its "
                       "transpose: --transpose-b",
                       p->a.name, A->nrows, A->ncols);
    return message(TOOL_INPUT,
                   "%s%s has %" PRId64 " columns, but %s%s has %" PRId64
                   " rows",
                   p->a.name, turns_a ? ", transposed," : "", ncols,
                   name_of_b(p), turns_b ? ", transposed," : "", nrows);
}

static spgemm_index_type wider(spgemm_index_type a, spgemm_index_type b)
{
    return a > b ? a : b;
}

/* Operands have the same types, and the mask their type of columns. */
static int unify(product *p)
{
    const spgemm_csr *mask = p->options.filter.mask;
    const spgemm_value_type value_type =
        convert_common_type(p->A->value_type, p->B->value_type);
    spgemm_index_type index_type = wider(p->A->index_type, p->B->index_type);
    if (mask)
        index_type = wider(index_type, mask->index_type);
    input *const inputs[] = {&p->a, &p->b, &p->mask};
    for (int k = 0; k < 3; k++) {
        spgemm_csr *X = &inputs[k]->matrix;
        if (!X->rowptr)
            continue; /* it is another one, too */
        const spgemm_status status = convert_matrix(
            X, index_type, inputs[k] == &p->mask ? X->value_type : value_type);
        if (status < 0)
            return message_failure(inputs[k]->name, status);
    }
    return TOOL_OK;
}

/* ---- Options --------------------------------------------------------------- */

static int set_rows(product *p, const char *text)
{
    const int64_t count = text ? row_list_count(text, p->nrows) : 0;
    if (!text)
        return TOOL_OK;
    p->rows =
        count <= INT64_MAX / 8 ? malloc((size_t)count * sizeof *p->rows) : NULL;
    if (!p->rows)
        return message_failure("--rows", SPGEMM_ERROR_OUT_OF_MEMORY);
    row_list_fill(p->rows, text, p->nrows);
    p->options.product.rows = p->rows;
    p->options.product.nrows = count;
    p->nrows = count;
    return TOOL_OK;
}

/* The number at *text, which moves past it; false: it is none, or one that its
   type would have as infinite. */
static bool parse_part(const char **text, spgemm_value_type type, double *x)
{
    char *end;
    errno = 0;
    *x = strtod(*text, &end);
    const bool is_number = end != *text;
    const bool outgrows = isinf(*x)
                              ? errno == ERANGE
                              : convert_is_single(type) && isinf((float)*x);
    *text = end;
    return is_number && !outgrows;
}

static bool parse_value(number *n, const char *text, spgemm_value_type type)
{
    const int64_t most = type == SPGEMM_INT64   ? INT64_MAX
                         : type == SPGEMM_INT32 ? INT32_MAX
                                                : 1;
    const int64_t least = type == SPGEMM_BOOL ? 0 : -most - 1;
    if (convert_is_integer(type) || type == SPGEMM_BOOL)
        return parse_integer(text, least, most, &n->integer);
    if (!parse_part(&text, type, &n->real))
        return false;
    if (*text != ',' || !convert_is_complex(type))
        return *text == '\0';
    text++;
    return parse_part(&text, type, &n->imaginary) && *text == '\0';
}

static int set_alpha(product *p, const char *text)
{
    number n = {0};
    const spgemm_value_type type = p->A->value_type;
    if (!text)
        return TOOL_OK;
    if (!parse_value(&n, text, type))
        return message(TOOL_USAGE, "--alpha: '%s' is no value of type %s", text,
                       spgemm_value_type_name(type));
    convert_put(p->alpha, type, 0, n);
    p->options.product.alpha = p->alpha;
    return TOOL_OK;
}

static spgemm_semiring semiring_of(const char *name)
{
    spgemm_semiring k = SPGEMM_PLUS_TIMES;
    while (strcmp(spgemm_semiring_name(k), name) != 0)
        k++;
    return k;
}

static spgemm_operation operation_of(bool is_transposed)
{
    return is_transposed ? SPGEMM_OP_TRANSPOSE : SPGEMM_OP_NONE;
}

static void set_words(spgemm_options *o, const arguments *args)
{
    o->product.op_a = operation_of(arguments_has(args, "transpose-a"));
    o->product.op_b = operation_of(arguments_has(args, "transpose-b"));
    o->product.semiring =
        semiring_of(arguments_text(args, "semiring", "plus_times"));
    o->filter.mask_mode = arguments_has(args, "complement")
                              ? SPGEMM_MASK_COMPLEMENT
                              : SPGEMM_MASK_STRUCTURE;
    o->filter.drop_zeros = arguments_has(args, "drop-zeros");
    o->filter.keep_top = arguments_integer(args, "keep-top", 0);
    o->predict.seed = (uint64_t)arguments_integer(args, "seed", 0);
    o->resources.nthreads = (int)arguments_integer(args, "threads", 0);
}

int product_read(product *p, const arguments *args)
{
    const char *rows = arguments_text(args, "rows", NULL);
    *p = (product){0};
    if (rows && row_list_count(rows, 0) < 0)
        return message(TOOL_USAGE,
                       "--rows: '%s' is no list of rows, such as 0-99,200",
                       rows);
    if (arguments_has(args, "complement") && !arguments_has(args, "mask"))
        return message(TOOL_USAGE, "--complement needs --mask FILE");
    set_words(&p->options, args);
    int status = read_all(p, args);
    if (status == TOOL_OK)
        status = check_shapes(p, args);
    if (status == TOOL_OK)
        status = unify(p);
    if (status == TOOL_OK)
        status = set_rows(p, rows);
    if (status == TOOL_OK)
        status = set_alpha(p, arguments_text(args, "alpha", NULL));
    spgemm_memory_trim();
    return status;
}

void product_clear(product *p)
{
    spgemm_csr_destroy(&p->a.matrix);
    spgemm_csr_destroy(&p->b.matrix);
    spgemm_csr_destroy(&p->mask.matrix);
    free(p->rows);
}

/* What the library calls by a member's name, and people by an option's. */
typedef struct typed {
    const char *member;
    const char *option;
    const char *what;
} typed;

/* The option that a refusal begins with; *rest becomes what is behind the
   member, and behind the position in a list. NULL: it begins with none. */
static const typed *find_typed(const char *refusal, const char **rest)
{
    static const typed all[] = {
        {"options.product.rows", "rows", "a row"},
        {"options.product.semiring", "semiring", "the semiring"},
        {"options.filter.mask", "mask", "the mask"}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const size_t length = strlen(all[k].member);
        *rest = refusal + length;
        if (strncmp(refusal, all[k].member, length) != 0 ||
            isalnum((unsigned char)**rest) || **rest == '_')
            continue;
        if (**rest == '[')
            *rest += strcspn(*rest, "]") + 1;
        return &all[k];
    }
    return NULL;
}

int product_failure(const char *what, spgemm_status status)
{
    const char *rest;
    const typed *t = find_typed(spgemm_error_text(), &rest);
    const int end =
        status == SPGEMM_ERROR_INVALID ? TOOL_USAGE : message_end(status);
    if (t)
        return message(end, "--%s: %s%s", t->option, t->what, rest);
    message_failure(what, status);
    return end;
}

int64_t product_input_bytes(const product *p)
{
    return input_bytes(p->A) + (p->A == p->B ? 0 : input_bytes(p->B));
}

double product_bytes(const product *p, double nnz)
{
    return 8.0 * ((double)p->nrows + 1) + nnz * (double)input_entry_bytes(p->A);
}

void product_print_json(json *j, const product *p)
{
    json_integer(j, "rows", p->nrows);
    json_integer(j, "cols", p->ncols);
    json_integer(j, "nnz_a", p->A->nnz);
    json_integer(j, "nnz_b", p->B->nnz);
}
