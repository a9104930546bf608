/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Algebraic multigrid for A x = b: the next coarser matrix is P^T A P, with P
 * of smoothed aggregation. When the coefficients of A change and its pattern
 * does not, plans repeat the products of all levels, values only.
 *
 * P. Vanek, J. Mandel, M. Brezina, Algebraic multigrid by smoothed aggregation
 * for second and fourth order elliptic problems, Computing 56:179-196, 1996.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spgemm/plan.h>
#include <spgemm/spgemm.h>

#define TRY(call)                                                              \
    do {                                                                       \
        status = (call);                                                       \
        if (status != SPGEMM_SUCCESS)                                          \
            goto cleanup;                                                      \
    } while (0)

enum { SIDE = 100, MOST_LEVELS = 10, COARSEST = 30, MOST_CYCLES = 50 };

typedef struct level {
    spgemm_csr A;
    spgemm_csr P; /* to here from the next level; the coarsest has none */
    spgemm_csr AP;
    spgemm_plan *times_P;  /* AP = A * P */
    spgemm_plan *times_AP; /* A of the next level = P^T * AP */
    double *x;             /* x, b and r: one array of 3 n */
    double *b;
    double *r;
} level;

/* A 5-point stencil on SIDE x SIDE points: heat flows between neighbours i and
   j, and out at the rim, the better the larger 1 + slope (i + j). */
static spgemm_status make_poisson(spgemm_csr *A, double slope)
{
    const int32_t n = SIDE * SIDE;
    const spgemm_status status = spgemm_csr_create(
        A, n, n, 5 * n - 4 * SIDE, SPGEMM_I32, SPGEMM_FP64, NULL);
    if (status != SPGEMM_SUCCESS)
        return status;
    int32_t *columns = A->colidx;
    double *values = A->values;
    int64_t p = 0;
    for (int32_t i = 0; i < n; i++) {
        const int32_t steps[5] = {-SIDE, -1, 0, 1, SIDE};
        int64_t middle = 0;
        double sum = 0;
        for (int t = 0; t < 5; t++) {
            const int32_t j = i + steps[t];
            const double flow = 1 + slope * (i + j) / n;
            const bool is_inside =
                j >= 0 && j < n &&
                (j / SIDE == i / SIDE || j % SIDE == i % SIDE);
            if (t == 2)
                middle = p;
            else
                sum += flow;
            if (is_inside) {
                columns[p] = j;
                values[p++] = -flow;
            }
        }
        values[middle] = sum;
        A->rowptr[i + 1] = p;
    }
    return status;
}

/* Cuts the points into aggregates: a point with its neighbours where all are
   free, then the rest to one beside them. group[i] is that of point i; returns
   how many there are. */
static int32_t aggregate(int32_t *group, const spgemm_csr *A)
{
    const int32_t *columns = A->colidx;
    int32_t ngroups = 0;
    for (int64_t i = 0; i < A->nrows; i++)
        group[i] = -1;
    for (int64_t i = 0; i < A->nrows; i++) {
        bool is_free = group[i] < 0;
        for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++)
            is_free = is_free && group[columns[p]] < 0;
        if (is_free)
            group[i] = ngroups;
        for (int64_t p = A->rowptr[i]; is_free && p < A->rowptr[i + 1]; p++)
            group[columns[p]] = ngroups;
        ngroups += is_free;
    }
    for (int64_t i = 0; i < A->nrows; i++)
        for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++)
            if (group[i] < 0)
                group[i] = group[columns[p]];
    return ngroups;
}

static double diagonal(const spgemm_csr *A, int64_t i)
{
    for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++)
        if (((const int32_t *)A->colidx)[p] == i)
            return ((const double *)A->values)[p];
    return 0;
}

/* P = T - 2/3 D^-1 A T: D is the diagonal of A, T(i, group of i) = 1. It is
   one product, with alpha = -2/3 and T added. */
static spgemm_status make_prolongator(spgemm_csr *P, const spgemm_csr *A)
{
    spgemm_status status;
    spgemm_csr T = {0};
    double *scaled = malloc(sizeof *scaled * (size_t)A->nnz);
    const double alpha = -2.0 / 3;

    TRY(scaled ? SPGEMM_SUCCESS : SPGEMM_ERROR_OUT_OF_MEMORY);
    for (int64_t i = 0; i < A->nrows; i++)
        for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++)
            scaled[p] = ((const double *)A->values)[p] / diagonal(A, i);
    const spgemm_csr S =
        spgemm_csr_view(A->nrows, A->ncols, A->nnz, A->rowptr, A->colidx,
                        scaled, SPGEMM_I32, SPGEMM_FP64);

    TRY(spgemm_csr_create(&T, A->nrows, A->nrows, A->nrows, SPGEMM_I32,
                          SPGEMM_FP64, NULL));
    T.ncols = aggregate(T.colidx, A);
    for (int64_t i = 0; i < T.nrows; i++) {
        T.rowptr[i + 1] = i + 1;
        ((double *)T.values)[i] = 1;
    }
    TRY(spgemm_predicted(
        P, &S, &T, &(spgemm_options){.product.alpha = &alpha, .product.D = &T},
        NULL));
cleanup:
    spgemm_csr_destroy(&T);
    free(scaled);
    return status;
}

/* Makes levels[1], ... for levels[0].A; *last is the coarsest. */
static spgemm_status set_up(level *levels, int *last)
{
    const spgemm_options transposed = {.product.op_a = SPGEMM_OP_TRANSPOSE};
    spgemm_status status = SPGEMM_SUCCESS;
    for (int l = 0;; l++) {
        level *fine = &levels[l];
        const size_t n = (size_t)fine->A.nrows;
        fine->x = calloc(3 * n, sizeof *fine->x);
        TRY(fine->x ? SPGEMM_SUCCESS : SPGEMM_ERROR_OUT_OF_MEMORY);
        fine->b = fine->x + n;
        fine->r = fine->b + n;
        *last = l;
        printf("level %d: %zu points, %" PRId64 " entries\n", l, n,
               fine->A.nnz);
        if (n <= COARSEST || l + 1 == MOST_LEVELS)
            break;
        TRY(make_prolongator(&fine->P, &fine->A));
        TRY(spgemm_plan_create(&fine->times_P, &fine->AP, &fine->A, &fine->P,
                               NULL, NULL));
        TRY(spgemm_plan_create(&fine->times_AP, &levels[l + 1].A, &fine->P,
                               &fine->AP, &transposed, NULL));
    }
cleanup:
    return status;
}

/* The same for other values of levels[0].A, with the P there are; *is_same:
   whether P^T A P is that of a fresh call, which keeps no A P, bit for bit. */
static spgemm_status repeat(level *levels, int last, bool *is_same)
{
    spgemm_status status = SPGEMM_SUCCESS;
    spgemm_csr RAP = {0};
    *is_same = true;
    for (int l = 0; l < last; l++) {
        level *fine = &levels[l];
        spgemm_csr *coarse = &levels[l + 1].A;
        TRY(spgemm_plan_repeat(fine->times_P, &fine->AP, &fine->A, &fine->P,
                               NULL));
        TRY(spgemm_plan_repeat(fine->times_AP, coarse, &fine->P, &fine->AP,
                               NULL));

        TRY(spgemm_rap(&RAP, NULL, &fine->A, &fine->P, NULL, NULL));
        *is_same = *is_same && spgemm_csr_equal(&RAP, coarse);
        spgemm_csr_destroy(&RAP);
    }
cleanup:
    spgemm_csr_destroy(&RAP);
    return status;
}

/* The i-th entry of A * x. */
static double row_times(const spgemm_csr *A, int64_t i, const double *x)
{
    double sum = 0;
    for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++)
        sum +=
            ((const double *)A->values)[p] * x[((const int32_t *)A->colidx)[p]];
    return sum;
}

/* Gauss-Seidel, down the rows and up again. */
static void smooth(level *v)
{
    const int64_t n = v->A.nrows;
    for (int64_t t = 0; t < 2 * n; t++) {
        const int64_t i = t < n ? t : 2 * n - 1 - t;
        const double off = v->b[i] - row_times(&v->A, i, v->x);
        v->x[i] += off / diagonal(&v->A, i);
    }
}

/* r = b - A x; returns its length. */
static double find_residual(level *v)
{
    double squares = 0;
    for (int64_t i = 0; i < v->A.nrows; i++) {
        v->r[i] = v->b[i] - row_times(&v->A, i, v->x);
        squares += v->r[i] * v->r[i];
    }
    return sqrt(squares);
}

/* One V-cycle: x of *fine is nearer to the solution. */
static void descend(level *fine, int levels_below)
{
    if (levels_below == 0) {
        for (int t = 0; t < COARSEST; t++)
            smooth(fine);
        return;
    }
    level *coarse = fine + 1;
    const spgemm_csr *P = &fine->P;
    smooth(fine);
    find_residual(fine);
    memset(coarse->x, 0, sizeof(double) * 2 * (size_t)P->ncols); /* and b */
    for (int64_t i = 0; i < P->nrows; i++)
        for (int64_t p = P->rowptr[i]; p < P->rowptr[i + 1]; p++)
            coarse->b[((const int32_t *)P->colidx)[p]] +=
                ((const double *)P->values)[p] * fine->r[i];
    descend(coarse, levels_below - 1);
    for (int64_t i = 0; i < P->nrows; i++)
        fine->x[i] += row_times(P, i, coarse->x);
    smooth(fine);
}

/* Whether V-cycles bring the residual of A x = 1 below 1e-8 of its length. */
static bool solve(level *levels, int last)
{
    const int64_t n = levels->A.nrows;
    const double goal = 1e-8 * sqrt((double)n);
    for (int64_t i = 0; i < n; i++) {
        levels->x[i] = 0;
        levels->b[i] = 1;
    }
    int cycles = 0;
    while (find_residual(levels) > goal && cycles < MOST_CYCLES) {
        descend(levels, last);
        cycles++;
    }
    const double residual = find_residual(levels);
    printf("%d cycles, residual %.1e\n", cycles, residual / sqrt((double)n));
    return residual <= goal;
}

int main(void)
{
    spgemm_status status;
    level levels[MOST_LEVELS] = {0};
    int last = 0;
    bool is_same = false;
    bool is_right = false;

    TRY(make_poisson(&levels->A, 0));
    TRY(set_up(levels, &last));
    is_right = solve(levels, last);
    for (int step = 1; step <= 3; step++) {
        spgemm_csr_destroy(&levels->A);
        TRY(make_poisson(&levels->A, step));
        TRY(repeat(levels, last, &is_same));
        is_right = solve(levels, last) && is_same && is_right;
    }
cleanup:
    if (status != SPGEMM_SUCCESS)
        fprintf(stderr, "multigrid: %s\n", spgemm_status_string(status));
    else if (!is_right)
        fprintf(stderr, "multigrid: wrong result\n");
    for (int l = 0; l < MOST_LEVELS; l++) {
        spgemm_csr_destroy(&levels[l].A);
        spgemm_csr_destroy(&levels[l].P);
        spgemm_csr_destroy(&levels[l].AP);
        spgemm_plan_destroy(levels[l].times_P);
        spgemm_plan_destroy(levels[l].times_AP);
        free(levels[l].x);
    }
    return status == SPGEMM_SUCCESS && is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
