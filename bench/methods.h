/* SPDX-License-Identifier: BSD-3-Clause */
/* The library's methods of prediction, by name. */
#ifndef BENCH_METHODS_H
#define BENCH_METHODS_H

#include <stdbool.h>

#include "spgemm/spgemm.h"

typedef struct methods {
    spgemm_predictor list[SPGEMM_PREDICTOR_COUNT];
    int count;
} methods;

/** All that need nothing of the caller: neither `auto`, another's name, nor
    `caller`. */
methods methods_all(void);

/** Those of a text by commas. false, after a message: one is none of them. */
bool methods_read(methods *m, const char *text);

/** One more, unless it is among them. */
void methods_add(methods *m, spgemm_predictor method);

/** What AUTO stands for. */
spgemm_predictor methods_default(void);

#endif
