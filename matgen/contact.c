/* SPDX-License-Identifier: BSD-3-Clause */
/* A(i,j) != 0 where the atoms of i and j are within a cut-off of each other: N
   atoms at random in a hollow ball, numbered along Hilbert's curve as a chain
   that is folded into it, and a cut-off that DEGREE atoms are within, counting
   the atom itself. 12139 and 40 are near the protein pdb1HYS. */
#include "common/checked.h"
#include "hollow_ball.h"
#include "kind.h"

/* The members of a cell, which is a cube, are at begin[cell] ...
   begin[cell + 1] - 1. */
typedef struct cell_list {
    int64_t natoms;
    ball_point *atoms;
    int64_t reach_squared;
    int64_t side;     /* of a cell: no less than the cut-off */
    int64_t per_axis; /* cells */
    int64_t *begin;
    int32_t *members;
} cell_list;

/* ---- Cells --------------------------------------------------------------- */

static int64_t find_cell(const cell_list *c, const int64_t *cell)
{
    return (cell[2] * c->per_axis + cell[1]) * c->per_axis + cell[0];
}

static int64_t cell_of_atom(const cell_list *c, int64_t i)
{
    int64_t cell[BALL_AXES];
    for (int axis = 0; axis < BALL_AXES; axis++)
        cell[axis] = c->atoms[i][axis] / c->side;
    return find_cell(c, cell);
}

/* Cells are as wide as the cut-off or wider, and about as many as atoms or
   fewer. */
static void choose_cells(cell_list *c, int64_t reach)
{
    int64_t most = 1;
    while ((most + 1) * (most + 1) * (most + 1) <= c->natoms)
        most++;
    c->side = max_i64(reach, BALL_SIDE / most) + 1;
    c->per_axis = BALL_SIDE / c->side + 1;
}

static bool fill_cells(cell_list *c)
{
    const int64_t ncells = c->per_axis * c->per_axis * c->per_axis;
    c->begin = calloc((size_t)ncells + 1, sizeof *c->begin);
    c->members = malloc((size_t)c->natoms * sizeof *c->members);
    if (!c->begin || !c->members)
        return false;
    int64_t *ends = c->begin + 1;
    for (int64_t i = 0; i < c->natoms; i++)
        ends[cell_of_atom(c, i)]++;
    int64_t sum = 0;
    for (int64_t cell = 0; cell < ncells; cell++) {
        const int64_t count = ends[cell];
        ends[cell] = sum;
        sum += count;
    }
    for (int64_t i = 0; i < c->natoms; i++)
        c->members[ends[cell_of_atom(c, i)]++] = (int32_t)i;
    return true;
}

/* ---- Rows ---------------------------------------------------------------- */

static bool is_near(const cell_list *c, int64_t i, int64_t j)
{
    int64_t square = 0;
    for (int axis = 0; axis < BALL_AXES; axis++) {
        const int64_t x = (int64_t)c->atoms[i][axis] - c->atoms[j][axis];
        square += x * x;
    }
    return square <= c->reach_squared;
}

/* Count the atoms of a cell that atom i reaches; write them where there is
   room. */
static int64_t scan_cell(const cell_list *c, int64_t i, const int64_t *cell,
                         int32_t *columns)
{
    int64_t count = 0;
    for (int axis = 0; axis < BALL_AXES; axis++)
        if (cell[axis] < 0 || cell[axis] >= c->per_axis)
            return 0;
    const int64_t k = find_cell(c, cell);
    for (int64_t p = c->begin[k]; p < c->begin[k + 1]; p++) {
        if (!is_near(c, i, c->members[p]))
            continue;
        if (columns)
            columns[count] = c->members[p];
        count++;
    }
    return count;
}

static int64_t scan(const void *context, int64_t i, int32_t *columns)
{
    const cell_list *c = context;
    int64_t count = 0;
    for (int64_t k = 0; k < 27; k++) {
        const int64_t cell[] = {c->atoms[i][0] / c->side + k % 3 - 1,
                                c->atoms[i][1] / c->side + k / 3 % 3 - 1,
                                c->atoms[i][2] / c->side + k / 9 - 1};
        count += scan_cell(c, i, cell, columns ? columns + count : NULL);
    }
    return count;
}

static int64_t count_contacts(const void *context, int64_t i)
{
    return scan(context, i, NULL);
}

static spgemm_status make_contact(spgemm_csr *A, const recipe *r)
{
    spgemm_status status = SPGEMM_ERROR_OUT_OF_MEMORY;
    cell_list c = {.natoms = r->sizes[0]};
    const int64_t reach = hollow_ball_reach(r->sizes[0], r->sizes[1]);
    if (rows_times(c.natoms, r->dofs) == 0)
        return SPGEMM_ERROR_INVALID;
    c.reach_squared = reach * reach;
    c.atoms = malloc((size_t)c.natoms * sizeof *c.atoms);
    choose_cells(&c, reach);
    if (c.atoms &&
        hollow_ball_draw(c.atoms, c.natoms, stream_seed(r, STREAM_POINTS)) &&
        fill_cells(&c))
        status = make_nodes(
            A, &(row_rule){c.natoms, c.natoms, &c, count_contacts, scan},
            r->dofs);
    free(c.atoms);
    free(c.begin);
    free(c.members);
    return status;
}

const matrix_kind kind_contact = {
    .name = "contact",
    .help = "N DEGREE: N atoms at random in a hollow ball, DEGREE in reach of "
            "one, itself included; --dofs unknowns an atom",
    .sizes = {{"N", 1, MOST_ROWS, MUST_BE_GIVEN},
              {"DEGREE", 1, MOST_ROWS, MUST_BE_GIVEN}},
    .dofs = 3,
    .make = make_contact};
