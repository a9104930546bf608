/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz(A B), and of each row, without A B. */
#include "core.h"

/* (products, bound, nnz, standard error, rows sampled, products sampled,
   seconds). */
static PyObject *give(const spgemm_prediction *p)
{
    return Py_BuildValue("(LLddLLd)", (long long)p->products,
                         (long long)p->bound, p->nnz, p->standard_error,
                         (long long)p->rows_sampled,
                         (long long)p->products_sampled,
                         p->products_seconds + p->predict_seconds);
}

static PyObject *predict(const operand_pair *o, settings *s, double *rows)
{
    spgemm_prediction p;
    spgemm_python_enter(s);
    const spgemm_status status =
        spgemm_predict(&p, &o->A.csr, &o->B->csr, &s->options, rows);
    spgemm_python_leave(s);
    return status < 0 ? spgemm_python_raise(status, p.refusal) : give(&p);
}

/* predict(A, B, settings, rows): rows is None, or a buffer of doubles, one for each
   row of C. */
PyObject *spgemm_python_predict(PyObject *module, PyObject *args)
{
    PyObject *a;
    PyObject *b;
    PyObject *given;
    PyObject *rows;
    Py_buffer room = {0};
    operand_pair operands;
    settings s;
    PyObject *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOO!O", &a, &b, &PyDict_Type, &given, &rows) ||
        (rows != Py_None &&
         PyObject_GetBuffer(rows, &room, PyBUF_WRITABLE) < 0))
        return NULL;
    if (spgemm_python_settings(&s, given) == 0) {
        if (spgemm_python_operands(&operands, a, b) == 0) {
            result = predict(&operands, &s, room.buf);
            spgemm_python_operands_release(&operands);
        }
        spgemm_python_settings_clear(&s);
    }
    PyBuffer_Release(&room);
    return result;
}
