/* SPDX-License-Identifier: BSD-3-Clause */
/* B(k,:) for the columns k of A(i,:), i a row of this rank, that other ranks
   own: each sends its rows packed, columns and values apart, and they arrive in
   the order of k, where they stay. */
#include "halo.h"

#include <limits.h>
#include <stdlib.h>

/* A message in one direction: some rows, their entries in one piece. */
typedef struct message {
    PetscMPIInt rank;
    int64_t begin;
    int64_t length;
} message;

typedef struct mail {
    PetscInt nsent;
    PetscInt nreceived;
    message *sent;
    message *received;
    /* [entries sent] one kind at a time. */
    void *packed;
    MPI_Request *requests;
} mail;

static PetscInt row_length(const local_rows *rows, PetscInt row)
{
    return rows->own.rowptr[row + 1] - rows->own.rowptr[row] +
           rows->other.rowptr[row + 1] - rows->other.rowptr[row];
}

PetscErrorCode halo_create(halo *h, Mat B, PetscInt nrows,
                           const PetscInt *row_of, const local_rows *rows,
                           trouble *what)
{
    PetscLayout layout;
    PetscInt *length;
    PetscInt *length_here;
    PetscInt nrows_here;

    PetscFunctionBegin;
    *h = (halo){.nrows = nrows};
    PetscCall(MatGetLayouts(B, &layout, NULL));
    PetscCall(PetscSFCreate(PetscObjectComm((PetscObject)B), &h->sf));
    PetscCall(PetscSFSetGraphLayout(h->sf, layout, nrows, NULL,
                                    PETSC_COPY_VALUES, row_of));
    PetscCall(PetscSFSetUp(h->sf));
    PetscCall(MatGetLocalSize(B, &nrows_here, NULL));
    PetscCall(PetscMalloc2(nrows, &length, nrows_here, &length_here));
    for (PetscInt k = 0; k < nrows_here; k++)
        length_here[k] = row_length(rows, k);
    PetscCall(
        PetscSFBcastBegin(h->sf, MPIU_INT, length_here, length, MPI_REPLACE));
    PetscCall(
        PetscSFBcastEnd(h->sf, MPIU_INT, length_here, length, MPI_REPLACE));
    h->start = malloc(((size_t)nrows + 1) * sizeof(*h->start));
    if (h->start != NULL) {
        h->start[0] = 0;
        for (PetscInt k = 0; k < nrows; k++)
            h->start[k + 1] = h->start[k] + length[k];
        halo_make_room(h, what);
        h->columns = malloc((size_t)h->start[nrows] * sizeof(PetscInt) + 1);
    }
    if (h->start == NULL || h->columns == NULL)
        trouble_no_memory(what, ((size_t)nrows + 1) * sizeof(*h->start));
    PetscCall(PetscFree2(length, length_here));
    PetscFunctionReturn(0);
}

void halo_make_room(halo *h, trouble *what)
{
    const size_t bytes = (size_t)h->start[h->nrows] * sizeof(PetscScalar);
    h->values = malloc(bytes + 1);
    if (h->values == NULL)
        trouble_no_memory(what, bytes);
}

/* Entries of a row of this rank in the order of their columns: those of others
   below its own, its own, those above. */
static void pack_row(const local_rows *rows, PetscInt row, PetscInt **columns,
                     PetscScalar **values)
{
    const PetscInt *const own = rows->own.colidx;
    const PetscInt *const other = rows->other.colidx;
    const PetscScalar *const own_values = rows->own.values;
    const PetscScalar *const other_values = rows->other.values;
    PetscInt q = rows->other.rowptr[row];
    const PetscInt q_end = rows->other.rowptr[row + 1];
    for (int half = 0; half < 2; half++) {
        for (; q < q_end; q++) {
            const PetscInt column = rows->column_of[other[q]];
            if (half == 0 && column >= rows->first_column)
                break;
            if (*columns != NULL)
                *(*columns)++ = column;
            else
                *(*values)++ = other_values[q];
        }
        for (PetscInt p = rows->own.rowptr[row];
             half == 0 && p < rows->own.rowptr[row + 1]; p++) {
            if (*columns != NULL)
                *(*columns)++ = rows->first_column + own[p];
            else
                *(*values)++ = own_values[p];
        }
    }
}

/* Rows go to the ranks that the star forest names, and come from others. */
static PetscErrorCode address(const halo *h, const local_rows *rows, mail *m)
{
    const PetscMPIInt *to;
    const PetscMPIInt *from;
    const PetscInt *to_offset;
    const PetscInt *from_offset;
    const PetscInt *row;
    const PetscInt *place;
    const PetscInt *unused;

    PetscFunctionBegin;
    PetscCall(PetscSFGetLeafRanks(h->sf, &m->nsent, &to, &to_offset, &row));
    PetscCall(PetscSFGetRootRanks(h->sf, &m->nreceived, &from, &from_offset,
                                  &place, &unused));
    PetscCall(PetscMalloc3(m->nsent, &m->sent, m->nreceived, &m->received,
                           (m->nsent + m->nreceived), &m->requests));
    int64_t begin = 0;
    for (PetscInt r = 0; r < m->nsent; r++) {
        m->sent[r] = (message){.rank = to[r], .begin = begin};
        for (PetscInt t = to_offset[r]; t < to_offset[r + 1]; t++)
            begin += row_length(rows, row[t]);
        m->sent[r].length = begin - m->sent[r].begin;
    }
    for (PetscInt r = 0; r < m->nreceived; r++) {
        /* Rows of one rank are next to each other, in order. */
        const PetscInt first = place ? place[from_offset[r]] : from_offset[r];
        const PetscInt end = first + from_offset[r + 1] - from_offset[r];
        m->received[r] = (message){from[r], h->start[first],
                                   h->start[end] - h->start[first]};
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode pack(const halo *h, const local_rows *rows, mail *m,
                           bool is_values)
{
    const PetscMPIInt *to;
    const PetscInt *offset;
    const PetscInt *row;
    PetscInt nranks;

    PetscFunctionBegin;
    PetscCall(PetscSFGetLeafRanks(h->sf, &nranks, &to, &offset, &row));
    PetscInt *columns = is_values ? NULL : m->packed;
    PetscScalar *values = is_values ? m->packed : NULL;
    for (PetscInt t = 0; nranks > 0 && t < offset[nranks]; t++)
        pack_row(rows, row[t], &columns, &values);
    PetscFunctionReturn(0);
}

static PetscErrorCode exchange(const halo *h, mail *m, MPI_Datatype type,
                               size_t bytes, void *arrived)
{
    const MPI_Comm comm = PetscObjectComm((PetscObject)h->sf);
    PetscMPIInt tag;
    PetscMPIInt length;

    PetscFunctionBegin;
    PetscCall(PetscObjectGetNewTag((PetscObject)h->sf, &tag));
    for (PetscInt r = 0; r < m->nreceived; r++) {
        PetscCall(PetscMPIIntCast((PetscInt)m->received[r].length, &length));
        PetscCallMPI(MPI_Irecv(
            (char *)arrived + (size_t)m->received[r].begin * bytes, length,
            type, m->received[r].rank, tag, comm, m->requests + r));
    }
    for (PetscInt r = 0; r < m->nsent; r++) {
        PetscCall(PetscMPIIntCast((PetscInt)m->sent[r].length, &length));
        PetscCallMPI(MPI_Isend(
            (char *)m->packed + (size_t)m->sent[r].begin * bytes, length, type,
            m->sent[r].rank, tag, comm, m->requests + m->nreceived + r));
    }
    PetscCallMPI(MPI_Waitall((PetscMPIInt)(m->nreceived + m->nsent),
                             m->requests, MPI_STATUSES_IGNORE));
    PetscFunctionReturn(0);
}

static PetscErrorCode fetch(halo *h, const local_rows *rows, bool is_values,
                            void *arrived)
{
    const size_t bytes = is_values ? sizeof(PetscScalar) : sizeof(PetscInt);
    mail m = {0};

    PetscFunctionBegin;
    PetscCall(address(h, rows, &m));
    const int64_t nsent =
        m.nsent ? m.sent[m.nsent - 1].begin + m.sent[m.nsent - 1].length : 0;
    PetscCall(PetscMalloc((size_t)nsent * bytes, &m.packed));
    PetscCall(pack(h, rows, &m, is_values));
    PetscCall(
        exchange(h, &m, is_values ? MPIU_SCALAR : MPIU_INT, bytes, arrived));
    PetscCall(PetscFree(m.packed));
    PetscCall(PetscFree3(m.sent, m.received, m.requests));
    PetscFunctionReturn(0);
}

PetscErrorCode halo_fetch_columns(halo *h, const local_rows *rows)
{
    PetscFunctionBegin;
    PetscCall(fetch(h, rows, false, h->columns));
    PetscFunctionReturn(0);
}

PetscErrorCode halo_fetch_values(halo *h, const local_rows *rows)
{
    PetscFunctionBegin;
    PetscCall(fetch(h, rows, true, h->values));
    PetscFunctionReturn(0);
}

void halo_forget_values(halo *h)
{
    free(h->values);
    h->values = NULL;
}

PetscErrorCode halo_destroy(halo *h)
{
    PetscFunctionBegin;
    halo_forget_values(h);
    free(h->columns);
    free(h->start);
    PetscCall(PetscSFDestroy(&h->sf));
    *h = (halo){0};
    PetscFunctionReturn(0);
}
