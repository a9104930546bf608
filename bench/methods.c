/* SPDX-License-Identifier: BSD-3-Clause */
/* The library's methods of prediction, by name. */
#include "methods.h"

#include <stdio.h>
#include <string.h>

#include "message.h"
#include "spgemm/predict.h"
#include "status.h"

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

/* The method of this name, of so many letters; AUTO: there is none. */
static spgemm_predictor find(const methods *all, const char *name,
                             size_t length)
{
    for (int k = 0; k < all->count; k++) {
        const char *known = spgemm_predictor_name(all->list[k]);
        if (strlen(known) == length && strncmp(known, name, length) == 0)
            return all->list[k];
    }
    return SPGEMM_PREDICTOR_AUTO;
}

static bool refuse(const methods *all, const char *name, size_t length)
{
    message(TOOL_USAGE, "--methods: '%.*s' is not a method", (int)length, name);
    fputs("Methods:", stderr);
    for (int k = 0; k < all->count; k++)
        fprintf(stderr, " %s", spgemm_predictor_name(all->list[k]));
    fputc('\n', stderr);
    return false;
}

bool methods_read(methods *m, const char *text)
{
    const methods all = methods_all();
    *m = (methods){.count = 0};
    for (const char *end = text; end; text = end + 1) {
        end = strchr(text, ',');
        const size_t length = end ? (size_t)(end - text) : strlen(text);
        const spgemm_predictor method = find(&all, text, length);
        if (method == SPGEMM_PREDICTOR_AUTO)
            return refuse(&all, text, length);
        methods_add(m, method);
        if (!end)
            break;
    }
    return true;
}

/* Of a product that must be sampled: products meet, and not all entries are there. */
spgemm_predictor methods_default(void)
{
    static const int64_t rowptr[] = {0, 2, 3};
    static const int32_t colidx[] = {0, 1, 1};
    const spgemm_csr A =
        spgemm_csr_view(2, 2, 3, rowptr, colidx, NULL, SPGEMM_I32, SPGEMM_FP64);
    spgemm_prediction p;
    return spgemm_predict(&p, &A, &A, NULL, NULL) == SPGEMM_SUCCESS
               ? p.predictor
               : SPGEMM_PREDICTOR_AUTO;
}
