/* SPDX-License-Identifier: BSD-3-Clause */
/* The public headers are C++ too, and their functions have C names. */
#include <spgemm/alloc.h>
#include <spgemm/mtx.h>
#include <spgemm/predict.h>
#include <spgemm/spgemm.h>
#include <spgemm/version.h>

#include <cstdint>
#include <cstring>

int main()
{
    const std::int64_t rowptr[] = {0, 1, 2};
    const std::int32_t colidx[] = {1, 0};
    const double values[] = {2, 3};
    const spgemm_csr A = spgemm_csr_view(
        2, 2, 2, rowptr, colidx, values, SPGEMM_I32, SPGEMM_FP64);
    spgemm_csr C{};
    if (spgemm_predicted(&C, &A, &A, nullptr, nullptr) != SPGEMM_SUCCESS)
        return 1;
    const double *Cx = static_cast<const double *>(C.values);
    const bool is_right = C.nnz == 2 && Cx[0] == 6 && Cx[1] == 6;
    spgemm_csr_destroy(&C);
    return !is_right || std::strcmp(spgemm_version(), SPGEMM_VERSION_STRING);
}
