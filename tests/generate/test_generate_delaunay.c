/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

#include "dice.h"
#include "make_kind.h"
#include "triangulate.h"

__extension__ typedef __int128 wide;

/* ---- Triangulations ------------------------------------------------------ */

/* Twice the area of a triangle, positive if it turns left. */
static int64_t area(plane_point a, plane_point b, plane_point c)
{
    return ((int64_t)b.x - a.x) * ((int64_t)c.y - a.y) -
           ((int64_t)b.y - a.y) * ((int64_t)c.x - a.x);
}

static wide lift(plane_point p, plane_point q)
{
    const wide x = (wide)p.x - q.x;
    const wide y = (wide)p.y - q.y;
    return x * x + y * y;
}

/* Positive if q is inside the circle of a, b, c. */
static wide inside(plane_point a, plane_point b, plane_point c, plane_point q)
{
    return lift(a, q) * area(q, b, c) + lift(b, q) * area(q, c, a) +
           lift(c, q) * area(q, a, b);
}

static int compare_points(const void *x, const void *y)
{
    const plane_point *a = x;
    const plane_point *b = y;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return (a->y > b->y) - (a->y < b->y);
}

/* Twice the area of the convex hull: of Andrew's monotone chains. */
static int64_t hull_area(const plane_point *points, int64_t n)
{
    int64_t sum = 0;
    plane_point *sorted = calloc((size_t)n, sizeof *sorted);
    plane_point *chain = calloc((size_t)n, sizeof *chain);
    cr_assert(sorted && chain);
    for (int64_t i = 0; i < n; i++)
        sorted[i] = points[i];
    qsort(sorted, (size_t)n, sizeof *sorted, compare_points);
    for (int side = 1; side >= -1; side -= 2) {
        int64_t count = 0;
        for (int64_t i = 0; i < n; i++) {
            while (count >= 2 &&
                   side * area(chain[count - 2], chain[count - 1], sorted[i]) <=
                       0)
                count--;
            chain[count++] = sorted[i];
        }
        for (int64_t k = 2; k < count; k++)
            sum += side * area(chain[0], chain[k - 1], chain[k]);
    }
    free(sorted);
    free(chain);
    return sum;
}

/* The neighbour across from each corner shares the edge, in the opposite
   direction, and has this one as its neighbour. */
static void expect_neighbours(const triangulation *T, int32_t t)
{
    for (int k = 0; k < 3; k++) {
        const triangle *near = &T->triangles[t];
        const triangle *far = &T->triangles[near->across[k]];
        int j = 0;
        while (j < 2 && far->across[j] != t)
            j++;
        cr_assert_eq(far->across[j], t);
        cr_assert_eq(far->corner[(j + 1) % 3], near->corner[(k + 2) % 3]);
        cr_assert_eq(far->corner[(j + 2) % 3], near->corner[(k + 1) % 3]);
    }
}

/* Everything that is promised: triangles fill the hull, and no point is inside
   the circle of one. */
static void expect_delaunay(const plane_point *points, int64_t n)
{
    triangulation T = {0};
    int64_t sum = 0;
    int64_t nghosts = 0;
    cr_assert_eq(triangulate(&T, points, n), SPGEMM_SUCCESS);
    cr_assert_eq(T.ntriangles, 2 * n - 2);
    for (int32_t t = 0; t < T.ntriangles; t++) {
        const int32_t *c = T.triangles[t].corner;
        expect_neighbours(&T, t);
        if (c[0] == n || c[1] == n || c[2] == n) {
            nghosts++;
            continue;
        }
        const plane_point a = points[c[0]];
        const plane_point b = points[c[1]];
        const plane_point d = points[c[2]];
        cr_assert_gt(area(a, b, d), 0);
        sum += area(a, b, d);
        for (int64_t q = 0; q < n; q++)
            cr_assert(inside(a, b, d, points[q]) <= 0,
                      "point %" PRId64 " is in a circle", q);
    }
    cr_expect_geq(nghosts, 3);
    cr_expect_eq(sum, hull_area(points, n));
    triangulation_destroy(&T);
}

/* n points at different places of a grid of side * side, in random order. */
static plane_point *draw_grid(int64_t n, int32_t side, int32_t scale, dice *d)
{
    const int64_t places = (int64_t)side * side;
    plane_point *points = calloc((size_t)places, sizeof *points);
    cr_assert_not_null(points);
    for (int64_t k = 0; k < places; k++)
        points[k] = (plane_point){(int32_t)(k % side) * scale,
                                  (int32_t)(k / side) * scale};
    for (int64_t k = 0; k < n; k++) {
        const int64_t other = k + dice_below(d, places - k);
        const plane_point swap = points[k];
        points[k] = points[other];
        points[other] = swap;
    }
    return points;
}

static bool is_on_a_line(const plane_point *points, int64_t n)
{
    for (int64_t k = 2; k < n; k++)
        if (area(points[0], points[1], points[k]) != 0)
            return false;
    return true;
}

/* Four or more on a circle, three or more on a line: again and again. */
Test(triangulate, is_delaunay_of_points_of_a_small_grid)
{
    dice d = {11};
    for (int trial = 0; trial < 600; trial++) {
        const int32_t side = (int32_t)(2 + dice_below(&d, 6));
        const int64_t places = (int64_t)side * side;
        const int64_t n = 3 + dice_below(&d, places - 2);
        plane_point *points = draw_grid(n, side, 1, &d);
        if (!is_on_a_line(points, n))
            expect_delaunay(points, n);
        free(points);
    }
}

Test(triangulate, is_delaunay_of_a_whole_grid_as_large_as_can_be)
{
    dice d = {5};
    const int32_t most = (1 << PLANE_BITS) - 1;
    plane_point *points = draw_grid(15 * 15, 15, most / 14, &d);
    expect_delaunay(points, 15 * 15);
    free(points);
}

Test(triangulate, is_delaunay_of_random_points)
{
    enum { MOST = 300 };
    plane_point points[MOST];
    dice d = {3};
    for (int trial = 0; trial < 30; trial++) {
        const int64_t n = 3 + dice_below(&d, MOST - 2);
        for (int64_t k = 0; k < n; k++)
            points[k] = (plane_point){(int32_t)dice_below(&d, 1 << PLANE_BITS),
                                      (int32_t)dice_below(&d, 1 << PLANE_BITS)};
        expect_delaunay(points, n);
    }
}

/* The corners of the plane, a point near one, and points on a parabola: thin
   triangles. */
Test(triangulate, is_delaunay_of_thin_triangles)
{
    enum { COUNT = 70 };
    const int32_t most = (1 << PLANE_BITS) - 1;
    plane_point points[COUNT] = {{0, 0},    {most, most}, {most, 0},
                                 {0, most}, {1, 0},       {most - 1, 1}};
    for (int32_t k = 6; k < COUNT; k++)
        points[k] = (plane_point){most / 2 - COUNT + 2 * k, k * k};
    expect_delaunay(points, COUNT);
}

Test(triangulate, refuses_points_of_one_line)
{
    triangulation T = {0};
    plane_point points[20];
    for (int32_t k = 0; k < 20; k++)
        points[k] = (plane_point){7 * k + 1, 3 * k + 9};
    cr_expect_eq(triangulate(&T, points, 20), SPGEMM_ERROR_INVALID);
    cr_expect_null(T.triangles);
    points[19].y++;
    expect_delaunay(points, 20);
}

/* ---- The graph ----------------------------------------------------------- */

/* Edges = 3 N - 3 - corners of the hull. */
Test(generate_delaunay, is_a_planar_graph)
{
    static const char *const kinds[] = {
        "delaunay 3", "delaunay 4", "delaunay 17", "delaunay 2000 --seed 4"};
    for (int k = 0; k < 4; k++) {
        spgemm_csr A = make_kind(kinds[k]);
        const int64_t edges = A.nnz / 2;
        const int64_t corners = 3 * A.nrows - 3 - edges;
        cr_expect(corners >= 3 && corners <= A.nrows, "%s", kinds[k]);
        cr_expect(has_symmetric_places(&A), "%s", kinds[k]);
        for (int64_t i = 0; i < A.nrows; i++) {
            cr_assert_not(has_entry(&A, i, i));
            cr_assert_geq(A.rowptr[i + 1] - A.rowptr[i], 2);
        }
        spgemm_csr_destroy(&A);
    }
}

/* delaunay_n15 of DIMACS, other points of the same kind: 196548 entries, 18 in
   the longest row, 1239128 products of its square and 679746 entries. */
Test(generate_delaunay, is_like_the_one_of_dimacs)
{
    int64_t products;
    int64_t nnz_c;
    spgemm_csr A = make_kind("delaunay 32768");
    count_square(&A, &products, &nnz_c);
    cr_expect_leq(llabs(A.nnz - 196548), 40);
    cr_expect_leq(llabs(products - 1239128), 1239128 / 1000);
    cr_expect_leq(llabs(nnz_c - 679746), 679746 / 1000);
    cr_expect(longest_row(&A) >= 14 && longest_row(&A) <= 22);
    spgemm_csr_destroy(&A);
}

/* Rows near one another are points near one another, most of them. */
Test(generate_delaunay, is_numbered_along_a_curve)
{
    spgemm_csr A = make_kind("delaunay 10000");
    const int32_t *columns = A.colidx;
    int64_t near = 0;
    for (int64_t i = 0; i < A.nrows; i++)
        for (int64_t p = A.rowptr[i]; p < A.rowptr[i + 1]; p++)
            near += llabs(columns[p] - i) <= 100;
    cr_expect_gt(near, A.nnz * 3 / 4);
    spgemm_csr_destroy(&A);
}
