/* SPDX-License-Identifier: BSD-3-Clause */
/* What a status of the library is in Python. */
#include "core.h"

static PyObject *memory_limit_error;
static PyObject *cancelled;
/* A ValueError whose text has the library's names of the operands. */
static PyObject *refusal;

int spgemm_python_add_errors(PyObject *module)
{
    memory_limit_error = PyErr_NewExceptionWithDoc(
        "spgemm.MemoryLimitError",
        "A product does not fit memory_limit; `estimate` says how large it is.",
        PyExc_MemoryError, NULL);
    cancelled = PyErr_NewExceptionWithDoc(
        "spgemm.Cancelled", "The progress callback asked to stop.",
        PyExc_RuntimeError, NULL);
    refusal =
        PyErr_NewException("spgemm._core.Refusal", PyExc_ValueError, NULL);
    return !memory_limit_error || !cancelled || !refusal ||
                   PyModule_AddObjectRef(module, "MemoryLimitError",
                                         memory_limit_error) < 0 ||
                   PyModule_AddObjectRef(module, "Cancelled", cancelled) < 0
               ? -1
               : PyModule_AddObjectRef(module, "Refusal", refusal);
}

static PyObject *exception_of(spgemm_status status)
{
    switch (status) {
    case SPGEMM_ERROR_OUT_OF_MEMORY:
        return PyExc_MemoryError;
    case SPGEMM_ERROR_MEMORY_LIMIT:
        return memory_limit_error;
    case SPGEMM_ERROR_OVERFLOW:
        return PyExc_OverflowError;
    case SPGEMM_ERROR_UNSUPPORTED:
        return PyExc_TypeError;
    case SPGEMM_ERROR_CANCELLED:
        return cancelled;
    default:
        return refusal;
    }
}

PyObject *spgemm_python_raise(spgemm_status status, const char *why)
{
    /* A signal, or the progress callback, has raised something already. */
    if (!PyErr_Occurred())
        PyErr_SetString(exception_of(status),
                        why && why[0] ? why : spgemm_status_string(status));
    return NULL;
}
