/* SPDX-License-Identifier: BSD-3-Clause */
/* C = op(A) op(B), of arrays of NumPy, without the interpreter's lock. */
#include <string.h>

#include "core.h"

/* (arrays, products, report or None) of C, which is taken over. */
static PyObject *give(spgemm_csr *C, const settings *s,
                      const spgemm_report *report)
{
    const bool is_narrow = C->index_type == SPGEMM_I32 && C->nnz <= INT32_MAX;
    PyObject *owner = spgemm_python_own(C);
    if (!owner)
        return NULL;
    PyObject *arrays = spgemm_python_arrays(owner, is_narrow);
    Py_DECREF(owner);
    PyObject *said =
        s->wants_report ? spgemm_python_report(report) : Py_NewRef(Py_None);
    PyObject *all =
        arrays && said
            ? Py_BuildValue("(OLO)", arrays, (long long)report->products, said)
            : NULL;
    Py_XDECREF(arrays);
    Py_XDECREF(said);
    return all;
}

static PyObject *multiply(const operand_pair *o, settings *s)
{
    spgemm_csr C = {0};
    spgemm_report report;
    spgemm_python_enter(s);
    spgemm_status status =
        spgemm_predicted(&C, &o->A.csr, &o->B->csr, &s->options, &report);
    if (status == SPGEMM_SUCCESS && s->drops_zeros && !report.lacks_zeros)
        spgemm_python_drop_zeros(&C);
    if (status == SPGEMM_SUCCESS && s->is_by_value &&
        !spgemm_python_sort_by_value(&C)) {
        spgemm_csr_destroy(&C);
        status = SPGEMM_ERROR_OUT_OF_MEMORY;
    }
    spgemm_python_leave(s);
    return status < 0 ? spgemm_python_raise(status, report.refusal)
                      : give(&C, s, &report);
}

PyObject *spgemm_python_multiply(PyObject *module, PyObject *args)
{
    PyObject *a;
    PyObject *b;
    PyObject *given;
    operand_pair operands;
    settings s;
    PyObject *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOO!", &a, &b, &PyDict_Type, &given) ||
        spgemm_python_settings(&s, given) < 0)
        return NULL;
    if (spgemm_python_operands(&operands, a, b) == 0) {
        result = multiply(&operands, &s);
        spgemm_python_operands_release(&operands);
    }
    spgemm_python_settings_clear(&s);
    return result;
}
