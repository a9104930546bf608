/* SPDX-License-Identifier: BSD-3-Clause */
/* SciPy: A @ B of two csr_array, in an embedded Python; sorted by
   sort_indices(). */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "copy.h"
#include "peer.h"

#include <stdio.h>

/* Operands come as nrows, ncols, rowptr, colidx, values. */
static const char program[] =
    "import numpy, scipy, scipy.sparse\n"
    "version = 'SciPy %s, NumPy %s' % (scipy.__version__, numpy.__version__)\n"
    "def matrix(nrows, ncols, rowptr, colidx, values):\n"
    "    return scipy.sparse.csr_array(\n"
    "        (numpy.frombuffer(values, numpy.float64).copy(),\n"
    "         numpy.frombuffer(colidx, numpy.int32).copy(),\n"
    "         numpy.frombuffer(rowptr, numpy.int64).astype(numpy.int32)),\n"
    "        shape=(nrows, ncols))\n"
    "operands = [None, None]\n"
    "def take(which, *matrix_of):\n"
    "    operands[which] = matrix(*matrix_of)\n"
    "def multiply(right, is_sorted):\n"
    "    global C\n"
    "    C = operands[0] @ operands[right]\n"
    "    if is_sorted:\n"
    "        C.sort_indices()\n"
    "def release():\n"
    "    global C\n"
    "    C = None\n"
    "def count():\n"
    "    return int(C.indptr[-1])\n"
    "def give(rowptr, colidx, values):\n"
    "    n = count()\n"
    "    numpy.frombuffer(rowptr, numpy.int64)[:] = C.indptr\n"
    "    numpy.frombuffer(colidx, numpy.int32)[:] = C.indices[:n]\n"
    "    numpy.frombuffer(values, numpy.float64)[:] = C.data[:n]\n";

static PyObject *module;

/* Call a function of the program; its result is passed on, and owned. */
static PyObject *call(const char *name, PyObject *arguments)
{
    PyObject *function = PyObject_GetAttrString(module, name);
    PyObject *result =
        function && arguments ? PyObject_CallObject(function, arguments) : NULL;
    Py_XDECREF(function);
    Py_XDECREF(arguments);
    if (!result)
        PyErr_Print();
    return result;
}

static bool is_called(const char *name, PyObject *arguments)
{
    PyObject *result = call(name, arguments);
    Py_XDECREF(result);
    return result;
}

static bool start_python(void)
{
    PyConfig config;
    PyConfig_InitIsolatedConfig(&config);
    PyStatus status =
        PyConfig_SetBytesString(&config, &config.program_name, PEER_PYTHON);
    if (!PyStatus_Exception(status))
        status = Py_InitializeFromConfig(&config);
    PyConfig_Clear(&config);
    return !PyStatus_Exception(status);
}

static bool open_scipy(int nthreads, char version[PEER_VERSION_BYTES])
{
    (void)nthreads;
    if (!start_python() || PyRun_SimpleString(program) != 0)
        return false;
    module = PyImport_AddModule("__main__");
    PyObject *text = PyObject_GetAttrString(module, "version");
    snprintf(version, PEER_VERSION_BYTES, "%s",
             text ? PyUnicode_AsUTF8(text) : "");
    Py_XDECREF(text);
    return text;
}

static PyObject *view(void *array, int64_t count, size_t size)
{
    return PyMemoryView_FromMemory(array, (Py_ssize_t)count * (Py_ssize_t)size,
                                   PyBUF_WRITE);
}

static bool take(int which, const spgemm_csr *A)
{
    return is_called(
        "take", Py_BuildValue("(iLLNNN)", which, (long long)A->nrows,
                              (long long)A->ncols,
                              view(A->rowptr, A->nrows + 1, sizeof(int64_t)),
                              view(A->colidx, A->nnz, sizeof(int32_t)),
                              view(A->values, A->nnz, sizeof(double))));
}

static bool multiply(const peer_product *p)
{
    return is_called("multiply", Py_BuildValue("(ii)", p->right,
                                               p->order == SPGEMM_ROWS_SORTED));
}

static int64_t count(void)
{
    PyObject *result = call("count", PyTuple_New(0));
    const int64_t nnz = result ? PyLong_AsLongLong(result) : -1;
    Py_XDECREF(result);
    return nnz;
}

static bool give(spgemm_csr *C)
{
    return is_called(
        "give",
        Py_BuildValue("(NNN)", view(C->rowptr, C->nrows + 1, sizeof(int64_t)),
                      view(C->colidx, C->nnz, sizeof(int32_t)),
                      view(C->values, C->nnz, sizeof(double))));
}

static void release(void)
{
    (void)is_called("release", PyTuple_New(0));
}

const peer *bench_peer(void)
{
    static const peer scipy = {
        .methods = {{"scipy", PEER_SORTED | PEER_UNSORTED}},
        .open = open_scipy,
        .take = take,
        .multiply = multiply,
        .count = count,
        .give = give,
        .release = release,
    };
    return &scipy;
}
