/* SPDX-License-Identifier: BSD-3-Clause */
/* Check, and only then multiply: a malformed operand is refused by every
   variant, a good pair gives the reference, bit for bit. */
#include "fuzz_bytes.h"

#include "dice.h"
#include "reference.h"
#include "variants.h"

/* Any answer, from the input itself. */
static double answer(void *context, int64_t row, int64_t products)
{
    const uint64_t *seed = context;
    dice d = {*seed + (uint64_t)row};
    return 2 * dice_unit(&d) * (double)products - 1;
}

static void expect_product(const spgemm_csr *A, const spgemm_csr *B,
                           const spgemm_options *options,
                           const spgemm_csr *want,
                           const multiply_variant *variant)
{
    char text[256];
    spgemm_csr C = {0};
    const spgemm_status status = variant->multiply(&C, A, B, options, NULL);
    if (status != SPGEMM_SUCCESS)
        fail_fuzz(variant->name, spgemm_status_string(status));
    if (options->product.row_order == SPGEMM_ROWS_UNSORTED &&
        spgemm_csr_sort_rows(&C) != SPGEMM_SUCCESS)
        fail_fuzz(variant->name, "cannot be sorted");
    if (!matrices_agree(&C, want, text, sizeof text))
        fail_fuzz(variant->name, text);
    spgemm_csr_destroy(&C);
}

static void expect_refusal(const spgemm_csr *A, const spgemm_csr *B,
                           const spgemm_options *options,
                           const multiply_variant *variant)
{
    spgemm_csr C = {0};
    const spgemm_status status = variant->multiply(&C, A, B, options, NULL);
    if (status != SPGEMM_ERROR_STRUCTURE && status != SPGEMM_ERROR_INVALID)
        fail_fuzz(variant->name, "takes a malformed operand");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes in = {data, size};
    const spgemm_index_type type = next_byte(&in) % 2 ? SPGEMM_I64 : SPGEMM_I32;
    const int64_t nrows = next_byte(&in) % (FUZZ_LARGEST + 1);
    const int64_t inner = next_byte(&in) % (FUZZ_LARGEST + 1);
    const int64_t ncols = next_byte(&in) % (FUZZ_LARGEST + 1);
    uint64_t seed = next_byte(&in);
    const spgemm_options options = {
        .predict.method = (spgemm_predictor)(seed % SPGEMM_PREDICTOR_COUNT),
        .product.row_order = (spgemm_row_order)(seed / 8 % 2),
        .resources.nthreads = 1 + (int)(seed / 16 % 2),
        .predict.seed = seed,
        .predict.row_nnz = answer,
        .predict.row_nnz_context = &seed};
    spgemm_csr A = fuzz_matrix(&in, nrows, inner, type);
    spgemm_csr B = fuzz_matrix(&in, inner, ncols, type);

    if (spgemm_csr_check(&A, NULL) == SPGEMM_SUCCESS &&
        spgemm_csr_check(&B, NULL) == SPGEMM_SUCCESS) {
        spgemm_csr want = reference_multiply(&A, &B);
        for (int v = 0; v < VARIANT_COUNT; v++)
            expect_product(&A, &B, &options, &want, &multiply_variants[v]);
        free_csr(&want);
    } else {
        for (int v = 0; v < VARIANT_COUNT; v++)
            expect_refusal(&A, &B, &options, &multiply_variants[v]);
    }
    free_csr(&A);
    free_csr(&B);
    return 0;
}
