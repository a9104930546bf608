/* SPDX-License-Identifier: BSD-3-Clause */
/* spgemm._core: what the package calls; its arguments are checked there. */
#include "core.h"

PyObject *spgemm_python_config(PyObject *module, PyObject *args)
{
    (void)module;
    (void)args;
    return Py_BuildValue("{s:s,s:s}", "version", spgemm_version(), "memory",
                         spgemm_memory_name());
}

PyObject *spgemm_python_trim(PyObject *module, PyObject *args)
{
    (void)module;
    (void)args;
    spgemm_memory_trim();
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"multiply", spgemm_python_multiply, METH_VARARGS,
     "multiply(A, B, settings): ((indptr, indices, values), products,\n"
     "report)"},
    {"rap", spgemm_python_rap, METH_VARARGS,
     "rap(R, A, P, settings): as multiply()"},
    {"check", spgemm_python_check, METH_O,
     "check(A): a Refusal of a malformed matrix"},
    {"predict", spgemm_python_predict, METH_VARARGS,
     "predict(A, B, settings, rows)"},
    {"config", spgemm_python_config, METH_NOARGS, "config()"},
    {"trim", spgemm_python_trim, METH_NOARGS,
     "trim(): gives the memory kept for the next call back"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "spgemm._core",
    .m_doc = "libspgemm, by arrays and numbers.", .m_size = -1,
    .m_methods = functions};

PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC PyInit__core(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (module && (spgemm_python_add_arrays(module) < 0 ||
                   spgemm_python_add_errors(module) < 0 ||
                   spgemm_python_add_plan(module) < 0))
        Py_CLEAR(module);
    return module;
}
