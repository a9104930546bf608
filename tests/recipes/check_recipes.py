#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Follow the recipes of CONTRIBUTING.md: add a predictor, an accumulator, a type
of values and a semiring to a copy of the library, each at most a new file and
two that are changed; build it, and ask it for each.

    check_recipes.py SOURCE FOLDER CMAKE C_COMPILER
"""
import shutil
import subprocess
import sys
from pathlib import Path

PREDICTOR = """/* nnz(C) = 0. */
#include "predict/predictor.h"

spgemm_status spgemm_predict_nothing(prediction *out, const predict_input *in)
{
    (void)in;
    prediction_fill(out, 1.0);
    out->nnz = 0;
    out->standard_error = NAN;
    return SPGEMM_SUCCESS;
}
"""

# A row of three products that meets rows of B of one entry each, all in one
# column.
ACCUMULATOR = """/* C(i,j) = the sum of three products, of one column. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_TRIPLE_H
#define SPGEMM_KERNELS_ACCUMULATORS_TRIPLE_H

#include "kernels/row/room.h"
#include "kernels/row/row.h"

static ALWAYS_INLINE bool triple_takes(const c_row *r, const operands *ops)
{
    (void)ops;
    return r->products == 3 && r->first == r->last && !r->is_clipped;
}

static ALWAYS_INLINE int64_t triple_sum_rows(const c_row *r,
                                             const operands *ops,
                                             int rows,
                                             scratch *s,
                                             bool is_numeric,
                                             output *out)
{
    IDX *Cj = NULL;
    VAL *Cx = NULL;
    VAL sum = zero_of(semiring_of_row(r));
    (void)ops;
    (void)rows;
    (void)s;
    if (!is_numeric)
        return 1;
    if (!make_room(out, 1, true, &Cj, &Cx))
        return -1;
    for (int64_t t = 0; t < r->length; t++)
        for (int64_t q = r->Bp[r->Aj[t]]; q < r->Bp[r->Aj[t] + 1]; q++)
            WITH_SEMIRING(r->semiring, sr,
                          sum = semiring_add(
                              sr, sum,
                              product(sr, value_a(sr, r->Ax, t), r->Bx, q)));
    Cj[0] = (IDX)r->first;
    if (HAS_VALUES)
        Cx[0] = sum;
    output_take(out, 1);
    return 1;
}

#endif
"""

TYPE = """/* Values of 16 bits: integers. */
#define VALUE_NAME "int16"
#define VAL        int16_t
#define UNSIGNED   uint16_t
#define LEAST      INT16_MIN
#define MOST       INT16_MAX
#define VALUE_IS_INTEGER
"""

# Of each recipe: its new file, and what is put before a text of the others.
RECIPES = {
    "predictor": (("src/predict/published/nothing.c", PREDICTOR), {
        "include/spgemm/options.h": [
            ("    SPGEMM_PREDICTOR_CALLER = 13",
             "    SPGEMM_PREDICTOR_NOTHING = 14,\n"),
            ("enum { SPGEMM_PREDICTOR_COUNT = 14 };", None)],
        "src/predict/predictors.def": [
            ("PREDICTOR(SPGEMM_PREDICTOR_CALLER",
             'PREDICTOR(SPGEMM_PREDICTOR_NOTHING, nothing, NULL, {.size = {0}})\n')],
    }),
    "accumulator": (("src/kernels/accumulators/triple.h", ACCUMULATOR), {
        "include/spgemm/report.h": [
            ("    SPGEMM_ACCUMULATOR_HASH = 3",
             "    SPGEMM_ACCUMULATOR_TRIPLE = 8,\n"),
            ("enum { SPGEMM_ACCUMULATOR_COUNT = 8 };", None)],
        "src/kernels/accumulators/table.h": [
            ('#include "kernels/accumulators/merge.h"',
             '#include "kernels/accumulators/triple.h"\n'),
            ("    X(SPGEMM_ACCUMULATOR_ESC, esc, 1)",
             "    X(SPGEMM_ACCUMULATOR_TRIPLE, triple, 1) \\\n")],
    }),
    "type": (("src/values/i16.h", TYPE), {
        "include/spgemm/csr.h": [
            ("    SPGEMM_BOOL = 6", "    SPGEMM_INT16 = 7,\n"),
            ("enum { SPGEMM_VALUE_TYPE_COUNT = 7 };", None)],
        "src/values/types.def": [
            ("VALUE(SPGEMM_BOOL", "VALUE(SPGEMM_INT16, i16, BASE, BASE)\n")],
    }),
    "semiring": (None, {
        "include/spgemm/semiring.h": [
            ("    SPGEMM_USER = 11", "    SPGEMM_MAX_TIMES = 12,\n"),
            ("enum { SPGEMM_SEMIRING_COUNT = 12 };", None)],
        "src/semiring/semirings.h": [
            ("    X(SPGEMM_ANY_PAIR",
             "    X(SPGEMM_MAX_TIMES, max_times, max, times, ORDERED, __VA_ARGS__) \\\n")],
    }),
}
NEEDED = ("CMakeLists.txt", "cmake", "include", "src")

# The others take their time to compile.
VARIANTS = """VALUE(SPGEMM_FP64, f64, BASE, NONE)
VALUE(SPGEMM_INT16, i16, BASE, NONE)
"""

PROGRAM = r"""
#include <spgemm/predict.h>
#include <spgemm/spgemm.h>
#include <stdio.h>
#include <string.h>

#define EXPECT(x)                                                  \
    do                                                             \
        if (!(x)) {                                                \
            printf("%d: %s; %s\n", __LINE__, #x, spgemm_error_text()); \
            return 1;                                              \
        }                                                          \
    while (0)

int main(void)
{
    /* (1 2 3) times a column of 4, 5, 6. */
    const int64_t Ap[] = {0, 3}, Bp[] = {0, 1, 2, 3};
    const int32_t Aj[] = {0, 1, 2}, Bj[] = {0, 0, 0};
    const double Ax[] = {1, 2, 3}, Bx[] = {4, 5, 6};
    const int16_t As[] = {1, 2, 3}, Bs[] = {4, 5, 6};
    spgemm_csr A, B, C;
    spgemm_report report;
    spgemm_options options = {.predict.method = SPGEMM_PREDICTOR_NOTHING};
    A = spgemm_csr_view(1, 3, 3, Ap, Aj, Ax, SPGEMM_I32, SPGEMM_FP64);
    B = spgemm_csr_view(3, 1, 3, Bp, Bj, Bx, SPGEMM_I32, SPGEMM_FP64);
    EXPECT(!spgemm_predicted(&C, &A, &B, &options, &report));
    EXPECT(C.nnz == 1 && ((double *)C.values)[0] == 32);
    EXPECT(report.nnz_predicted == 0);
    EXPECT(strcmp(spgemm_predictor_name(SPGEMM_PREDICTOR_NOTHING), "nothing") == 0);
    EXPECT(strcmp(spgemm_accumulator_name(SPGEMM_ACCUMULATOR_TRIPLE), "triple") == 0);
    spgemm_csr_destroy(&C);
    options.product.semiring = SPGEMM_MAX_TIMES;
    /* Of fewer columns, rows of so few products are sorted before any is asked. */
    B.ncols = 1 << 27;
    EXPECT(!spgemm_predicted(&C, &A, &B, &options, &report));
    EXPECT(C.nnz == 1 && ((double *)C.values)[0] == 18);
    EXPECT(report.rows_by_accumulator[SPGEMM_ACCUMULATOR_TRIPLE] == 1);
    EXPECT(strcmp(spgemm_semiring_name(SPGEMM_MAX_TIMES), "max_times") == 0);
    spgemm_csr_destroy(&C);
    A = spgemm_csr_view(1, 3, 3, Ap, Aj, As, SPGEMM_I32, SPGEMM_INT16);
    B = spgemm_csr_view(3, 1, 3, Bp, Bj, Bs, SPGEMM_I32, SPGEMM_INT16);
    EXPECT(!spgemm_predicted(&C, &A, &B, NULL, NULL));
    EXPECT(C.nnz == 1 && ((int16_t *)C.values)[0] == 32);
    EXPECT(strcmp(spgemm_value_type_name(SPGEMM_INT16), "int16") == 0);
    spgemm_csr_destroy(&C);
    puts("all of them are there");
    return 0;
}
"""


def counted_up(text):
    """enum { X = 7 }; with one more."""
    head, number = text.rsplit("= ", 1)
    return f"{head}= {int(number.rstrip(' };')) + 1}" + " };"


def follow(tree, name):
    new, changes = RECIPES[name]
    if len(changes) > 2:
        sys.exit(f"{name}: {len(changes)} files are changed")
    if new:
        (tree / new[0]).write_text(new[1], encoding="utf-8")
    for path, edits in changes.items():
        text = (tree / path).read_text(encoding="utf-8")
        for place, line in edits:
            if text.count(place) != 1:
                sys.exit(f"{name}: {path} has '{place}' {text.count(place)} times")
            text = text.replace(place, counted_up(place) if line is None
                                else line + place)
        (tree / path).write_text(text, encoding="utf-8")


def main():
    source, folder = Path(sys.argv[1]), Path(sys.argv[2])
    cmake, compiler = sys.argv[3:]
    tree = folder / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    for name in NEEDED:
        copy = shutil.copytree if (source / name).is_dir() else shutil.copy2
        tree.mkdir(parents=True, exist_ok=True)
        copy(source / name, tree / name)
    for name in RECIPES:
        follow(tree, name)
    (folder / "variants.def").write_text(VARIANTS, encoding="utf-8")
    build = folder / "build"
    subprocess.run(
        [cmake, "-G", "Ninja", "-S", tree, "-B", build, "-DCMAKE_BUILD_TYPE=Debug",
         f"-DCMAKE_C_COMPILER={compiler}", "-DSPGEMM_BUILD_TOOLS=OFF",
         "-DSPGEMM_BUILD_TESTS=OFF", "-DSPGEMM_BUILD_BENCH=OFF",
         "-DSPGEMM_BUILD_EXAMPLES=OFF", "-DSPGEMM_JEMALLOC=OFF",
         f"-DSPGEMM_VARIANTS={folder / 'variants.def'}"], check=True)
    subprocess.run([cmake, "--build", build, "--target", "spgemm_static"], check=True)
    program = folder / "ask.c"
    program.write_text(PROGRAM, encoding="utf-8")
    subprocess.run(
        [compiler, "-std=c17", f"-I{tree / 'include'}", f"-I{build / 'include'}",
         program, build / "libspgemm.a", "-fopenmp", "-lm", "-lpthread", "-o",
         folder / "ask"], check=True)
    subprocess.run([folder / "ask"], check=True)


if __name__ == "__main__":
    main()
