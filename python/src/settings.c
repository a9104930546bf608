/* SPDX-License-Identifier: BSD-3-Clause */
/* Options of a call from a dict: one line of a table each. */
#include <string.h>

#include "core.h"

typedef struct setting {
    const char *name;
    int (*set)(settings *s, PyObject *value);
} setting;

/* < 0 with an exception. */
static int to_count(PyObject *value, int64_t *to)
{
    *to = PyLong_AsLongLong(value);
    return *to == -1 && PyErr_Occurred() ? -1 : 0;
}

static int to_int(PyObject *value, int *to)
{
    int64_t wide;
    if (to_count(value, &wide) < 0)
        return -1;
    if (wide < INT32_MIN || wide > INT32_MAX) {
        PyErr_Format(PyExc_ValueError, "%lld is out of range", (long long)wide);
        return -1;
    }
    *to = (int)wide;
    return 0;
}

static int to_number(PyObject *value, double *to)
{
    *to = PyFloat_AsDouble(value);
    return *to == -1.0 && PyErr_Occurred() ? -1 : 0;
}

static int to_bool(PyObject *value, bool *to)
{
    const int is_true = PyObject_IsTrue(value);
    *to = is_true > 0;
    return is_true < 0 ? -1 : 0;
}

static int set_threads(settings *s, PyObject *value)
{
    return to_int(value, &s->options.resources.nthreads);
}

static int set_memory_limit(settings *s, PyObject *value)
{
    s->options.resources.memory_limit_bytes = PyLong_AsSize_t(value);
    return PyErr_Occurred() ? -1 : 0;
}

static int set_sort(settings *s, PyObject *value)
{
    bool is_sorted;
    if (to_bool(value, &is_sorted) < 0)
        return -1;
    s->options.product.row_order =
        is_sorted ? SPGEMM_ROWS_SORTED : SPGEMM_ROWS_UNSORTED;
    return 0;
}

static int set_drop_zeros(settings *s, PyObject *value)
{
    return to_bool(value, &s->options.filter.drop_zeros);
}

static int set_drop_tolerance(settings *s, PyObject *value)
{
    return to_number(value, &s->options.filter.drop_tolerance);
}

static int set_keep_top(settings *s, PyObject *value)
{
    return to_count(value, &s->options.filter.keep_top);
}

static int set_top_by(settings *s, PyObject *value)
{
    int order;
    if (to_int(value, &order) < 0)
        return -1;
    s->options.filter.top_by = (spgemm_top_order)order;
    return 0;
}

static int set_semiring(settings *s, PyObject *value)
{
    int semiring;
    if (to_int(value, &semiring) < 0)
        return -1;
    s->options.product.semiring = (spgemm_semiring)semiring;
    return 0;
}

static int set_op_a(settings *s, PyObject *value)
{
    int op;
    if (to_int(value, &op) < 0)
        return -1;
    s->options.product.op_a = (spgemm_operation)op;
    return 0;
}

static int set_op_b(settings *s, PyObject *value)
{
    int op;
    if (to_int(value, &op) < 0)
        return -1;
    s->options.product.op_b = (spgemm_operation)op;
    return 0;
}

static int set_mask(settings *s, PyObject *value)
{
    s->options.filter.mask = &s->mask.csr;
    return spgemm_python_operand(&s->mask, value);
}

static int set_mask_mode(settings *s, PyObject *value)
{
    int mode;
    if (to_int(value, &mode) < 0)
        return -1;
    s->options.filter.mask_mode = (unsigned)mode;
    return 0;
}

static int set_D(settings *s, PyObject *value)
{
    s->options.product.D = &s->D.csr;
    return spgemm_python_operand(&s->D, value);
}

static int set_alpha(settings *s, PyObject *value)
{
    if (PyObject_GetBuffer(value, &s->alpha, PyBUF_SIMPLE) < 0)
        return -1;
    s->options.product.alpha = s->alpha.buf;
    return 0;
}

static int set_progress(settings *s, PyObject *value)
{
    s->progress = value;
    return 0;
}

static int set_report(settings *s, PyObject *value)
{
    return to_bool(value, &s->wants_report);
}

static int set_rows(settings *s, PyObject *value)
{
    return to_bool(value, &s->wants_rows);
}

static int set_drop_zeros_after(settings *s, PyObject *value)
{
    return to_bool(value, &s->drops_zeros);
}

static int set_by_value(settings *s, PyObject *value)
{
    return to_bool(value, &s->is_by_value);
}

static int set_error(settings *s, PyObject *value)
{
    return to_number(value, &s->options.predict.error);
}

/* Products are counted, and nnz(C) is not predicted: it is told to be the bound. */
static int set_counts_only(settings *s, PyObject *value)
{
    bool counts_only;
    if (to_bool(value, &counts_only) < 0)
        return -1;
    if (counts_only)
        s->options.predict.method = SPGEMM_PREDICTOR_UPPER_BOUND;
    return 0;
}

static const setting table[] = {
    {"threads", set_threads},
    {"memory_limit", set_memory_limit},
    {"sort", set_sort},
    {"drop_zeros", set_drop_zeros},
    {"drop_tolerance", set_drop_tolerance},
    {"keep_top", set_keep_top},
    {"top_by", set_top_by},
    {"semiring", set_semiring},
    {"op_a", set_op_a},
    {"op_b", set_op_b},
    {"mask", set_mask},
    {"mask_mode", set_mask_mode},
    {"D", set_D},
    {"alpha", set_alpha},
    {"progress", set_progress},
    {"report", set_report},
    {"rows", set_rows},
    {"drop_zeros_after", set_drop_zeros_after},
    {"by_value", set_by_value},
    {"error", set_error},
    {"counts_only", set_counts_only},
};

static int set_one(settings *s, PyObject *name, PyObject *value)
{
    for (size_t t = 0; t < sizeof table / sizeof *table; t++)
        if (PyUnicode_CompareWithASCIIString(name, table[t].name) == 0)
            return table[t].set(s, value);
    PyErr_Format(PyExc_TypeError, "there is no option %S", name);
    return -1;
}

int spgemm_python_look_for_signals(void *context, double done)
{
    settings *s = context;
    PyEval_RestoreThread(s->thread);
    int stops = PyErr_CheckSignals() < 0;
    if (!stops && s->progress) {
        PyObject *answer = PyObject_CallFunction(s->progress, "d", done);
        stops = !answer || PyObject_IsTrue(answer) != 0;
        Py_XDECREF(answer);
    }
    s->thread = PyEval_SaveThread();
    return stops;
}

int spgemm_python_settings(settings *s, PyObject *given)
{
    Py_ssize_t at = 0;
    PyObject *name;
    PyObject *value;
    *s = (settings){0};
    s->options.resources.progress = spgemm_python_look_for_signals;
    s->options.resources.progress_context = s;
    while (PyDict_Next(given, &at, &name, &value))
        if (set_one(s, name, value) < 0) {
            spgemm_python_settings_clear(s);
            return -1;
        }
    return 0;
}

void spgemm_python_settings_clear(settings *s)
{
    spgemm_python_release(&s->mask);
    spgemm_python_release(&s->D);
    PyBuffer_Release(&s->alpha);
}

void spgemm_python_enter(settings *s)
{
    s->thread = PyEval_SaveThread();
}

void spgemm_python_leave(settings *s)
{
    PyEval_RestoreThread(s->thread);
}
