/* SPDX-License-Identifier: BSD-3-Clause */
/* C = A B again and again, of one pattern. */
#include <string.h>

#include "core.h"

typedef struct plan_object {
    PyObject_HEAD spgemm_plan *plan;
    PyObject *owner; /* of C as planned: its row pointers are of 64 bits */
    settings *settings;
    PyObject *given;
} plan_object;

static PyTypeObject *plan_type;

static void free_plan(PyObject *self)
{
    plan_object *o = (plan_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    spgemm_plan_destroy(o->plan);
    if (o->settings)
        spgemm_python_settings_clear(o->settings);
    PyMem_Free(o->settings);
    Py_XDECREF(o->given);
    Py_XDECREF(o->owner);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* (indptr of 64 bits, indices, values) of C as planned: to be copied. */
static PyObject *get_arrays(PyObject *self, PyObject *unused)
{
    (void)unused;
    return spgemm_python_arrays(((plan_object *)self)->owner, false);
}

/* A matrix of its own, of the pattern of `planned`, whose values are to come: in
   memory that the library kept, as results of other calls are. */
static spgemm_status copy_pattern(spgemm_csr *C, const spgemm_csr *planned)
{
    const spgemm_status status =
        spgemm_csr_create(C, planned->nrows, planned->ncols, planned->nnz,
                          planned->index_type, planned->value_type, NULL);
    if (status < 0)
        return status;
    memcpy(C->rowptr, planned->rowptr,
           ((size_t)C->nrows + 1) * sizeof *C->rowptr);
    if (C->nnz > 0)
        memcpy(C->colidx, planned->colidx,
               (size_t)C->nnz * spgemm_python_index_bytes(C));
    C->flags |= planned->flags & SPGEMM_SORTED_ROWS;
    return status;
}

static PyObject *repeat(plan_object *o, const operand_pair *operands)
{
    spgemm_csr C;
    spgemm_report report = {0};
    settings s = {0};
    spgemm_python_enter(&s);
    spgemm_status status = copy_pattern(&C, spgemm_python_matrix(o->owner));
    if (status == SPGEMM_SUCCESS) {
        status = spgemm_plan_repeat_watched(
            o->plan, &C, &operands->A.csr, &operands->B->csr,
            spgemm_python_look_for_signals, &s, &report);
        if (status < 0)
            spgemm_csr_destroy(&C);
    }
    spgemm_python_leave(&s);
    return status < 0 ? spgemm_python_raise(status, report.refusal)
                      : spgemm_python_give_arrays(&C);
}

/* repeat(A, B): (indptr, indices, values) of C for other values of A and B. */
static PyObject *repeat_method(PyObject *self, PyObject *args)
{
    PyObject *a;
    PyObject *b;
    operand_pair operands;
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(args, "OO", &a, &b))
        return NULL;
    if (spgemm_python_operands(&operands, a, b) == 0) {
        result = repeat((plan_object *)self, &operands);
        spgemm_python_operands_release(&operands);
    }
    return result;
}

static PyMethodDef methods[] = {
    {"arrays", get_arrays, METH_NOARGS,
     "(indptr, indices, values) of C as planned."},
    {"repeat", repeat_method, METH_VARARGS,
     "(indptr, indices, values) of C for other values of A and B."},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot slots[] = {
    {Py_tp_dealloc, (void *)free_plan},
    {Py_tp_methods, methods},
    {Py_tp_doc, "A product whose pattern is known."},
    {0, NULL},
};
static PyType_Spec spec = {
    .name = "spgemm._core.Plan",
    .basicsize = sizeof(plan_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

static int create(plan_object *o, const operand_pair *operands)
{
    spgemm_csr C = {0};
    spgemm_report report;
    spgemm_python_enter(o->settings);
    const spgemm_status status =
        spgemm_plan_create(&o->plan, &C, &operands->A.csr, &operands->B->csr,
                           &o->settings->options, &report);
    spgemm_python_leave(o->settings);
    if (status < 0) {
        spgemm_python_raise(status, report.refusal);
        return -1;
    }
    o->owner = spgemm_python_own(&C);
    return o->owner ? 0 : -1;
}

static int create_of(plan_object *o, PyObject *a, PyObject *b)
{
    operand_pair operands;
    int status = -1;
    if (spgemm_python_operands(&operands, a, b) == 0) {
        status = create(o, &operands);
        spgemm_python_operands_release(&operands);
    }
    return status;
}

/* plan(A, B, settings): what the settings point to lives as long as the plan. */
static PyObject *make_plan(PyObject *module, PyObject *args)
{
    PyObject *a;
    PyObject *b;
    PyObject *given;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOO!", &a, &b, &PyDict_Type, &given))
        return NULL;
    plan_object *o = PyObject_New(plan_object, plan_type);
    if (!o)
        return NULL;
    o->plan = NULL;
    o->owner = NULL;
    o->given = Py_NewRef(given);
    o->settings = PyMem_Malloc(sizeof *o->settings);
    if (!o->settings)
        PyErr_NoMemory();
    else if (spgemm_python_settings(o->settings, given) < 0) {
        PyMem_Free(o->settings);
        o->settings = NULL;
    } else if (create_of(o, a, b) == 0)
        return (PyObject *)o;
    Py_DECREF(o);
    return NULL;
}

static PyMethodDef maker = {"plan", make_plan, METH_VARARGS,
                            "plan(A, B, settings)"};

int spgemm_python_add_plan(PyObject *module)
{
    plan_type = (PyTypeObject *)PyType_FromSpec(&spec);
    PyObject *function = plan_type ? PyCFunction_New(&maker, NULL) : NULL;
    const int status =
        function && PyModule_AddObjectRef(module, "Plan",
                                          (PyObject *)plan_type) == 0
            ? PyModule_AddObjectRef(module, "plan", function)
            : -1;
    Py_XDECREF(function);
    return status;
}
