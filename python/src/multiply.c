/* SPDX-License-Identifier: BSD-3-Clause */
/* C = op(A) op(B) and C = op(R) A op(P), of arrays of NumPy, without the
   interpreter's lock. */
#include <string.h>

#include "core.h"

/* (arrays, products, report or None) of C, which is taken over. */
static PyObject *give(spgemm_csr *C, const settings *s,
                      const spgemm_report *report)
{
    PyObject *arrays = spgemm_python_give_arrays(C);
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

/* R: NULL of a product of two. */
static PyObject *multiply(const operand *R, const operand *A, const operand *B,
                          settings *s)
{
    spgemm_csr C = {0};
    spgemm_report report;
    spgemm_python_enter(s);
    spgemm_status status =
        R ? spgemm_rap(&C, &R->csr, &A->csr, &B->csr, &s->options, &report)
          : spgemm_predicted(&C, &A->csr, &B->csr, &s->options, &report);
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
        result = multiply(NULL, &operands.A, operands.B, &s);
        spgemm_python_operands_release(&operands);
    }
    spgemm_python_settings_clear(&s);
    return result;
}

PyObject *spgemm_python_rap(PyObject *module, PyObject *args)
{
    PyObject *r;
    PyObject *a;
    PyObject *p;
    PyObject *given;
    operand R;
    operand_pair others;
    settings s;
    PyObject *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOO!", &r, &a, &p, &PyDict_Type, &given) ||
        spgemm_python_settings(&s, given) < 0)
        return NULL;
    if (spgemm_python_operand(&R, r) == 0) {
        if (spgemm_python_operands(&others, a, p) == 0) {
            result = multiply(&R, &others.A, others.B, &s);
            spgemm_python_operands_release(&others);
        }
        spgemm_python_release(&R);
    }
    spgemm_python_settings_clear(&s);
    return result;
}
