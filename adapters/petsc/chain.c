/* SPDX-License-Identifier: BSD-3-Clause */
/* C = L*R, where L and R are the operands of a product, their transposes, or
   products themselves:
   AB: A*B; AtB: A^T * B; PtAP: P^T * (A*P); RARt: (R*A) * R^T; ABC: A * (B*C).
   L*(A*P) and A*(B*C) of sequential matrices are one call. */
#include "chain.h"

#include "assemble.h"
#include "dispatch.h"
#include "product.h"
#include "spgemm_petsc.h"
#include "triple.h"

/* PetscObjectStateGet(), which the manual has and no other header; the nonzero
   state and the name of a matrix, and what is composed with it. */
#include <petsc/private/matimpl.h>

/* How an operand of L*R comes about. */
typedef enum origin { GIVEN, TRANSPOSED, MULTIPLIED } origin;

typedef struct factor {
    origin from;
    /* What it is transposed or multiplied from. */
    int of[2];
    Mat mat;
    /* Whose transpose it is. */
    PetscObjectId parent;
} factor;

/* A product as a chain: positions among the mats of MatProductGetMats(). */
typedef struct recipe {
    MatProductType type;
    factor L;
    factor R;
} recipe;

static const recipe recipes[] = {
    {MATPRODUCT_AB, {.of = {0}}, {.of = {1}}},
    {MATPRODUCT_AtB, {TRANSPOSED, {0}, NULL, 0}, {.of = {1}}},
    {MATPRODUCT_PtAP,
     {TRANSPOSED, {1}, NULL, 0},
     {MULTIPLIED, {0, 1}, NULL, 0}},
    {MATPRODUCT_RARt,
     {MULTIPLIED, {1, 0}, NULL, 0},
     {TRANSPOSED, {1}, NULL, 0}},
    {MATPRODUCT_ABC, {.of = {0}}, {MULTIPLIED, {1, 2}, NULL, 0}},
};
enum { RECIPE_COUNT = sizeof(recipes) / sizeof(*recipes), MAT_COUNT = 3 };

/* Which matrix it is, and in what state. */
typedef struct version {
    PetscObjectId id;
    PetscObjectState state;
} version;

/* What C keeps. */
typedef struct chain {
    recipe r;
    product last;
    /* In place of it: L*(A*P) in one call, neither P^T nor A*P made. */
    triple whole;
    PetscBool is_whole;
    /* Of the operands, and of C, when values of C were last found. */
    version of[MAT_COUNT];
    PetscObjectState of_C;
    /* MatProductSymbolic() found the values, too. */
    PetscBool is_fresh;
} chain;

static const char CHAIN[] = "spgemm_chain";

static PetscErrorCode find_versions(Mat mats[], version of[])
{
    PetscFunctionBegin;
    for (int m = 0; m < MAT_COUNT; m++) {
        of[m] = (version){0};
        if (mats[m] == NULL)
            continue;
        PetscCall(PetscObjectGetId((PetscObject)mats[m], &of[m].id));
        PetscCall(PetscObjectStateGet((PetscObject)mats[m], &of[m].state));
    }
    PetscFunctionReturn(0);
}

static MatReuse reuse_of(Mat mat)
{
    return mat == NULL ? MAT_INITIAL_MATRIX : MAT_REUSE_MATRIX;
}

/* PETSc transposes again only what it transposed before. */
static PetscErrorCode transpose(factor *f, Mat parent)
{
    PetscObjectId id;

    PetscFunctionBegin;
    PetscCall(PetscObjectGetId((PetscObject)parent, &id));
    if (id != f->parent)
        PetscCall(MatDestroy(&f->mat));
    f->parent = id;
    PetscCall(MatTranspose(parent, reuse_of(f->mat), &f->mat));
    PetscFunctionReturn(0);
}

/* An operand of the last product, found first or again. */
static PetscErrorCode find_factor(factor *f, Mat mats[])
{
    PetscFunctionBegin;
    if (f->from == TRANSPOSED)
        PetscCall(transpose(f, mats[f->of[0]]));
    if (f->from == MULTIPLIED)
        PetscCall(MatMatMult(mats[f->of[0]], mats[f->of[1]], reuse_of(f->mat),
                             PETSC_DEFAULT, &f->mat));
    PetscFunctionReturn(0);
}

static Mat operand(const factor *f, Mat mats[])
{
    return f->from == GIVEN ? mats[f->of[0]] : f->mat;
}

static PetscErrorCode destroy_chain(void *context)
{
    chain *c = context;

    PetscFunctionBegin;
    PetscCall(MatDestroy(&c->r.L.mat));
    PetscCall(MatDestroy(&c->r.R.mat));
    PetscCall(product_destroy(&c->last));
    PetscCall(triple_destroy(&c->whole));
    PetscCall(PetscFree(c));
    PetscFunctionReturn(0);
}

/* L of a product in one call; NULL: the transpose of the last. */
static Mat first_of_three(const chain *c, Mat mats[])
{
    return c->r.L.from == GIVEN ? mats[c->r.L.of[0]] : NULL;
}

/* C = L*R, first. */
static PetscErrorCode multiply(chain *c, Mat mats[], Mat *C)
{
    const int *const of = c->r.R.of;
    PetscBool is_parallel;

    PetscFunctionBegin;
    PetscCall(
        PetscObjectTypeCompare((PetscObject)mats[0], MATMPIAIJ, &is_parallel));
    if (c->r.R.from == MULTIPLIED && !is_parallel) {
        c->is_whole = PETSC_TRUE;
        PetscCall(triple_multiply(&c->whole, &c->last.options,
                                  first_of_three(c, mats), mats[of[0]],
                                  mats[of[1]], C));
        PetscFunctionReturn(0);
    }
    PetscCall(find_factor(&c->r.L, mats));
    PetscCall(find_factor(&c->r.R, mats));
    PetscCall(product_multiply(&c->last, operand(&c->r.L, mats),
                               operand(&c->r.R, mats), C));
    PetscFunctionReturn(0);
}

/* The same, of other values. */
static PetscErrorCode multiply_again(chain *c, Mat mats[], Mat C)
{
    const int *const of = c->r.R.of;

    PetscFunctionBegin;
    if (c->is_whole) {
        PetscCall(triple_repeat(&c->whole, &c->last.options,
                                first_of_three(c, mats), mats[of[0]],
                                mats[of[1]], C));
        PetscFunctionReturn(0);
    }
    PetscCall(find_factor(&c->r.L, mats));
    PetscCall(find_factor(&c->r.R, mats));
    PetscCall(product_repeat(&c->last, operand(&c->r.L, mats),
                             operand(&c->r.R, mats), C));
    PetscFunctionReturn(0);
}

/* MATOP_PRODUCTNUMERIC: nothing, where the values were found with the
   structure and nothing has changed since. */
static PetscErrorCode chain_numeric(Mat C)
{
    Mat mats[MAT_COUNT];
    PetscContainer container;
    chain *c;
    version of[MAT_COUNT];
    PetscObjectState of_C;

    PetscFunctionBegin;
    PetscCall(
        PetscObjectQuery((PetscObject)C, CHAIN, (PetscObject *)&container));
    PetscCheck(container, PetscObjectComm((PetscObject)C),
               PETSC_ERR_ARG_WRONGSTATE,
               "spgemm: nothing was kept of this product to repeat it");
    PetscCall(PetscContainerGetPointer(container, (void **)&c));
    PetscCall(MatProductGetMats(C, &mats[0], &mats[1], &mats[2]));
    PetscCall(find_versions(mats, of));
    PetscCall(PetscObjectStateGet((PetscObject)C, &of_C));
    PetscBool is_done = c->is_fresh && of_C == c->of_C;
    for (int m = 0; m < MAT_COUNT; m++)
        if (of[m].id != c->of[m].id || of[m].state != c->of[m].state)
            is_done = PETSC_FALSE;
    c->is_fresh = PETSC_FALSE;
    if (!is_done)
        PetscCall(multiply_again(c, mats, C));
    /* -mat_product_clear: C is no product after this. */
    if (c->last.options.clear)
        PetscCall(PetscObjectCompose((PetscObject)C, CHAIN, NULL));
    PetscFunctionReturn(0);
}

/* By its nonzero state PETSc knows a new pattern: D's is to be none that C has had,
   nor one when the states of its blocks are summed again. */
static PetscErrorCode outgrow(chain *c, Mat D, PetscObjectState older)
{
    PetscMPIInt size;
    Mat own;
    Mat other;

    PetscFunctionBegin;
    PetscCallMPI(MPI_Comm_size(PetscObjectComm((PetscObject)D), &size));
    PetscCall(find_parts(D, &own, &other, NULL));
    own->nonzerostate += older;
    if (other)
        D->nonzerostate += size * older;
    c->last.pattern = D->nonzerostate;
    c->whole.pattern = D->nonzerostate;
    PetscFunctionReturn(0);
}

/* D gets the objects composed with C, beside its own. */
static PetscErrorCode carry_objects(Mat C, Mat D)
{
    static const char *const own[] = {CHAIN, SEQAIJ_ARRAYS};
    PetscObjectList all = NULL;
    PetscObject object;

    PetscFunctionBegin;
    PetscCall(PetscObjectListDuplicate(((PetscObject)C)->olist, &all));
    for (size_t o = 0; o < sizeof(own) / sizeof(*own); o++) {
        PetscCall(PetscObjectQuery((PetscObject)D, own[o], &object));
        PetscCall(PetscObjectListAdd(&all, own[o], object));
    }
    PetscCall(PetscObjectListDestroy(&((PetscObject)D)->olist));
    ((PetscObject)D)->olist = all;
    PetscFunctionReturn(0);
}

/* D, which has the entries, becomes C, with a product of the same mats. */
static PetscErrorCode become(Mat C, Mat *D, MatProductType type, Mat mats[])
{
    const char *prefix;
    PetscBool is_ours[2];

    PetscFunctionBegin;
    PetscCall(MatGetOptionsPrefix(C, &prefix));
    PetscCall(MatSetOptionsPrefix(*D, prefix));
    PetscCall(PetscObjectSetName((PetscObject)*D, ((PetscObject)C)->name));
    PetscCall(MatPropagateSymmetryOptions(C, *D));
    PetscCall(dispatch_is_ours(mats[0], &is_ours[0]));
    PetscCall(dispatch_is_ours(mats[1], &is_ours[1]));
    if (is_ours[0] && is_ours[1])
        PetscCall(SpgemmPetscUse(*D));
    PetscCall(MatProductCreateWithMat(mats[0], mats[1], mats[2], *D));
    PetscCall(MatProductSetType(*D, type));
    PetscCall(MatProductSetFromOptions(*D));
    PetscCall(carry_objects(C, *D));
    PetscCall(MatHeaderReplace(C, D));
    PetscCall(MatSetOperation(C, MATOP_PRODUCTNUMERIC,
                              (void (*)(void))chain_numeric));
    PetscFunctionReturn(0);
}

static PetscErrorCode begin_chain(Mat C, MatProductType type, chain **c,
                                  PetscContainer *container)
{
    const char *prefix;

    PetscFunctionBegin;
    PetscCall(PetscNew(c));
    PetscCall(PetscContainerCreate(PetscObjectComm((PetscObject)C), container));
    PetscCall(PetscContainerSetPointer(*container, *c));
    PetscCall(PetscContainerSetUserDestroy(*container, destroy_chain));
    for (int r = 0; r < RECIPE_COUNT; r++)
        if (recipes[r].type == type)
            (*c)->r = recipes[r];
    PetscCall(MatGetOptionsPrefix(C, &prefix));
    PetscCall(settings_read(PetscObjectComm((PetscObject)C), prefix,
                            &(*c)->last.options));
    PetscFunctionReturn(0);
}

PetscErrorCode chain_symbolic(Mat C)
{
    MatProductType type;
    Mat mats[MAT_COUNT];
    PetscContainer container;
    chain *c;
    Mat D = NULL;

    PetscFunctionBegin;
    PetscCall(MatProductGetType(C, &type));
    PetscCall(MatProductGetMats(C, &mats[0], &mats[1], &mats[2]));
    PetscCall(begin_chain(C, type, &c, &container));
    const PetscErrorCode failed = multiply(c, mats, &D);
    if (failed)
        PetscCall(PetscContainerDestroy(&container));
    PetscCall(failed);
    PetscCall(outgrow(c, D, C->nonzerostate));
    PetscCall(find_versions(mats, c->of));
    c->is_fresh = PETSC_TRUE;
    PetscCall(
        PetscObjectCompose((PetscObject)D, CHAIN, (PetscObject)container));
    PetscCall(PetscContainerDestroy(&container));
    PetscCall(become(C, &D, type, mats));
    PetscCall(PetscObjectStateGet((PetscObject)C, &c->of_C));
    PetscFunctionReturn(0);
}
