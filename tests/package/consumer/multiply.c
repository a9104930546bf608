/* SPDX-License-Identifier: BSD-3-Clause */
/* [1 2; 0 3] times [4 0; 5 6], and where the memory came from.

   Usage: multiply MEMORY, the beginning of the name that is expected. */
#include <stdio.h>
#include <string.h>

#include <spgemm/mtx.h>
#include <spgemm/predict.h>
#include <spgemm/spgemm.h>

static int differs(const spgemm_csr *C)
{
    static const int64_t rowptr[] = {0, 2, 4};
    static const int32_t colidx[] = {0, 1, 0, 1};
    static const double values[] = {14, 12, 15, 18};
    return C->nnz != 4 || memcmp(C->rowptr, rowptr, sizeof rowptr) != 0 ||
           memcmp(C->colidx, colidx, sizeof colidx) != 0 ||
           memcmp(C->values, values, sizeof values) != 0;
}

int main(int argc, char **argv)
{
    const spgemm_csr A =
        spgemm_csr_view(2, 2, 3, (int64_t[]){0, 2, 3}, (int32_t[]){0, 1, 1},
                        (double[]){1, 2, 3}, SPGEMM_I32, SPGEMM_FP64);
    const spgemm_csr B =
        spgemm_csr_view(2, 2, 3, (int64_t[]){0, 1, 3}, (int32_t[]){0, 0, 1},
                        (double[]){4, 5, 6}, SPGEMM_I32, SPGEMM_FP64);
    spgemm_csr C = {0};
    spgemm_prediction prediction;
    spgemm_status status = spgemm_predict(&prediction, &A, &B, NULL, NULL);
    if (status == SPGEMM_SUCCESS)
        status = spgemm_predicted(&C, &A, &B, NULL, NULL);
    if (status != SPGEMM_SUCCESS) {
        fprintf(stderr, "%s\n", spgemm_status_string(status));
        return 1;
    }
    const int is_wrong = differs(&C);
    spgemm_csr_destroy(&C);
    if (is_wrong) {
        fprintf(stderr, "the product is wrong\n");
        return 1;
    }
    const char *memory = spgemm_memory_name();
    printf("spgemm %s, memory %s\n", spgemm_version(), memory);
    return argc != 2 || strncmp(memory, argv[1], strlen(argv[1])) != 0;
}
