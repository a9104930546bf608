/* SPDX-License-Identifier: BSD-3-Clause */
/* Documents by terms: term t occurs like 1 / t (Zipf), lengths are exponential. */
#include <math.h>

#include "common/checked.h"
#include "kind.h"

/* Times the mean length: of the longest document. */
#define LONGEST 20

static int64_t documents_degree(const recipe *r, int64_t i)
{
    const double u = rng_unit(stream_seed(r, STREAM_DEGREES), (uint64_t)i);
    const int64_t mean = r->sizes[2];
    return checked_capacity(-log1p(-u) * (double)mean, 1, LONGEST * mean);
}

static int64_t documents_column(const recipe *r, int64_t i, int64_t k)
{
    const uint64_t seed = rng_bits(stream_seed(r, STREAM_COLUMNS), (uint64_t)i);
    const double terms = (double)r->sizes[1];
    const double term = pow(terms + 1, rng_unit(seed, (uint64_t)k));
    return min_i64((int64_t)term, r->sizes[1]) - 1;
}

static spgemm_status make_documents(spgemm_csr *A, const recipe *r)
{
    return make_places(A, r,
                       &(place_rule){.nrows = r->sizes[0],
                                     .ncols = r->sizes[1],
                                     .degree_of = documents_degree,
                                     .column = documents_column});
}

const matrix_kind kind_documents = {
    .name = "documents",
    .help =
        "DOCUMENTS TERMS LENGTH: which terms a document has, frequent or rare, "
        "about LENGTH of them",
    .sizes = {{"DOCUMENTS", 1, MOST_ROWS, MUST_BE_GIVEN},
              {"TERMS", 1, MOST_ROWS, MUST_BE_GIVEN},
              {"LENGTH", 1, 1 << 20, MUST_BE_GIVEN}},
    .make = make_documents};
