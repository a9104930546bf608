/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a Matrix Market file: what is read is well formed, and reads
   back the same after it was written. */
#include "fuzz_bytes.h"

#include <string.h>

#include "spgemm/mtx.h"

/* A text that is given out, or taken, piece by piece. */
typedef struct stream {
    char *text;
    size_t used;
    size_t taken;
} stream;

static ptrdiff_t take(void *context, void *buffer, size_t size)
{
    stream *s = context;
    const size_t left = s->used - s->taken;
    const size_t length = left < size ? left : size;
    if (length > 0)
        memcpy(buffer, s->text + s->taken, length);
    s->taken += length;
    return (ptrdiff_t)length;
}

static int put(void *context, const char *text, size_t length)
{
    stream *s = context;
    char *longer = realloc(s->text, s->used + length);
    if (!longer)
        return -1;
    memcpy(longer + s->used, text, length);
    s->text = longer;
    s->used += length;
    return 0;
}

static spgemm_status read_stream(spgemm_csr *A, stream *s, bool keeps_integers,
                                 spgemm_mtx_error *e)
{
    const spgemm_mtx_source source = {.context = s, .read = take};
    const spgemm_mtx_options options = {.keeps_integers = keeps_integers};
    return spgemm_mtx_read(A, &source, &options, e);
}

/* Values that are not numbers have no bits that a text could keep. */
static bool has_nan(const spgemm_csr *A)
{
    const double *values = A->values;
    if (A->value_type == SPGEMM_INT64)
        return false;
    const int64_t parts = (A->value_type == SPGEMM_CFP64 ? 2 : 1) * A->nnz;
    for (int64_t p = 0; p < parts; p++)
        if (values[p] != values[p])
            return true;
    return false;
}

static void check_round_trip(const spgemm_csr *A)
{
    stream written = {0};
    spgemm_csr again = {0};
    spgemm_mtx_error error;
    if (spgemm_mtx_write(A, put, &written) != SPGEMM_SUCCESS)
        fail_fuzz("a matrix that was read cannot be written", "");
    if (read_stream(&again, &written, A->value_type == SPGEMM_INT64, &error) !=
        SPGEMM_SUCCESS)
        fail_fuzz("what was written cannot be read", error.text);
    if (!has_nan(A) && !spgemm_csr_equal(A, &again))
        fail_fuzz("what was written reads back as another matrix", "");
    spgemm_csr_destroy(&again);
    free(written.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    stream given = {.text = malloc(size + 1), .used = size};
    spgemm_csr A = {0};
    spgemm_mtx_error error = {0};
    if (!given.text)
        return 0;
    if (size > 0)
        memcpy(given.text, data, size);
    const bool keeps_integers = size % 2;
    const spgemm_status status =
        read_stream(&A, &given, keeps_integers, &error);
    if (status == SPGEMM_SUCCESS) {
        if (spgemm_csr_check(&A, NULL) != SPGEMM_SUCCESS)
            fail_fuzz("a matrix that was read is malformed", "");
        /* A header may announce rows that take a second to write through. */
        if (A.nrows < 1 << 16)
            check_round_trip(&A);
    } else if (!error.text[0]) {
        fail_fuzz("no reason was given", spgemm_status_string(status));
    }
    spgemm_csr_destroy(&A);
    free(given.text);
    return 0;
}
