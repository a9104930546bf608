/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix of SciPy as a matrix of the library: a view of its arrays. */
#include <stdlib.h>

#include "core.h"

static int get_array(PyObject *object, Py_buffer *view, const char *name,
                     Py_ssize_t count)
{
    if (PyObject_GetBuffer(object, view, PyBUF_ND) < 0)
        return -1;
    if (view->ndim == 1 && view->shape[0] >= count)
        return 0;
    if (view->ndim == 1)
        PyErr_Format(PyExc_ValueError, "%s has fewer entries than the matrix",
                     name);
    else
        PyErr_Format(PyExc_ValueError, "%s has %d dimensions, not 1", name,
                     view->ndim);
    return -1;
}

static int has_size(const Py_buffer *view, const char *name, Py_ssize_t a,
                    Py_ssize_t b)
{
    if (view->itemsize == a || view->itemsize == b)
        return 0;
    PyErr_Format(PyExc_TypeError, "%s has entries of %zd bytes", name,
                 view->itemsize);
    return -1;
}

/* The library reads row pointers of 64 bits. */
static int64_t *widen(const int32_t *rowptr, int64_t count)
{
    int64_t *wide = malloc((size_t)count * sizeof *wide);
    if (!wide) {
        PyErr_NoMemory();
        return NULL;
    }
    for (int64_t i = 0; i < count; i++)
        wide[i] = rowptr[i];
    return wide;
}

static int set_rowptr(operand *o, int64_t nrows)
{
    o->csr.rowptr = o->rowptr.buf;
    if (o->rowptr.itemsize == sizeof(int32_t)) {
        o->wide = widen(o->rowptr.buf, nrows + 1);
        o->csr.rowptr = o->wide;
        if (!o->wide)
            return -1;
    }
    o->csr.nnz = o->csr.rowptr[nrows];
    return 0;
}

static int set_entries(operand *o, PyObject *colidx, PyObject *values)
{
    spgemm_csr *A = &o->csr;
    const Py_ssize_t nnz = A->nnz > 0 ? (Py_ssize_t)A->nnz : 0;
    const Py_ssize_t size = (Py_ssize_t)spgemm_value_bytes(A->value_type);
    if (get_array(colidx, &o->colidx, "indices", nnz) < 0 ||
        has_size(&o->colidx, "indices", sizeof(int32_t), sizeof(int64_t)) < 0)
        return -1;
    A->colidx = o->colidx.buf;
    A->index_type =
        o->colidx.itemsize == sizeof(int64_t) ? SPGEMM_I64 : SPGEMM_I32;
    if (values == Py_None)
        return 0;
    if (get_array(values, &o->values, "data", nnz) < 0 ||
        has_size(&o->values, "data", size, size) < 0)
        return -1;
    A->values = o->values.buf;
    return 0;
}

int spgemm_python_operand(operand *o, PyObject *description)
{
    long long nrows;
    long long ncols;
    PyObject *rowptr;
    PyObject *colidx;
    PyObject *values;
    int type;
    *o = (operand){0};
    if (!PyArg_ParseTuple(description, "LLOOOi", &nrows, &ncols, &rowptr,
                          &colidx, &values, &type))
        return -1;
    o->csr.nrows = nrows;
    o->csr.ncols = ncols;
    o->csr.value_type = (spgemm_value_type)type;
    if (get_array(rowptr, &o->rowptr, "indptr", (Py_ssize_t)nrows + 1) < 0 ||
        has_size(&o->rowptr, "indptr", sizeof(int32_t), sizeof(int64_t)) < 0 ||
        set_rowptr(o, nrows) < 0 || set_entries(o, colidx, values) < 0) {
        spgemm_python_release(o);
        return -1;
    }
    return 0;
}

void spgemm_python_release(operand *o)
{
    PyBuffer_Release(&o->rowptr);
    PyBuffer_Release(&o->colidx);
    PyBuffer_Release(&o->values);
    free(o->wide);
    *o = (operand){0};
}

int spgemm_python_operands(operand_pair *o, PyObject *a, PyObject *b)
{
    *o = (operand_pair){.B = a == b ? &o->A : &o->other};
    if (spgemm_python_operand(&o->A, a) < 0)
        return -1;
    if (a == b || spgemm_python_operand(&o->other, b) == 0)
        return 0;
    spgemm_python_release(&o->A);
    return -1;
}

void spgemm_python_operands_release(operand_pair *o)
{
    spgemm_python_release(&o->A);
    if (o->B != &o->A)
        spgemm_python_release(&o->other);
}

PyObject *spgemm_python_check(PyObject *module, PyObject *description)
{
    operand o;
    (void)module;
    if (spgemm_python_operand(&o, description) < 0)
        return NULL;
    PyThreadState *thread = PyEval_SaveThread();
    const spgemm_status status = spgemm_csr_check(&o.csr, NULL);
    PyEval_RestoreThread(thread);
    spgemm_python_release(&o);
    return status < 0 ? spgemm_python_raise(status, spgemm_error_text())
                      : Py_NewRef(Py_None);
}
