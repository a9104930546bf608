/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the extension share. Only the stable ABI of Python 3.11 is
   used: one build serves every later version, and needs no headers of NumPy. */
#ifndef SPGEMM_PYTHON_CORE_H
#define SPGEMM_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>

#include "spgemm/plan.h"
#include "spgemm/predict.h"
#include "spgemm/spgemm.h"

/* ---- Arrays of the library, seen as buffers (arrays.c) -------------------- */

/* The type of what owns a matrix of the library. */
extern PyTypeObject *spgemm_python_matrix_type;

/* Registers the types; < 0 with an exception. */
int spgemm_python_add_arrays(PyObject *module);

/* Owner of C, whose arrays it takes over; NULL with an exception, and C is
   destroyed. */
PyObject *spgemm_python_own(spgemm_csr *C);
spgemm_csr *spgemm_python_matrix(PyObject *owner);

/* (indptr, indices, values) of the owner's matrix: buffers of bytes that keep it
   alive; row pointers of 32 bits where is_narrow: they are narrowed in place. */
PyObject *spgemm_python_arrays(PyObject *owner, bool is_narrow);

/* The same of C, which is taken over: row pointers are as wide as columns are, and
   hold nnz. */
PyObject *spgemm_python_give_arrays(spgemm_csr *C);

/* Of a column of C. */
static inline size_t spgemm_python_index_bytes(const spgemm_csr *C)
{
    return C->index_type == SPGEMM_I64 ? sizeof(int64_t) : sizeof(int32_t);
}

/* ---- Operands: arrays of NumPy, seen as matrices (operands.c) ------------- */

typedef struct operand {
    Py_buffer rowptr;
    Py_buffer colidx;
    Py_buffer values;
    int64_t *wide; /* row pointers of 32 bits, widened */
    spgemm_csr csr;
} operand;

/* An operand is (nrows, ncols, indptr, indices, values or None, value type); no
   array is copied but row pointers of 32 bits. < 0 with an exception. */
int spgemm_python_operand(operand *o, PyObject *description);
void spgemm_python_release(operand *o);

/* Both of a product. */
typedef struct operand_pair {
    operand A;
    operand other;
    /* A itself, if they are described by one object: the library looks at one
       matrix once. */
    const operand *B;
} operand_pair;

/* < 0 with an exception. */
int spgemm_python_operands(operand_pair *o, PyObject *a, PyObject *b);
void spgemm_python_operands_release(operand_pair *o);

/* ---- Settings: a dict of names and values (settings.c) -------------------- */

typedef struct settings {
    spgemm_options options;
    operand mask;
    operand D;
    Py_buffer alpha;
    PyObject *progress; /* borrowed, or NULL */
    PyThreadState *thread;
    bool wants_report;
    bool wants_rows;
    bool drops_zeros; /* when C is there */
    bool is_by_value; /* rows of C go from the largest value down */
} settings;

int spgemm_python_settings(settings *s, PyObject *given);
void spgemm_python_settings_clear(settings *s);

/* Without the interpreter's lock: what runs in between may not touch Python but by
   the progress hook, which looks for signals. */
void spgemm_python_enter(settings *s);
void spgemm_python_leave(settings *s);

/* That hook, of a settings: about every 100 ms, by the thread that called. Not 0:
   stop. */
int spgemm_python_look_for_signals(void *context, double done);

/* ---- Errors (errors.c) ----------------------------------------------------- */

/* Raises what a status stands for; NULL. */
PyObject *spgemm_python_raise(spgemm_status status, const char *why);
int spgemm_python_add_errors(PyObject *module);

/* ---- Functions of the module ----------------------------------------------- */

PyObject *spgemm_python_check(PyObject *module, PyObject *description);
PyObject *spgemm_python_multiply(PyObject *module, PyObject *args);
PyObject *spgemm_python_rap(PyObject *module, PyObject *args);
PyObject *spgemm_python_predict(PyObject *module, PyObject *args);
PyObject *spgemm_python_config(PyObject *module, PyObject *args);
PyObject *spgemm_python_trim(PyObject *module, PyObject *args);
int spgemm_python_add_plan(PyObject *module);
PyObject *spgemm_python_report(const spgemm_report *r);

/* In place; its arrays stay as long as they are. */
void spgemm_python_drop_zeros(spgemm_csr *C);

/* Rows of C from the largest value down, of equals by column. false: no memory. */
bool spgemm_python_sort_by_value(spgemm_csr *C);

#endif
