/* SPDX-License-Identifier: BSD-3-Clause */
/* graphblas_forms library | reference: every form of the product that GraphBLAS
   has, too, is what GraphBLAS makes of it, C<M> = D + A*B, whether the library
   computes it or the reference that the properties compare it with.

   Values are such that sums are exact, or wrap, in any order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graphblas_objects.h"
#include "reference_form.h"
#include "variants.h"

/* One product, and what GraphBLAS is told of it. */
typedef struct product {
    spgemm_csr A;
    spgemm_csr B;
    spgemm_csr D;
    spgemm_csr mask;
    spgemm_options options;
} product;

static bool uses_library;
static int64_t products_done;
static int64_t complaints;
enum { MOST_COMPLAINTS = 20 };

static spgemm_csr multiply(const product *p)
{
    spgemm_csr C = {0};
    if (!uses_library)
        return reference_form(&p->A, &p->B, &p->options);
    const multiply_variant *variant =
        &multiply_variants[products_done % VARIANT_COUNT];
    const spgemm_status status =
        variant->multiply(&C, &p->A, &p->B, &p->options, NULL);
    if (status != SPGEMM_SUCCESS)
        return (spgemm_csr){0};
    const spgemm_csr copy = copy_typed(&C);
    spgemm_csr_destroy(&C);
    return copy;
}

/* ---- By GraphBLAS -------------------------------------------------------- */

static GrB_Matrix extract(GrB_Matrix whole, const int64_t *rows, int64_t nrows,
                          const int64_t *cols, int64_t ncols,
                          spgemm_value_type type)
{
    GrB_Matrix part = NULL;
    GrB_Index shape[2];
    must(GrB_Matrix_nrows(&shape[0], whole), "nrows");
    must(GrB_Matrix_ncols(&shape[1], whole), "ncols");
    if (rows)
        shape[0] = (GrB_Index)nrows;
    if (cols)
        shape[1] = (GrB_Index)ncols;
    must(GrB_Matrix_new(&part, graphblas_type(type), shape[0], shape[1]),
         "new");
    must(GrB_Matrix_extract(part, NULL, NULL, whole,
                            rows ? (const GrB_Index *)rows : GrB_ALL, shape[0],
                            cols ? (const GrB_Index *)cols : GrB_ALL, shape[1],
                            NULL),
         "extract");
    must(GrB_Matrix_free(&whole), "free");
    return part;
}

/* op(X), with its rows and columns. */
static GrB_Matrix take(const spgemm_csr *X, spgemm_operation operation,
                       const int64_t *rows, int64_t nrows, const int64_t *cols,
                       int64_t ncols)
{
    const spgemm_value_type type = X->value_type;
    GrB_Matrix matrix = to_graphblas(X);
    if (operation != SPGEMM_OP_NONE) {
        GrB_Matrix transposed = NULL;
        must(GrB_Matrix_new(&transposed, graphblas_type(type),
                            (GrB_Index)X->ncols, (GrB_Index)X->nrows),
             "new");
        must(GrB_transpose(transposed, NULL, NULL, matrix, NULL), "transpose");
        must(GrB_Matrix_free(&matrix), "free");
        matrix = transposed;
        if (operation == SPGEMM_OP_CONJUGATE_TRANSPOSE && is_complex(type))
            must(GrB_Matrix_apply(matrix, NULL, NULL,
                                  type == SPGEMM_CFP64 ? GxB_CONJ_FC64
                                                       : GxB_CONJ_FC32,
                                  matrix, NULL),
                 "conjugate");
    }
    return rows || cols ? extract(matrix, rows, nrows, cols, ncols, type)
                        : matrix;
}

/* C replaces D where the mask says so. */
static GrB_Descriptor describe(unsigned mode)
{
    const GrB_Descriptor descriptors[] = {GrB_DESC_RS, GrB_DESC_R, GrB_DESC_RSC,
                                          GrB_DESC_RC};
    return descriptors[mode];
}

static spgemm_csr ask_graphblas(const product *p)
{
    const spgemm_options *o = &p->options;
    const spgemm_value_type type = p->A.value_type;
    GrB_Matrix a = take(&p->A, o->product.op_a, o->product.rows,
                        o->product.nrows, NULL, 0);
    GrB_Matrix b = take(&p->B, o->product.op_b, NULL, 0, o->product.cols,
                        o->product.ncols);
    GrB_Matrix mask = o->filter.mask ? to_graphblas(o->filter.mask) : NULL;
    GrB_Matrix c = NULL;
    GrB_Index nrows;
    GrB_Index ncols;
    must(GrB_Matrix_nrows(&nrows, a), "nrows");
    must(GrB_Matrix_ncols(&ncols, b), "ncols");
    if (o->product.D)
        c = to_graphblas(o->product.D);
    else
        must(GrB_Matrix_new(&c, graphblas_type(type), nrows, ncols), "new");
    must(GrB_mxm(c, mask,
                 o->product.D ? graphblas_addition(o->product.semiring, type)
                              : NULL,
                 graphblas_semiring(o->product.semiring, type), a, b,
                 mask ? describe(o->filter.mask_mode) : NULL),
         "mxm");
    if (o->filter.drop_zeros)
        must(GxB_Matrix_select(c, NULL, NULL, GxB_NONZERO, c, NULL, NULL),
             "select");
    must(GrB_Matrix_free(&a), "free");
    must(GrB_Matrix_free(&b), "free");
    GrB_Matrix_free(&mask);
    return from_graphblas(&c, p->A.index_type);
}

/* ---- Products ------------------------------------------------------------ */

/* Sums that begin at the first product instead of +0 may be -0. */
static void forget_signs_of_zeros(spgemm_csr *C)
{
    for (int64_t p = 0; p < C->nnz && is_floating(C->value_type); p++) {
        scalar x = read_scalar(C->value_type, C->values, p);
        x.re += 0.0;
        x.im += 0.0;
        write_scalar(C->value_type, C->values, p, x);
    }
}

static void describe_product(const product *p, const char *shape, char *text,
                             size_t size)
{
    const spgemm_options *o = &p->options;
    snprintf(text, size, "%s, %s, i%d, %s, op %d %d, %s%s%s%s, mask %d", shape,
             type_text(p->A.value_type),
             p->A.index_type == SPGEMM_I64 ? 64 : 32,
             ring_text(o->product.semiring), (int)o->product.op_a,
             (int)o->product.op_b, o->product.D ? "D " : "",
             o->product.rows ? "rows " : "", o->product.cols ? "cols " : "",
             o->filter.drop_zeros ? "nonzero" : "",
             o->filter.mask ? (int)o->filter.mask_mode : -1);
}

static bool check_product(const product *p, const char *shape)
{
    char name[200];
    char where[200] = "refused";
    spgemm_csr want = ask_graphblas(p);
    spgemm_csr got = multiply(p);
    if (got.rowptr)
        forget_signs_of_zeros(&got);
    forget_signs_of_zeros(&want);
    const bool agrees =
        got.rowptr && typed_agree(&got, &want, where, sizeof where);
    if (!agrees && complaints++ < MOST_COMPLAINTS) {
        describe_product(p, shape, name, sizeof name);
        fprintf(stderr, "%s: %s\n", name, where);
    }
    free_csr(&got);
    free_csr(&want);
    products_done++;
    return agrees;
}

static maker make_maker(uint64_t seed, spgemm_value_type type,
                        spgemm_index_type index_type)
{
    const bool wraps = type == SPGEMM_INT64 || type == SPGEMM_INT32;
    return (maker){
        {seed}, index_type, wraps ? VALUES_ARBITRARY : VALUES_INTEGER};
}

/* Columns once, in no order. */
static spgemm_csr make_operand(maker *m, spgemm_operation operation,
                               int64_t nrows, int64_t ncols,
                               spgemm_value_type type)
{
    const bool is_transposed = operation != SPGEMM_OP_NONE;
    spgemm_csr A = make_uniform(m, is_transposed ? ncols : nrows,
                                is_transposed ? nrows : ncols, 4);
    for (int64_t i = 0; i < A.nrows; i++)
        for (int64_t p = A.rowptr[i] + 1; p < A.rowptr[i + 1]; p += 2) {
            const int64_t j = column_of(&A, p);
            set_column_of(&A, p, column_of(&A, p - 1));
            set_column_of(&A, p - 1, j);
        }
    set_type(m, &A, type);
    return A;
}

/* Values of D that are the same whichever of them "any" takes, and truth values
   where the semiring makes such. */
static void tame(const product *p, spgemm_csr *D)
{
    const spgemm_semiring semiring = p->options.product.semiring;
    if (semiring != SPGEMM_ANY_PAIR && semiring != SPGEMM_OR_AND)
        return;
    for (int64_t q = 0; q < D->nnz; q++)
        write_scalar(
            D->value_type, D->values, q,
            scalar_of(D->value_type, semiring == SPGEMM_ANY_PAIR || q % 3));
}

/* Every mask, with D and without. */
static bool check_masks(product *p, maker *m, const char *shape)
{
    bool agrees = check_product(p, shape);
    spgemm_csr whole = reference_form(&p->A, &p->B, &p->options);
    p->D = make_operand(m, 0, whole.nrows, whole.ncols, p->A.value_type);
    tame(p, &p->D);
    for (unsigned n = 0; n < 10; n++) {
        const unsigned mode = n % 5;
        const int64_t type = dice_below(&m->dice, SPGEMM_VALUE_TYPE_COUNT);
        p->mask = make_operand(m, 0, whole.nrows, whole.ncols,
                               (spgemm_value_type)type);
        p->options.product.D = n < 5 ? NULL : &p->D;
        p->options.filter.mask = mode < 4 ? &p->mask : NULL;
        p->options.filter.mask_mode = mode % 4;
        agrees = check_product(p, shape) && agrees;
        p->options.filter.drop_zeros = true;
        agrees = check_product(p, shape) && agrees;
        p->options.filter.drop_zeros = false;
        free_csr(&p->mask);
    }
    free_csr(&p->D);
    free_csr(&whole);
    return agrees;
}

static bool check_operations(spgemm_semiring semiring, spgemm_value_type type,
                             spgemm_index_type index_type)
{
    static const int64_t rows[] = {5, 0, 5, 19, 7, 2};
    static const int64_t cols[] = {0, 3, 4, 11, 17};
    bool agrees = true;
    for (int op = 0; op < 18; op++) {
        maker m = make_maker((uint64_t)((int)semiring * 18 + op + 1), type,
                             index_type);
        product p = {
            .options = {.product.semiring = semiring,
                        .product.op_a = (spgemm_operation)(op % 3),
                        .product.op_b = (spgemm_operation)(op / 3 % 3)}};
        p.A = make_operand(&m, p.options.product.op_a, 20, 15, type);
        p.B = make_operand(&m, p.options.product.op_b, 15, 18, type);
        if (op >= 9) {
            p.options.product.rows = op % 2 ? rows : NULL;
            p.options.product.nrows = p.options.product.rows ? 6 : 0;
            p.options.product.cols = op % 4 ? cols : NULL;
            p.options.product.ncols = p.options.product.cols ? 5 : 0;
        }
        agrees = check_masks(&p, &m, "small") && agrees;
        free_csr(&p.A);
        free_csr(&p.B);
    }
    return agrees;
}

/* Larger ones of every kind. */
static bool check_case(int number, spgemm_value_type type)
{
    const spgemm_index_type index_type = number % 2 ? SPGEMM_I64 : SPGEMM_I32;
    const char *name = product_cases[number].name;
    maker m = make_maker((uint64_t)number + 1, type, index_type);
    product p = {0};
    bool agrees = true;
    make_case(number, index_type, VALUES_INTEGER, &p.A, &p.B);
    set_type(&m, &p.A, type);
    set_type(&m, &p.B, type);
    for (int s = number % 3; s < SPGEMM_USER; s += 3) {
        p.options.product.semiring = (spgemm_semiring)s;
        if (ring_exists(p.options.product.semiring, type))
            agrees = check_product(&p, name) && agrees;
    }
    free_csr(&p.A);
    free_csr(&p.B);
    return agrees;
}

/* GraphBLAS has no duplicates and is not as wide as 64 bits allow; the giants
   take long. */
static bool has_case(const char *name)
{
    static const char *const others[] = {"duplicates", "unsorted", "widest",
                                         "giant", "rmat"};
    for (int n = 0; n < 5; n++)
        if (strstr(name, others[n]))
            return false;
    return true;
}

static bool check_all(void)
{
    bool agrees = true;
    for (int type = 0; type < SPGEMM_VALUE_TYPE_COUNT; type++)
        for (int s = 0; s < SPGEMM_USER; s++)
            for (int index = 0; index < 2; index++)
                if (ring_exists((spgemm_semiring)s, (spgemm_value_type)type))
                    agrees = check_operations((spgemm_semiring)s,
                                              (spgemm_value_type)type,
                                              (spgemm_index_type)index) &&
                             agrees;
    for (int number = 0; number < product_case_count; number++)
        if (has_case(product_cases[number].name))
            agrees = check_case(number,
                                (spgemm_value_type)(number %
                                                    SPGEMM_VALUE_TYPE_COUNT)) &&
                     agrees;
    return agrees;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s library | reference\n", argv[0]);
        return 2;
    }
    uses_library = strcmp(argv[1], "library") == 0;
    must(GrB_init(GrB_NONBLOCKING), "init");
    const bool agrees = check_all();
    must(GrB_finalize(), "finalize");
    printf("%lld products, %lld differ\n", (long long)products_done,
           (long long)complaints);
    return agrees ? 0 : 1;
}
