/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR to text: equal numbers of entries are formatted in parallel, each into
   a buffer of its own, and handed to the sink in order. */
#include "spgemm/mtx.h"

#include <locale.h>
#include <string.h>

#include "common/checked.h"
#include "common/partition.h"
#include "common/team.h"
#include "common/try.h"
#include "io/mtx_format.h"
#include "matrix/csr.h"

#define TASK_ENTRIES 16384
#define ENTRY_BYTES  (3 * (MTX_NUMBER_BYTES + 1))
#define TASK_BYTES   ((int64_t)TASK_ENTRIES * ENTRY_BYTES)

typedef struct writer {
    const spgemm_csr *A;
    spgemm_mtx_sink *sink;
    void *context;
    locale_t c_locale;
    int team;
    char *buffers;    /* [team][TASK_BYTES] */
    int64_t *lengths; /* [team] bytes used of each */
} writer;

/* Entries [first, last) of A, row by row; returns the bytes. */
static int64_t
format_entries(const writer *w, char *buffer, int64_t first, int64_t last)
{
    const spgemm_csr *A = w->A;
    const bool is_wide = A->index_type == SPGEMM_I64;
    const double *values = A->values;
    char *text = buffer;
    int64_t i = partition_search(A->rowptr, A->nrows, first + 1) - 1;
    for (int64_t p = first; p < last; p++) {
        while (p == A->rowptr[i + 1])
            i++;
        text = spgemm_mtx_format_index(text, i + 1);
        *text++ = ' ';
        text =
            spgemm_mtx_format_index(text, column_at(A->colidx, is_wide, p) + 1);
        if (values) {
            *text++ = ' ';
            text = spgemm_mtx_format_double(text, values[p], w->c_locale);
        }
        *text++ = '\n';
    }
    return text - buffer;
}

static spgemm_status put(const writer *w, const char *text, int64_t length)
{
    return w->sink(w->context, text, (size_t)length) == 0 ? SPGEMM_SUCCESS
                                                          : SPGEMM_ERROR_IO;
}

static spgemm_status write_header(const writer *w)
{
    char text[128];
    char *end = text;
    const char *banner = w->A->values
                             ? "%%MatrixMarket matrix coordinate real general\n"
                             : "%%MatrixMarket matrix coordinate pattern "
                               "general\n";
    end = stpcpy(end, banner);
    end = spgemm_mtx_format_index(end, w->A->nrows);
    *end++ = ' ';
    end = spgemm_mtx_format_index(end, w->A->ncols);
    *end++ = ' ';
    end = spgemm_mtx_format_index(end, w->A->nnz);
    *end++ = '\n';
    return put(w, text, end - text);
}

static spgemm_status write_entries(const writer *w)
{
    const int64_t nnz = w->A->nnz;
    const int64_t batch = (int64_t)w->team * TASK_ENTRIES;
    for (int64_t first = 0; first < nnz; first += batch) {
        const int64_t ntasks =
            min_i64(w->team, (nnz - first - 1) / TASK_ENTRIES + 1);
#pragma omp parallel for schedule(dynamic, 1) num_threads(w->team)
        for (int64_t task = 0; task < ntasks; task++) {
            const team_fpmode mode = team_fpmode_enter();
            const int64_t begin = first + task * TASK_ENTRIES;
            w->lengths[task] =
                format_entries(w, w->buffers + task * TASK_BYTES, begin,
                               min_i64(begin + TASK_ENTRIES, nnz));
            team_fpmode_leave(&mode);
        }
        for (int64_t task = 0; task < ntasks; task++) {
            const spgemm_status status =
                put(w, w->buffers + task * TASK_BYTES, w->lengths[task]);
            if (status < 0)
                return status;
        }
    }
    return SPGEMM_SUCCESS;
}

spgemm_status
spgemm_mtx_write(const spgemm_csr *A, spgemm_mtx_sink *sink, void *context)
{
    spgemm_status status = SPGEMM_SUCCESS;
    writer w = {.A = A, .sink = sink, .context = context};
    memory m;
    spgemm_memory_init(&m, NULL);

    SPGEMM_REQUIRE(sink && spgemm_csr_check(A, NULL) == SPGEMM_SUCCESS,
                   SPGEMM_ERROR_INVALID);
    w.team = spgemm_team_size(0, A->nnz, TASK_ENTRIES);
    w.buffers = spgemm_memory_allocate(&m, w.team, (size_t)TASK_BYTES);
    w.lengths = spgemm_memory_allocate(&m, w.team, sizeof *w.lengths);
    w.c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    SPGEMM_REQUIRE(w.buffers && w.lengths && w.c_locale,
                   SPGEMM_ERROR_OUT_OF_MEMORY);
    SPGEMM_TRY(write_header(&w));
    SPGEMM_TRY(write_entries(&w));
cleanup:
    if (w.c_locale)
        freelocale(w.c_locale);
    spgemm_memory_release(&m, w.buffers, w.team, (size_t)TASK_BYTES);
    spgemm_memory_release(&m, w.lengths, w.team, sizeof *w.lengths);
    return status;
}
