/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks 0, 1, ..., count - 1: each is taken by the next thread that is free, until
   one fails. */
#ifndef SPGEMM_COMMON_TASK_QUEUE_H
#define SPGEMM_COMMON_TASK_QUEUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct task_queue {
    int64_t count;
    atomic_int_fast64_t next;
    atomic_bool has_failed;
} task_queue;

/** The next task, in *t. false: all are taken, or one has failed. */
static inline bool task_take(task_queue *q, int64_t *t)
{
    if (atomic_load_explicit(&q->has_failed, memory_order_relaxed))
        return false;
    *t = atomic_fetch_add(&q->next, 1);
    return *t < q->count;
}

/** No more is taken. */
static inline void task_fail(task_queue *q)
{
    atomic_store(&q->has_failed, true);
}

static inline bool task_has_failed(const task_queue *q)
{
    return atomic_load(&q->has_failed);
}

#endif
