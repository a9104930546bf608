/* SPDX-License-Identifier: BSD-3-Clause */
/* Free ranges of pages: an array in the order of addresses, short enough to be
   looked through. */
#include "alloc/extents.h"

#include <string.h>

static uintptr_t end_of(const extent *x)
{
    return x->start + x->bytes;
}

/* How many begin before an address. */
static int count_before(const extents *e, uintptr_t start)
{
    int low = 0;
    int high = e->count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (e->at[middle].start < start)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void remove_some(extents *e, int first, int count)
{
    memmove(&e->at[first], &e->at[first + count],
            (size_t)(e->count - first - count) * sizeof *e->at);
    e->count -= count;
}

bool spgemm_extents_add(extents *e, extent x)
{
    const int t = count_before(e, x.start);
    extent *const before = t > 0 ? &e->at[t - 1] : NULL;
    extent *const after = t < e->count ? &e->at[t] : NULL;
    const bool joins_before =
        before && end_of(before) == x.start && before->freed == x.freed;
    const bool joins_after =
        after && end_of(&x) == after->start && after->freed == x.freed;
    if (!joins_before && !joins_after && e->count == EXTENTS)
        return false;
    e->bytes += x.bytes;
    if (joins_before) {
        before->bytes += x.bytes;
        if (joins_after) {
            before->bytes += after->bytes;
            remove_some(e, t, 1);
        }
    } else if (joins_after) {
        after->start = x.start;
        after->bytes += x.bytes;
    } else {
        memmove(&e->at[t + 1], &e->at[t],
                (size_t)(e->count - t) * sizeof *e->at);
        e->at[t] = x;
        e->count++;
    }
    return true;
}

/* Cuts `bytes` off the front of the run that begins with range t. */
static uintptr_t cut(extents *e, int t, size_t bytes)
{
    const uintptr_t start = e->at[t].start;
    int whole = 0;
    e->bytes -= bytes;
    while (bytes > 0 && e->at[t + whole].bytes <= bytes)
        bytes -= e->at[t + whole++].bytes;
    if (bytes > 0) {
        e->at[t + whole].start += bytes;
        e->at[t + whole].bytes -= bytes;
    }
    remove_some(e, t, whole);
    return start;
}

/* Bytes of the run that begins with range t; *next is the one behind it. */
static size_t run_bytes(const extents *e, int t, int *next)
{
    size_t bytes = e->at[t].bytes;
    int last = t;
    while (last + 1 < e->count && end_of(&e->at[last]) == e->at[last + 1].start)
        bytes += e->at[++last].bytes;
    *next = last + 1;
    return bytes;
}

uintptr_t spgemm_extents_take(extents *e, size_t bytes)
{
    size_t least = SIZE_MAX;
    int best = -1;
    int next;
    for (int t = 0; t < e->count; t = next) {
        const size_t length = run_bytes(e, t, &next);
        if (length >= bytes && length < least) {
            least = length;
            best = t;
        }
    }
    return best < 0 ? 0 : cut(e, best, bytes);
}

bool spgemm_extents_take_at(extents *e, uintptr_t start, size_t bytes)
{
    const int t = count_before(e, start);
    int next;
    if (t == e->count || e->at[t].start != start ||
        run_bytes(e, t, &next) < bytes)
        return false;
    (void)cut(e, t, bytes);
    return true;
}

bool spgemm_extents_take_oldest(extents *e, int64_t latest, size_t most,
                                extent *x)
{
    int oldest = -1;
    for (int t = 0; t < e->count; t++)
        if (e->at[t].freed <= latest) {
            latest = e->at[t].freed;
            oldest = t;
        }
    if (oldest < 0)
        return false;
    extent *found = &e->at[oldest];
    *x = *found;
    if (x->bytes <= most) {
        remove_some(e, oldest, 1);
    } else {
        x->bytes = most;
        found->bytes -= most;
        x->start = end_of(found);
    }
    e->bytes -= x->bytes;
    return true;
}
