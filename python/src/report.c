/* SPDX-License-Identifier: BSD-3-Clause */
/* A report as a dict. */
#include <string.h>

#include "core.h"

static PyObject *rows_by_accumulator(const spgemm_report *r)
{
    PyObject *rows = PyDict_New();
    for (int a = 0; rows && a < SPGEMM_ACCUMULATOR_COUNT; a++) {
        PyObject *count = PyLong_FromLongLong(r->rows_by_accumulator[a]);
        if (!count || PyDict_SetItemString(
                          rows, spgemm_accumulator_name((spgemm_accumulator)a),
                          count) < 0)
            Py_CLEAR(rows);
        Py_XDECREF(count);
    }
    return rows;
}

PyObject *spgemm_python_report(const spgemm_report *r)
{
    PyObject *rows = rows_by_accumulator(r);
    if (!rows)
        return NULL;
    return Py_BuildValue(
        "{s:s,s:i,s:s,s:s,s:O,s:L,s:L,s:d,s:L,s:L,s:L,s:L,s:L,s:N,s:n,s:n,s:n,"
        "s:n,s:d,s:d,s:d}",
        "predictor", spgemm_predictor_name(r->predictor), "threads",
        r->nthreads, "isa", r->isa, "memory", r->memory, "is_sorted",
        r->row_order == SPGEMM_ROWS_SORTED ? Py_True : Py_False, "products",
        (long long)r->products, "nnz_predicted", (long long)r->nnz_predicted,
        "nnz_standard_error", r->nnz_standard_error, "nnz", (long long)r->nnz,
        "rows_sampled", (long long)r->rows_sampled, "products_sampled",
        (long long)r->products_sampled, "overflow_rows",
        (long long)r->overflow_rows, "overflow_entries",
        (long long)r->overflow_entries, "rows_by_accumulator", rows, "c_bytes",
        (Py_ssize_t)r->c_bytes, "allocated_bytes",
        (Py_ssize_t)r->allocated_bytes, "peak_bytes", (Py_ssize_t)r->peak_bytes,
        "upper_bound_bytes", (Py_ssize_t)r->upper_bound_bytes,
        "predict_seconds", r->products_seconds + r->predict_seconds,
        "multiply_seconds", r->multiply_seconds, "total_seconds",
        r->total_seconds);
}
