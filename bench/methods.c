/* SPDX-License-Identifier: BSD-3-Clause */
/* The library's methods of prediction, by name. */
#include "methods.h"

#include <string.h>

#include "spgemm/predict.h"

void methods_add(methods *m, spgemm_predictor method)
{
    for (int k = 0; k < m->count; k++)
        if (m->list[k] == method)
            return;
    m->list[m->count++] = method;
}

methods methods_all(void)
{
    methods m = {.count = 0};
    for (int p = 0; p < SPGEMM_PREDICTOR_COUNT; p++)
        if (p != SPGEMM_PREDICTOR_AUTO && p != SPGEMM_PREDICTOR_CALLER)
            methods_add(&m, (spgemm_predictor)p);
    return m;
}

bool methods_read(methods *m, char *text, const char **unknown)
{
    const methods all = methods_all();
    char *rest;
    *m = (methods){.count = 0};
    *unknown = text;
    for (char *word = strtok_r(text, ",", &rest); word;
         word = strtok_r(NULL, ",", &rest)) {
        int k = 0;
        while (k < all.count &&
               strcmp(spgemm_predictor_name(all.list[k]), word) != 0)
            k++;
        *unknown = word;
        if (k == all.count)
            return false;
        methods_add(m, all.list[k]);
    }
    return m->count > 0;
}

spgemm_predictor methods_default(void)
{
    static const int64_t rowptr[] = {0, 1};
    static const int32_t colidx[] = {0};
    const spgemm_csr A =
        spgemm_csr_view(1, 1, 1, rowptr, colidx, NULL, SPGEMM_I32, SPGEMM_FP64);
    spgemm_prediction p;
    return spgemm_predict(&p, &A, &A, NULL, NULL) == SPGEMM_SUCCESS
               ? p.predictor
               : SPGEMM_PREDICTOR_AUTO;
}
