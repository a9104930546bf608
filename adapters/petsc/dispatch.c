/* SPDX-License-Identifier: BSD-3-Clause */
/* A product of matrices of AIJ type is ours where both operands of A*B or A^T*B
   are, or one of a product of three; all others go on to PETSc. */
#include "dispatch.h"

#include "chain.h"
#include "conversions.h"
#include "settings.h"

typedef PetscErrorCode set_from_options(Mat C);

/* What PETSc's own matrices do. */
static set_from_options *petsc_sequential;
static set_from_options *petsc_parallel;

static const char BY_ANY_TYPE[] = "MatProductSetFromOptions_anytype_C";
/* A virtual transpose answers for any type, too, and refuses to be one of three
   matrices: PETSc's own types have a name for that. */
static const char *const OF_TRANSPOSE[] = {
    "MatProductSetFromOptions_transpose_seqaijspgemm_seqaijspgemm_C",
    "MatProductSetFromOptions_transpose_seqaijspgemm_seqaij_C",
    "MatProductSetFromOptions_transpose_seqaij_seqaijspgemm_C",
};
enum { OF_TRANSPOSE_COUNT = sizeof(OF_TRANSPOSE) / sizeof(*OF_TRANSPOSE) };
/* What PETSc does for C instead of us. */
static const char SYMBOLIC[] = "spgemm_petsc_symbolic_C";

PetscErrorCode dispatch_is_ours(Mat A, PetscBool *is_ours)
{
    PetscBool is_parallel;
    Mat block = A;

    PetscFunctionBegin;
    *is_ours = PETSC_FALSE;
    if (A == NULL)
        PetscFunctionReturn(0);
    PetscCall(PetscObjectTypeCompare((PetscObject)A, MATMPIAIJ, &is_parallel));
    if (is_parallel)
        PetscCall(MatMPIAIJGetSeqAIJ(A, &block, NULL, NULL));
    if (block != NULL)
        PetscCall(PetscObjectTypeCompare((PetscObject)block, MATSEQAIJSPGEMM,
                                         is_ours));
    PetscFunctionReturn(0);
}

/* MatPtAP() that pays, by products of A P: a row, and in all. Measured, Zen 5, time
   of PETSc's over ours, the first time and again, on one rank: 27 points by linear
   interpolation 1.8, 1.4, by aggregates 1.1, 1.3, 7 points (23 products a row) 1.8,
   1.2; on two 1.2 to 1.4, 1.1; 0.8, 1.4; 1.2, 1.3, but of 400,000 products 0.7,
   1.0. */
static const PetscReal ROW_PRODUCTS = 16;
static const PetscReal ROW_PRODUCTS_OF_RANKS = 64;
static const PetscReal PRODUCTS_OF_RANKS = 1e6;

/* Whether P^T A P is faster than by PETSc's own loops. */
static PetscErrorCode does_ptap_pay(Mat C, Mat A, Mat P, PetscBool *does_pay)
{
    const char *prefix;
    settings s;
    MatInfo of_A;
    MatInfo of_P;
    PetscInt nrows;
    PetscInt ninner;
    PetscBool is_parallel;

    PetscFunctionBegin;
    PetscCall(MatGetOptionsPrefix(C, &prefix));
    PetscCall(settings_read(PetscObjectComm((PetscObject)C), prefix, &s));
    PetscCall(MatGetInfo(A, MAT_GLOBAL_SUM, &of_A));
    PetscCall(MatGetInfo(P, MAT_GLOBAL_SUM, &of_P));
    PetscCall(MatGetSize(A, &nrows, NULL));
    PetscCall(MatGetSize(P, &ninner, NULL));
    PetscCall(PetscObjectTypeCompare((PetscObject)A, MATMPIAIJ, &is_parallel));
    const PetscReal inner = PetscMax((PetscReal)ninner, 1);
    const PetscReal products = of_A.nz_used * (of_P.nz_used / inner);
    const PetscReal row = products / PetscMax((PetscReal)nrows, 1);
    PetscReal least = s.ptap_products;
    if (least < 0)
        least = is_parallel ? ROW_PRODUCTS_OF_RANKS : ROW_PRODUCTS;
    *does_pay = row >= least ? PETSC_TRUE : PETSC_FALSE;
    if (s.ptap_products < 0 && is_parallel && products < PRODUCTS_OF_RANKS)
        *does_pay = PETSC_FALSE;
    PetscFunctionReturn(0);
}

/* Whether the product is one of ours, and all its mats of these types. */
static PetscErrorCode is_product_ours(Mat C, MatType type, MatType other,
                                      PetscBool *is_ours)
{
    Mat mats[3];
    MatProductType kind;
    int count = 0;
    int count_ours = 0;

    PetscFunctionBegin;
    *is_ours = PETSC_FALSE;
    PetscCall(MatProductGetType(C, &kind));
    PetscCall(MatProductGetMats(C, &mats[0], &mats[1], &mats[2]));
    for (; count < 3 && mats[count] != NULL; count++) {
        PetscBool is_aij;
        PetscBool is_one_of_ours;
        PetscCall(PetscObjectTypeCompareAny((PetscObject)mats[count], &is_aij,
                                            type, other, ""));
        if (!is_aij)
            PetscFunctionReturn(0);
        PetscCall(dispatch_is_ours(mats[count], &is_one_of_ours));
        count_ours += is_one_of_ours ? 1 : 0;
    }
    /* PETSc makes A*(B*C) of A*B in a header that has a third mat: that is not
       for us to replace. */
    if (kind == MATPRODUCT_AB || kind == MATPRODUCT_AtB)
        *is_ours = count == 2 && count_ours == 2 ? PETSC_TRUE : PETSC_FALSE;
    else if (kind == MATPRODUCT_PtAP || kind == MATPRODUCT_RARt ||
             kind == MATPRODUCT_ABC)
        *is_ours = count_ours > 0 ? PETSC_TRUE : PETSC_FALSE;
    if (*is_ours && kind == MATPRODUCT_PtAP)
        PetscCall(does_ptap_pay(C, mats[0], mats[1], is_ours));
    PetscFunctionReturn(0);
}

static PetscErrorCode take_product(Mat C)
{
    PetscFunctionBegin;
    PetscCall(MatSetOperation(C, MATOP_PRODUCTSYMBOLIC,
                              (void (*)(void))chain_symbolic));
    PetscFunctionReturn(0);
}

/* The name of a product's routine, with PETSc's type in place of ours. */
static PetscErrorCode petsc_name(Mat mats[], int count, char name[],
                                 size_t length)
{
    PetscFunctionBegin;
    PetscCall(PetscStrncpy(name, "MatProductSetFromOptions", length));
    for (int m = 0; m < count; m++) {
        MatType type;
        PetscBool is_ours;
        PetscCall(MatGetType(mats[m], &type));
        PetscCall(PetscStrcmp(type, MATSEQAIJSPGEMM, &is_ours));
        PetscCall(PetscStrlcat(name, "_", length));
        PetscCall(PetscStrlcat(name, is_ours ? MATSEQAIJ : type, length));
    }
    PetscCall(PetscStrlcat(name, "_C", length));
    PetscFunctionReturn(0);
}

/* Whether its products are as of AIJ. A*B of aijperm, say, which is made of AIJ, is:
   others PETSc transposes, and loses what is ours on the way. */
static PetscErrorCode is_sequential_aij(Mat A, MatProductType kind,
                                        PetscBool *is_aij)
{
    set_from_options *now;

    PetscFunctionBegin;
    PetscCall(PetscObjectTypeCompareAny((PetscObject)A, is_aij, MATSEQAIJ,
                                        MATSEQAIJSPGEMM, ""));
    PetscCall(MatGetOperation(A, MATOP_PRODUCTSETFROMOPTIONS,
                              (void (**)(void)) & now));
    if (kind == MATPRODUCT_AB && now == dispatch_sequential)
        *is_aij = PETSC_TRUE;
    PetscFunctionReturn(0);
}

/* The mat, or what it is the virtual transpose of, where that is ours; else NULL. */
static PetscErrorCode find_ours(Mat mat, Mat *ours)
{
    PetscBool is_transpose;
    PetscBool is_ours;

    PetscFunctionBegin;
    *ours = mat;
    PetscCall(PetscObjectTypeCompare((PetscObject)mat, MATTRANSPOSEVIRTUAL,
                                     &is_transpose));
    if (is_transpose)
        PetscCall(MatTransposeGetMat(mat, ours));
    PetscCall(
        PetscObjectTypeCompare((PetscObject)*ours, MATSEQAIJSPGEMM, &is_ours));
    if (!is_ours)
        *ours = NULL;
    PetscFunctionReturn(0);
}

/* What PETSc does for C goes by the names of types: meanwhile ours have PETSc's. */
static PetscErrorCode call_by_petsc_names(Mat C, set_from_options *found)
{
    Mat mats[3];
    Mat ours[3] = {NULL, NULL, NULL};

    PetscFunctionBegin;
    PetscCall(MatProductGetMats(C, &mats[0], &mats[1], &mats[2]));
    for (int m = 0; m < 3 && mats[m] != NULL; m++) {
        PetscCall(find_ours(mats[m], &ours[m]));
        if (ours[m] != NULL)
            PetscCall(
                PetscObjectChangeTypeName((PetscObject)ours[m], MATSEQAIJ));
    }
    const PetscErrorCode failed = (*found)(C);
    for (int m = 0; m < 3; m++)
        if (ours[m] != NULL)
            PetscCall(PetscObjectChangeTypeName((PetscObject)ours[m],
                                                MATSEQAIJSPGEMM));
    PetscCall(failed);
    PetscFunctionReturn(0);
}

static PetscErrorCode symbolic_by_petsc_names(Mat C)
{
    set_from_options *symbolic;

    PetscFunctionBegin;
    PetscCall(PetscObjectQueryFunction((PetscObject)C, SYMBOLIC, &symbolic));
    PetscCall(call_by_petsc_names(C, symbolic));
    PetscFunctionReturn(0);
}

/* By the types of all mats. */
static PetscErrorCode go_on_by_types(Mat C, Mat mats[], int count)
{
    set_from_options *found = NULL;
    set_from_options *symbolic;
    char name[256];

    PetscFunctionBegin;
    PetscCall(petsc_name(mats, count, name, sizeof(name)));
    for (int m = 0; m < count && found == NULL; m++)
        PetscCall(PetscObjectQueryFunction((PetscObject)mats[m], name, &found));
    if (found == NULL)
        PetscFunctionReturn(0);
    PetscCall(call_by_petsc_names(C, found));
    PetscCall(MatGetOperation(C, MATOP_PRODUCTSYMBOLIC,
                              (void (**)(void)) & symbolic));
    if (symbolic == NULL)
        PetscFunctionReturn(0);
    PetscCall(PetscObjectComposeFunction((PetscObject)C, SYMBOLIC, symbolic));
    PetscCall(MatSetOperation(C, MATOP_PRODUCTSYMBOLIC,
                              (void (*)(void))symbolic_by_petsc_names));
    PetscFunctionReturn(0);
}

/* By the type of one, whatever the others are; not by ours, which is back here. */
static PetscErrorCode go_on_by_any_type(Mat C, Mat mats[], int count)
{
    set_from_options *found = NULL;

    PetscFunctionBegin;
    for (int m = 0; m < count && found == NULL; m++) {
        PetscCall(PetscObjectQueryFunction((PetscObject)mats[m], BY_ANY_TYPE,
                                           &found));
        if (found == dispatch_sequential)
            found = NULL;
    }
    if (found != NULL)
        PetscCall((*found)(C));
    PetscFunctionReturn(0);
}

/* What PETSc would have found, had ours been its own type. */
static PetscErrorCode go_on(Mat C)
{
    Mat mats[3];
    MatProductType kind;
    void (*symbolic)(void);
    PetscBool is_aij = PETSC_TRUE;

    PetscFunctionBegin;
    PetscCall(MatProductGetType(C, &kind));
    PetscCall(MatProductGetMats(C, &mats[0], &mats[1], &mats[2]));
    /* Of A*(B*C) the header in which B*C is made has a third mat, too. */
    const int count = kind == MATPRODUCT_ABC ? 3 : 2;
    for (int m = 0; m < count && is_aij; m++)
        PetscCall(is_sequential_aij(mats[m], kind, &is_aij));
    if (is_aij) {
        PetscCall((*petsc_sequential)(C));
        PetscFunctionReturn(0);
    }
    PetscCall(go_on_by_types(C, mats, count));
    PetscCall(MatGetOperation(C, MATOP_PRODUCTSYMBOLIC, &symbolic));
    if (symbolic == NULL)
        PetscCall(go_on_by_any_type(C, mats, count));
    PetscFunctionReturn(0);
}

PetscErrorCode dispatch_sequential(Mat C)
{
    PetscBool is_ours;

    PetscFunctionBegin;
    PetscCall(is_product_ours(C, MATSEQAIJ, MATSEQAIJSPGEMM, &is_ours));
    PetscCall(is_ours ? take_product(C) : go_on(C));
    PetscFunctionReturn(0);
}

PetscErrorCode dispatch_parallel(Mat C)
{
    PetscBool is_ours;

    PetscFunctionBegin;
    PetscCall(is_product_ours(C, MATMPIAIJ, MATMPIAIJ, &is_ours));
    if (is_ours)
        PetscCall(take_product(C));
    else if (petsc_parallel != NULL)
        PetscCall((*petsc_parallel)(C));
    PetscFunctionReturn(0);
}

/* Put `ours` in the place of what PETSc does, and remember that. */
static PetscErrorCode take_dispatch(Mat A, set_from_options *ours,
                                    set_from_options **petsc)
{
    set_from_options *now;

    PetscFunctionBegin;
    PetscCall(MatGetOperation(A, MATOP_PRODUCTSETFROMOPTIONS,
                              (void (**)(void)) & now));
    if (now != ours)
        *petsc = now;
    PetscCall(
        MatSetOperation(A, MATOP_PRODUCTSETFROMOPTIONS, (void (*)(void))ours));
    PetscFunctionReturn(0);
}

PetscErrorCode dispatch_take_sequential(Mat A)
{
    PetscFunctionBegin;
    PetscCall(conversions_take(A));
    PetscCall(take_dispatch(A, dispatch_sequential, &petsc_sequential));
    PetscCall(PetscObjectComposeFunction((PetscObject)A, BY_ANY_TYPE,
                                         dispatch_sequential));
    for (int t = 0; t < OF_TRANSPOSE_COUNT; t++)
        PetscCall(PetscObjectComposeFunction((PetscObject)A, OF_TRANSPOSE[t],
                                             dispatch_sequential));
    PetscCall(PetscObjectChangeTypeName((PetscObject)A, MATSEQAIJSPGEMM));
    PetscFunctionReturn(0);
}

PetscErrorCode dispatch_take_parallel(Mat A)
{
    PetscFunctionBegin;
    PetscCall(take_dispatch(A, dispatch_parallel, &petsc_parallel));
    PetscFunctionReturn(0);
}
