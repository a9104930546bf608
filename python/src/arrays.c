/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of C as buffers: each keeps the matrix alive, and the last one frees it. */
#include <string.h>

#include "core.h"

typedef struct matrix_object {
    PyObject_HEAD spgemm_csr C;
} matrix_object;

typedef struct array_object {
    PyObject_HEAD PyObject *owner;
    void *data;
    Py_ssize_t bytes;
} array_object;

static PyTypeObject *matrix_type;
static PyTypeObject *array_type;

static void free_object(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

static void free_matrix(PyObject *self)
{
    spgemm_csr_destroy(&((matrix_object *)self)->C);
    free_object(self);
}

static void free_array(PyObject *self)
{
    Py_XDECREF(((array_object *)self)->owner);
    free_object(self);
}

static int get_buffer(PyObject *self, Py_buffer *view, int flags)
{
    const array_object *a = (array_object *)self;
    return PyBuffer_FillInfo(view, self, a->data, a->bytes, 0, flags);
}

static PyType_Slot matrix_slots[] = {
    {Py_tp_dealloc, (void *)free_matrix},
    {Py_tp_doc, "A matrix of the library."},
    {0, NULL},
};
static PyType_Slot array_slots[] = {
    {Py_tp_dealloc, (void *)free_array},
    {Py_bf_getbuffer, (void *)get_buffer},
    {Py_tp_doc, "An array of a matrix of the library, as a buffer of bytes."},
    {0, NULL},
};
static PyType_Spec matrix_spec = {
    .name = "spgemm._core.Matrix",
    .basicsize = sizeof(matrix_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = matrix_slots,
};
static PyType_Spec array_spec = {
    .name = "spgemm._core.Array",
    .basicsize = sizeof(array_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = array_slots,
};

int spgemm_python_add_arrays(PyObject *module)
{
    matrix_type = (PyTypeObject *)PyType_FromSpec(&matrix_spec);
    array_type = (PyTypeObject *)PyType_FromSpec(&array_spec);
    return !matrix_type || !array_type
               ? -1
               : PyModule_AddObjectRef(module, "Array", (PyObject *)array_type);
}

PyObject *spgemm_python_own(spgemm_csr *C)
{
    matrix_object *o = PyObject_New(matrix_object, matrix_type);
    if (!o)
        spgemm_csr_destroy(C);
    else
        o->C = *C;
    return (PyObject *)o;
}

spgemm_csr *spgemm_python_matrix(PyObject *owner)
{
    return &((matrix_object *)owner)->C;
}

static PyObject *make_array(PyObject *owner, void *data, size_t bytes)
{
    array_object *a = PyObject_New(array_object, array_type);
    if (!a)
        return NULL;
    Py_INCREF(owner);
    a->owner = owner;
    a->data = data;
    a->bytes = (Py_ssize_t)bytes;
    return (PyObject *)a;
}

/* In place: each is written where none is read any more. */
static void narrow(int64_t *rowptr, int64_t count)
{
    int32_t *to = (int32_t *)rowptr;
    for (int64_t i = 0; i < count; i++) {
        const int32_t value = (int32_t)rowptr[i];
        memcpy(&to[i], &value, sizeof value);
    }
}

PyObject *spgemm_python_arrays(PyObject *owner, bool is_narrow)
{
    const spgemm_csr *C = spgemm_python_matrix(owner);
    const size_t rows = (size_t)C->nrows + 1;
    const size_t nnz = (size_t)C->nnz;
    if (is_narrow)
        narrow(C->rowptr, C->nrows + 1);
    PyObject *rowptr =
        make_array(owner, C->rowptr,
                   rows * (is_narrow ? sizeof(int32_t) : sizeof(int64_t)));
    PyObject *colidx =
        make_array(owner, C->colidx, nnz * spgemm_python_index_bytes(C));
    PyObject *values =
        make_array(owner, C->values, nnz * spgemm_value_bytes(C->value_type));
    PyObject *all = rowptr && colidx && values
                        ? PyTuple_Pack(3, rowptr, colidx, values)
                        : NULL;
    Py_XDECREF(rowptr);
    Py_XDECREF(colidx);
    Py_XDECREF(values);
    return all;
}

PyObject *spgemm_python_give_arrays(spgemm_csr *C)
{
    const bool is_narrow = C->index_type == SPGEMM_I32 && C->nnz <= INT32_MAX;
    PyObject *owner = spgemm_python_own(C);
    PyObject *arrays = owner ? spgemm_python_arrays(owner, is_narrow) : NULL;
    Py_XDECREF(owner);
    return arrays;
}
