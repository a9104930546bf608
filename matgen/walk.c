/* SPDX-License-Identifier: BSD-3-Clause */
/* key(v) = the bits [v(i) = v(i + 2 d)] and [step i goes up]. */
#include "walk.h"

void walk_layout_init(walk_layout *layout, int nmonomers)
{
    const int last = nmonomers - 1;
    int bit = last;
    *layout = (walk_layout){.nmonomers = nmonomers};
    for (int distance = 2; distance <= last; distance += 2) {
        for (int i = 0; i + distance <= last; i++) {
            const int j = i + distance;
            layout->forward[i][j] = (uint64_t)1 << bit;
            layout->backward[last - j][last - i] = (uint64_t)1 << bit;
            bit++;
        }
    }
}

/* ---- The tree ------------------------------------------------------------ */

void walk_begin(walk *w)
{
    *w = (walk){.length = 1, .nvertices = 1};
}

static void append_new(walk *w, int8_t from, bool is_up)
{
    w->parent[w->nvertices] = from;
    w->is_up[w->nvertices] = is_up;
    w->at[w->length++] = (int8_t)w->nvertices++;
}

void walk_append(walk *w, const walk_fan *fan, int k)
{
    if (fan->vertex[k] == w->nvertices)
        append_new(w, fan->from, fan->is_up[k]);
    else
        w->at[w->length++] = fan->vertex[k];
}

static void add_to_fan(walk_fan *fan, int8_t vertex, bool is_up, int weight)
{
    fan->vertex[fan->count] = vertex;
    fan->is_up[fan->count] = is_up;
    fan->weight[fan->count++] = weight;
}

void walk_list_fan(const walk *w, int8_t from, walk_fan *fan)
{
    int seen[2] = {0, 0};
    fan->count = 0;
    fan->from = from;
    if (from > 0)
        add_to_fan(fan, w->parent[from], !w->is_up[from], 1);
    for (int v = 1; v < w->nvertices; v++)
        if (w->parent[v] == from)
            add_to_fan(fan, (int8_t)v, w->is_up[v], 1);
    for (int k = 0; k < fan->count; k++)
        seen[fan->is_up[k]]++;
    for (int is_up = 0; is_up < 2; is_up++)
        if (seen[is_up] < WALK_FAN / 2)
            add_to_fan(fan, (int8_t)w->nvertices, is_up,
                       WALK_FAN / 2 - seen[is_up]);
}

void walk_decode(walk *w, const walk_layout *layout, uint64_t key)
{
    walk_begin(w);
    while (w->length < layout->nmonomers) {
        const int i = w->length;
        int j = i - 2;
        while (j >= 0 && (key & layout->forward[j][i]) == 0)
            j -= 2;
        if (j >= 0)
            w->at[w->length++] = w->at[j];
        else
            append_new(w, w->at[i - 1], key >> (i - 1) & 1);
    }
}

/* ---- Keys ---------------------------------------------------------------- */

/* Step i is from monomer i to the next. */
static void add_step(walk_keys *keys, const walk_layout *layout, int i,
                     bool is_up)
{
    if (is_up)
        keys->forward |= (uint64_t)1 << i;
    else
        keys->backward |= (uint64_t)1 << (layout->nmonomers - 2 - i);
}

static void add_pair(walk_keys *keys, const walk_layout *layout, int i, int j)
{
    keys->forward |= layout->forward[i][j];
    keys->backward |= layout->backward[i][j];
}

static bool goes_up(const walk *w, int8_t from, int8_t to)
{
    return to > 0 && w->parent[to] == from ? w->is_up[to] : !w->is_up[from];
}

void walk_add_monomer(walk_keys *keys, const walk_layout *layout, const walk *w,
                      int m)
{
    if (m > 0)
        add_step(keys, layout, m - 1, goes_up(w, w->at[m - 1], w->at[m]));
    for (int i = m - 2; i >= 0; i -= 2)
        if (w->at[i] == w->at[m])
            add_pair(keys, layout, i, m);
}

walk_keys walk_keys_without(const walk_layout *layout, const walk *w, int m)
{
    walk_keys keys = {0, 0};
    for (int j = 1; j < w->length; j++) {
        if (j == m)
            continue;
        if (j - 1 != m)
            add_step(&keys, layout, j - 1, goes_up(w, w->at[j - 1], w->at[j]));
        for (int i = j - 2; i >= 0; i -= 2)
            if (i != m && w->at[i] == w->at[j])
                add_pair(&keys, layout, i, j);
    }
    return keys;
}

walk_keys walk_keys_moved(walk_keys without, const walk_layout *layout,
                          const walk *w, int m, const walk_fan *fan, int k)
{
    walk_keys keys = without;
    if (m > 0)
        add_step(&keys, layout, m - 1, fan->is_up[k]);
    if (m < w->length - 1)
        add_step(&keys, layout, m, !fan->is_up[k]);
    for (int i = m % 2; i < w->length; i += 2)
        if (i != m && w->at[i] == fan->vertex[k])
            add_pair(&keys, layout, i < m ? i : m, i < m ? m : i);
    return keys;
}
