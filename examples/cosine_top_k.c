/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The most similar documents: X(d, w) is how often document d has word w, rows
 * scaled to length 1, and C = X * X^T has the cosine of each two documents. Of
 * each row only the TOP_K largest are kept, while the row is in the cache.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <spgemm/spgemm.h>

#define TRY(call)                                                              \
    do {                                                                       \
        status = (call);                                                       \
        if (status != SPGEMM_SUCCESS)                                          \
            goto cleanup;                                                      \
    } while (0)

enum {
    DOCUMENTS = 2000,
    VOCABULARY = 4000,
    TOPICS = 50,
    LENGTH = 80, /* words of a document */
    WORDS = DOCUMENTS * LENGTH,
    TOP_K = 6 /* each document itself is the first */
};

static const double least_cosine = 0.1;

/* A number in [0, 1). */
static double draw(uint64_t *random)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (double)(*random >> 40) / 16777216;
}

/* Documents about one topic each: every third word is one of its own, the
   others are common to all, and the more common the smaller their number. */
static spgemm_status make_bags_of_words(spgemm_csr *X)
{
    static int32_t documents[WORDS];
    static int32_t words[WORDS];
    static float ones[WORDS];
    uint64_t random = 7;
    for (int t = 0; t < WORDS; t++) {
        const double u = draw(&random);
        const int d = t / LENGTH;
        const int own = d % TOPICS + TOPICS * (int)(u * 20);
        documents[t] = d;
        words[t] = (int32_t)(t % 3 ? u * u * VOCABULARY : own);
        ones[t] = 1;
    }
    /* Triplets at one place are summed: the words are counted. */
    return spgemm_csr_from_coo(X, DOCUMENTS, VOCABULARY, WORDS, documents,
                               words, ones, SPGEMM_I32, SPGEMM_FP32, NULL);
}

static void normalise_rows(spgemm_csr *X)
{
    float *values = X->values;
    for (int64_t d = 0; d < X->nrows; d++) {
        float squares = 0;
        for (int64_t p = X->rowptr[d]; p < X->rowptr[d + 1]; p++)
            squares += values[p] * values[p];
        for (int64_t p = X->rowptr[d]; p < X->rowptr[d + 1]; p++)
            values[p] /= sqrtf(squares);
    }
}

/* Row d by brute force: cosine[e] for each document e. */
static void compare_with_all(float *cosine, const spgemm_csr *X, int64_t d)
{
    const int32_t *words = X->colidx;
    const float *values = X->values;
    float row[VOCABULARY] = {0};
    for (int64_t p = X->rowptr[d]; p < X->rowptr[d + 1]; p++)
        row[words[p]] = values[p];
    for (int64_t e = 0; e < X->nrows; e++) {
        cosine[e] = 0;
        for (int64_t p = X->rowptr[e]; p < X->rowptr[e + 1]; p++)
            cosine[e] += row[words[p]] * values[p];
    }
}

/* Whether row d of C has as many entries as it may, their values are right,
   and nothing that it leaves out is larger. Sums may differ in rounding. */
static bool row_is_right(const spgemm_csr *C, const spgemm_csr *X, int64_t d)
{
    static float cosine[DOCUMENTS];
    const float tolerance = 1e-5f;
    float least = 2;
    int similar = 0;
    compare_with_all(cosine, X, d);
    for (int e = 0; e < DOCUMENTS; e++)
        similar += cosine[e] > (float)least_cosine;
    if (C->rowptr[d + 1] - C->rowptr[d] != (similar < TOP_K ? similar : TOP_K))
        return false;
    for (int64_t p = C->rowptr[d]; p < C->rowptr[d + 1]; p++) {
        const float value = ((const float *)C->values)[p];
        const int32_t e = ((const int32_t *)C->colidx)[p];
        if (fabsf(value - cosine[e]) > tolerance)
            return false;
        least = fminf(least, value);
        cosine[e] = 0; /* seen */
    }
    for (int e = 0; e < DOCUMENTS && similar >= TOP_K; e++)
        if (cosine[e] > least + tolerance)
            return false;
    return true;
}

int main(void)
{
    spgemm_status status;
    spgemm_csr X = {0};
    spgemm_csr C = {0};
    spgemm_report report;
    bool is_right = false;

    TRY(make_bags_of_words(&X));
    normalise_rows(&X);
    TRY(spgemm_predicted(
        &C, &X, &X,
        &(spgemm_options){.product.op_b = SPGEMM_OP_TRANSPOSE,
                          .filter.drop_tolerance = least_cosine,
                          .filter.keep_top = TOP_K},
        &report));
    printf("%d documents, %" PRId64 " products, %" PRId64 " cosines kept\n",
           DOCUMENTS, report.products, C.nnz);
    printf("document 0, topic 0, is similar to\n");
    for (int64_t p = C.rowptr[0]; p < C.rowptr[1]; p++) {
        const int32_t e = ((const int32_t *)C.colidx)[p];
        printf("  %.3f  document %" PRId32 ", topic %" PRId32 "\n",
               (double)((const float *)C.values)[p], e, e % TOPICS);
    }
    is_right = true;
    for (int64_t d = 0; d < DOCUMENTS; d += 199)
        is_right = is_right && row_is_right(&C, &X, d);
cleanup:
    if (status != SPGEMM_SUCCESS)
        fprintf(stderr, "cosine_top_k: %s\n", spgemm_status_string(status));
    else if (!is_right)
        fprintf(stderr, "cosine_top_k: wrong result\n");
    spgemm_csr_destroy(&X);
    spgemm_csr_destroy(&C);
    return status == SPGEMM_SUCCESS && is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
