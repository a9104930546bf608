/* SPDX-License-Identifier: BSD-3-Clause */
/* Delaunay's triangulation: no point is inside the circle of a triangle.

   Points come one by one. The triangle that a point falls into is found by
   walking from the last one, and split; edges across from the new point are
   flipped until the circles beyond them are empty of it. In exact arithmetic.

   C. L. Lawson, Software for C1 surface interpolation, 1977; ghost triangles as
   in J. R. Shewchuk, Triangle, 1996, doi:10.1007/BFb0014497. */
#include "triangulate.h"

#include <stdlib.h>

__extension__ typedef __int128 wide;

typedef struct builder {
    const plane_point *points;
    triangle *triangles;
    int32_t ntriangles;
    int32_t ghost;
    int32_t last; /* a triangle at the last point */
} builder;

static int next(int k)
{
    return k == 2 ? 0 : k + 1;
}

static int before(int k)
{
    return k == 0 ? 2 : k - 1;
}

/* ---- Predicates ---------------------------------------------------------- */

/* Twice the area of the triangle, positive if a, b, c turn left: below 2^61. */
static int64_t orientation(const builder *d, int32_t a, int32_t b, int32_t c)
{
    const plane_point *p = d->points;
    const int64_t bx = (int64_t)p[b].x - p[a].x;
    const int64_t by = (int64_t)p[b].y - p[a].y;
    const int64_t cx = (int64_t)p[c].x - p[a].x;
    const int64_t cy = (int64_t)p[c].y - p[a].y;
    return bx * cy - by * cx;
}

/* Whether q is inside the circle of a triangle: a determinant below 2^124. */
static bool is_in_circle(const builder *d, const triangle *t, int32_t q)
{
    int64_t x[3];
    int64_t y[3];
    wide determinant = 0;
    for (int k = 0; k < 3; k++) {
        x[k] = (int64_t)d->points[t->corner[k]].x - d->points[q].x;
        y[k] = (int64_t)d->points[t->corner[k]].y - d->points[q].y;
    }
    for (int k = 0; k < 3; k++) {
        const int i = next(k);
        const int j = before(k);
        determinant +=
            (wide)(x[k] * x[k] + y[k] * y[k]) * (x[i] * y[j] - x[j] * y[i]);
    }
    return determinant > 0;
}

/* The corner that is the ghost, or -1. */
static int ghost_corner(const builder *d, const triangle *t)
{
    for (int k = 0; k < 3; k++)
        if (t->corner[k] == d->ghost)
            return k;
    return -1;
}

/* The circle of a ghost triangle is the half plane beyond its edge of the hull,
   and the edge itself. */
static bool is_in_conflict(const builder *d, const triangle *t, int32_t q)
{
    const int k = ghost_corner(d, t);
    if (k < 0)
        return is_in_circle(d, t, q);
    const int32_t a = t->corner[next(k)];
    const int32_t b = t->corner[before(k)];
    const int64_t turn = orientation(d, a, b, q);
    if (turn != 0)
        return turn > 0;
    const plane_point *p = d->points;
    const int64_t ax = (int64_t)p[a].x - p[q].x;
    const int64_t ay = (int64_t)p[a].y - p[q].y;
    const int64_t bx = (int64_t)p[b].x - p[q].x;
    const int64_t by = (int64_t)p[b].y - p[q].y;
    return ax * bx + ay * by < 0;
}

/* ---- Edits --------------------------------------------------------------- */

/* What lay beyond `from` lies beyond `to` now, seen from triangle t. */
static void relink(builder *d, int32_t t, int32_t from, int32_t to)
{
    int32_t *across = d->triangles[t].across;
    across[across[0] == from ? 0 : across[1] == from ? 1 : 2] = to;
}

/* Make q the first corner of three triangles in place of t. */
static void split(builder *d, int32_t t, int32_t q)
{
    const triangle old = d->triangles[t];
    const int32_t *v = old.corner;
    const int32_t *beyond = old.across;
    const int32_t u = d->ntriangles;
    const int32_t w = d->ntriangles + 1;
    d->ntriangles += 2;
    d->triangles[t] = (triangle){{q, v[0], v[1]}, {beyond[2], u, w}};
    d->triangles[u] = (triangle){{q, v[1], v[2]}, {beyond[0], w, t}};
    d->triangles[w] = (triangle){{q, v[2], v[0]}, {beyond[1], t, u}};
    relink(d, beyond[0], t, u);
    relink(d, beyond[1], t, w);
}

/* t = (q, a, b) and the triangle (c, b, a) across from q become (q, a, c) and
   (q, c, b). */
static void flip(builder *d, int32_t t)
{
    triangle *near = &d->triangles[t];
    const int32_t u = near->across[0];
    triangle *far = &d->triangles[u];
    const int k = far->across[0] == t ? 0 : far->across[1] == t ? 1 : 2;
    const int32_t q = near->corner[0];
    const int32_t b = near->corner[2];
    const int32_t c = far->corner[k];
    const int32_t beyond_ac = far->across[next(k)];
    const int32_t beyond_cb = far->across[before(k)];
    const int32_t beyond_bq = near->across[1];
    near->corner[2] = c;
    near->across[0] = beyond_ac;
    near->across[1] = u;
    *far = (triangle){{q, c, b}, {beyond_cb, beyond_bq, t}};
    relink(d, beyond_ac, u, t);
    relink(d, beyond_bq, t, u);
}

/* ---- Points -------------------------------------------------------------- */

/* The corner of t whose edge has q beyond it, or -1: q is in t. */
static int way_out(const builder *d, const triangle *t, int32_t q)
{
    for (int k = 0; k < 3; k++)
        if (orientation(d, t->corner[next(k)], t->corner[before(k)], q) < 0)
            return k;
    return -1;
}

/* A triangle that is in conflict with q: the one that q is in, or a ghost. A
   walk through Delaunay triangles does not come back. */
static int32_t locate(const builder *d, int32_t q)
{
    int32_t t = d->last;
    int k = ghost_corner(d, &d->triangles[t]);
    if (k < 0)
        k = way_out(d, &d->triangles[t], q);
    while (k >= 0) {
        t = d->triangles[t].across[k];
        if (ghost_corner(d, &d->triangles[t]) >= 0)
            return t;
        k = way_out(d, &d->triangles[t], q);
    }
    return t;
}

/* Edges between q and others stay, and the round ends at the first of them. */
static void insert(builder *d, int32_t q)
{
    int32_t t = locate(d, q);
    split(d, t, q);
    const int32_t first = d->triangles[t].corner[1];
    for (;;) {
        triangle *at = &d->triangles[t];
        if (is_in_conflict(d, &d->triangles[at->across[0]], q)) {
            flip(d, t);
        } else if (at->corner[2] == first) {
            break;
        } else {
            t = at->across[1];
        }
    }
    d->last = t;
}

/* Triangle a, b, c and the three ghosts around it. */
static void begin(builder *d, int32_t a, int32_t b, int32_t c)
{
    const int32_t g = d->ghost;
    d->triangles[0] = (triangle){{a, b, c}, {1, 2, 3}};
    d->triangles[1] = (triangle){{g, c, b}, {0, 3, 2}};
    d->triangles[2] = (triangle){{g, a, c}, {0, 1, 3}};
    d->triangles[3] = (triangle){{g, b, a}, {0, 2, 1}};
    d->ntriangles = 4;
    d->last = 0;
}

spgemm_status triangulate(triangulation *T, const plane_point *points,
                          int64_t npoints)
{
    builder d = {.points = points, .ghost = (int32_t)npoints};
    int32_t third = 2;
    while (third < npoints && orientation(&d, 0, 1, third) == 0)
        third++;
    if (third >= npoints)
        return SPGEMM_ERROR_INVALID;
    d.triangles = malloc((size_t)(2 * npoints - 2) * sizeof *d.triangles);
    if (!d.triangles)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    if (orientation(&d, 0, 1, third) > 0)
        begin(&d, 0, 1, third);
    else
        begin(&d, 1, 0, third);
    for (int32_t q = 2; q < npoints; q++)
        if (q != third)
            insert(&d, q);
    *T = (triangulation){npoints, d.ntriangles, d.triangles};
    return SPGEMM_SUCCESS;
}

void triangulation_destroy(triangulation *T)
{
    free(T->triangles);
    *T = (triangulation){0};
}
