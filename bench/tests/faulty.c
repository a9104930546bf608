/* SPDX-License-Identifier: BSD-3-Clause */
/* A peer for the tests: multiplies by the definition, and then, by other
   methods, spoils what it has or never ends. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../peers/copy.h"
#include "../peers/peer.h"

enum {
    RIGHT,
    WRONG_VALUE,
    WRONG_COLUMN,
    UNSORTED,
    LACKING,
    FAILS,
    SLOW,
    CRASHES
};

static spgemm_csr operands[2];
static const spgemm_csr *const a = &operands[0];
static const spgemm_csr *b;
static double *sums; /* dense: the matrices are tiny */
static spgemm_csr c;

static bool open_faulty(int nthreads, char version[PEER_VERSION_BYTES])
{
    (void)nthreads;
    strcpy(version, "faulty on purpose");
    return true;
}

/* The driver's matrices stay mapped; those of the start do not. */
static bool take(int which, const spgemm_csr *A)
{
    operands[which] = *A;
    return true;
}

static void add_products(void)
{
    const int32_t *Aj = a->colidx;
    const int32_t *Bj = b->colidx;
    const double *Ax = a->values;
    const double *Bx = b->values;
    for (int64_t i = 0; i < a->nrows; i++)
        for (int64_t p = a->rowptr[i]; p < a->rowptr[i + 1]; p++)
            for (int64_t q = b->rowptr[Aj[p]]; q < b->rowptr[Aj[p] + 1]; q++)
                sums[i * b->ncols + Bj[q]] += Ax[p] * Bx[q];
}

static void gather(bool is_backward)
{
    int32_t *Cj = c.colidx;
    double *Cx = c.values;
    for (int64_t i = 0; i < a->nrows; i++) {
        c.rowptr[i + 1] = c.rowptr[i];
        for (int64_t k = 0; k < b->ncols; k++) {
            const int64_t j = is_backward ? b->ncols - 1 - k : k;
            if (sums[i * b->ncols + j] == 0)
                continue;
            Cj[c.rowptr[i + 1]] = (int32_t)j;
            Cx[c.rowptr[i + 1]++] = sums[i * b->ncols + j];
        }
    }
}

static void spoil(int method)
{
    if (method == WRONG_VALUE)
        ((double *)c.values)[0] *= 1 + 1e-9;
    if (method == WRONG_COLUMN)
        ((int32_t *)c.colidx)[c.rowptr[c.nrows] - 1] = (int32_t)b->ncols;
    if (method == LACKING)
        c.rowptr[c.nrows]--;
    if (method == SLOW)
        sleep(1000);
    if (method == CRASHES)
        raise(SIGKILL);
}

static void release(void)
{
    free(c.rowptr);
    free(c.colidx);
    free(c.values);
    free(sums);
}

static bool multiply(const peer_product *p)
{
    b = &operands[p->right];
    const int64_t places = a->nrows * b->ncols;
    /* The tiny product of the start comes out well. */
    const bool is_start = a->nrows == 2;
    if (p->method == FAILS && !is_start)
        return false;
    sums = copy_room(places, sizeof *sums);
    memset(sums, 0, (size_t)places * sizeof *sums);
    c = (spgemm_csr){.nrows = a->nrows,
                     .rowptr = copy_room(a->nrows + 1, sizeof(int64_t)),
                     .colidx = copy_room(places, sizeof(int32_t)),
                     .values = copy_room(places, sizeof(double))};
    c.rowptr[0] = 0;
    add_products();
    gather(p->method == UNSORTED);
    if (!is_start)
        spoil(p->method);
    return true;
}

static int64_t count(void)
{
    return c.rowptr[c.nrows];
}

static bool give(spgemm_csr *C)
{
    copy_matrix(C, &c);
    return true;
}

const peer *bench_peer(void)
{
    static const peer faulty = {
        .methods = {{"right", PEER_SORTED | PEER_UNSORTED},
                    {"wrong_value", PEER_SORTED},
                    {"wrong_column", PEER_UNSORTED},
                    {"unsorted", PEER_SORTED | PEER_UNSORTED},
                    {"lacking", PEER_SORTED},
                    {"fails", PEER_SORTED},
                    {"slow", PEER_SORTED},
                    {"crashes", PEER_SORTED}},
        .open = open_faulty,
        .take = take,
        .multiply = multiply,
        .count = count,
        .give = give,
        .release = release,
    };
    return &faulty;
}
