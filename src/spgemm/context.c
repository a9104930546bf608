/* SPDX-License-Identifier: BSD-3-Clause */
/* Working memory of the threads of a call, kept for the next. */
#include "spgemm/context.h"

#include <stdatomic.h>

#include "common/refusal.h"
#include "common/try.h"
#include "spgemm/execute/workspace.h"

struct spgemm_context {
    memory m;
    atomic_bool is_busy;
    int count;
    workspace *spaces; /* [count] */
};

spgemm_status spgemm_context_create(spgemm_context **context,
                                    const spgemm_allocator *allocator)
{
    spgemm_status status = SPGEMM_SUCCESS;
    memory m;
    spgemm_refusal_begin();
    SPGEMM_REQUIRE(context,
                   spgemm_refuse(SPGEMM_ERROR_INVALID, "context is NULL"));
    SPGEMM_TRY(spgemm_memory_check_hooks(allocator, "allocator"));
    spgemm_memory_init(&m, allocator);
    spgemm_context *made = spgemm_memory_allocate(&m, 1, sizeof *made);
    SPGEMM_REQUIRE(made, SPGEMM_ERROR_OUT_OF_MEMORY);
    *made = (spgemm_context){.count = 0};
    spgemm_memory_init(&made->m, allocator);
    *context = made;

cleanup:
    return spgemm_refusal_end(status);
}

size_t spgemm_context_bytes(const spgemm_context *context)
{
    return context ? atomic_load(&context->m.live_bytes) : 0;
}

static void clear_spaces(spgemm_context *context)
{
    for (int t = 0; t < context->count; t++)
        spgemm_workspace_clear(&context->spaces[t]);
    spgemm_memory_release(&context->m, context->spaces, context->count,
                          sizeof *context->spaces);
    context->spaces = NULL;
    context->count = 0;
}

void spgemm_context_trim(spgemm_context *context)
{
    /* Those of a call are in use. */
    if (!context || atomic_exchange(&context->is_busy, true))
        return;
    clear_spaces(context);
    spgemm_context_leave(context);
}

void spgemm_context_destroy(spgemm_context *context)
{
    if (!context)
        return;
    clear_spaces(context);
    /* By an account of its own: that of the context goes with it. */
    const spgemm_allocator hooks = spgemm_memory_hooks(&context->m);
    memory m;
    spgemm_memory_init(&m, &hooks);
    spgemm_memory_release(&m, context, 0, sizeof *context);
}

workspace *spgemm_context_enter(spgemm_context *context, int count)
{
    if (!context || atomic_exchange(&context->is_busy, true))
        return NULL;
    if (count > context->count) {
        workspace *more =
            context->spaces
                ? spgemm_memory_resize(&context->m, context->spaces,
                                       context->count, count, sizeof *more)
                : spgemm_memory_allocate(&context->m, count, sizeof *more);
        if (!more) {
            spgemm_context_leave(context);
            return NULL;
        }
        for (int t = context->count; t < count; t++)
            more[t] = (workspace){.m = &context->m};
        context->spaces = more;
        context->count = count;
    }
    return context->spaces;
}

void spgemm_context_leave(spgemm_context *context)
{
    atomic_store(&context->is_busy, false);
}
