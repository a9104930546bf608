/* SPDX-License-Identifier: BSD-3-Clause */
/* A(i,j) != 0 where points i and j are the ends of an edge of Delaunay's
   triangulation of N points: uniform in a square, numbered along Hilbert's
   curve. The graphs delaunay_n10 ... delaunay_n24 of DIMACS are such. */
#include "hilbert.h"
#include "kind.h"
#include "triangulate.h"

/* A point is uniform in the square if its number on the curve is uniform.
   INVALID: two of these points are one. */
static spgemm_status draw_points(plane_point *points, int64_t npoints,
                                 uint64_t seed)
{
    spgemm_status status = SPGEMM_SUCCESS;
    uint64_t *numbers = malloc((size_t)npoints * sizeof *numbers);
    if (!numbers)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    for (int64_t i = 0; i < npoints; i++)
        numbers[i] = rng_bits(seed, (uint64_t)i) >> (64 - 2 * PLANE_BITS);
    sort_keys(numbers, npoints);
    for (int64_t i = 0; i < npoints; i++) {
        uint32_t at[2];
        hilbert_point(numbers[i], 2, PLANE_BITS, at);
        points[i] = (plane_point){(int32_t)at[0], (int32_t)at[1]};
        if (i > 0 && numbers[i - 1] == numbers[i])
            status = SPGEMM_ERROR_INVALID;
    }
    free(numbers);
    return status;
}

/* Draw again what cannot be triangulated. */
static spgemm_status triangulate_points(triangulation *T, const recipe *r)
{
    spgemm_status status = SPGEMM_ERROR_INVALID;
    const int64_t npoints = r->sizes[0];
    const uint64_t seed = stream_seed(r, STREAM_POINTS);
    plane_point *points = malloc((size_t)npoints * sizeof *points);
    if (!points)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    for (uint64_t k = 0; status == SPGEMM_ERROR_INVALID; k++) {
        status = draw_points(points, npoints, rng_bits(seed, k));
        if (status == SPGEMM_SUCCESS)
            status = triangulate(T, points, npoints);
    }
    free(points);
    return status;
}

/* Whether an edge has two ends: the edge of triangle t across from corner k. */
static bool find_edge(const triangulation *T, int64_t t, int k, int32_t *ends)
{
    ends[0] = T->triangles[t].corner[(k + 1) % 3];
    ends[1] = T->triangles[t].corner[(k + 2) % 3];
    return ends[0] < T->npoints && ends[1] < T->npoints;
}

/* Triangles that share an edge go along it in opposite directions: with the
   ghosts, each entry and its mirror image occur once. */
static spgemm_status make_edges(spgemm_csr *A, const triangulation *T)
{
    int32_t ends[2];
    const int64_t n = T->npoints;
    const spgemm_status status = spgemm_csr_create(
        A, n, n, 3 * T->ntriangles, SPGEMM_I32, SPGEMM_FP64, NULL);
    if (status < 0)
        return status;
    int32_t *columns = A->colidx;
    int64_t *ends_of_rows = A->rowptr + 1;
    for (int64_t t = 0; t < T->ntriangles; t++)
        for (int k = 0; k < 3; k++)
            if (find_edge(T, t, k, ends))
                ends_of_rows[ends[0]]++;
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t count = ends_of_rows[i];
        ends_of_rows[i] = sum;
        sum += count;
    }
    for (int64_t t = 0; t < T->ntriangles; t++)
        for (int k = 0; k < 3; k++)
            if (find_edge(T, t, k, ends))
                columns[ends_of_rows[ends[0]]++] = ends[1];
    for (int64_t i = 0; i < n; i++)
        sort_unique(columns + A->rowptr[i], A->rowptr[i + 1] - A->rowptr[i]);
    A->nnz = sum;
    A->flags |= SPGEMM_SORTED_ROWS;
    return SPGEMM_SUCCESS;
}

static spgemm_status make_delaunay(spgemm_csr *A, const recipe *r)
{
    triangulation T = {0};
    spgemm_status status = triangulate_points(&T, r);
    if (status == SPGEMM_SUCCESS)
        status = make_edges(A, &T);
    triangulation_destroy(&T);
    return status;
}

const matrix_kind kind_delaunay = {
    .name = "delaunay",
    .help = "N: Delaunay's triangulation of N random points in a square",
    .sizes = {{"N", 3, PLANE_POINTS, MUST_BE_GIVEN}},
    .make = make_delaunay};
