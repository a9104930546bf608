/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrices to multiply, in memory as far as they fit. Pairs go through all
   of them again and again: those that were there first stay, since what is
   evicted would be needed before what stays. */
#include "collection.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "matrix_file.h"

/* ---- Names ---------------------------------------------------------------- */

static const char *const suffixes[] = {
    ".mtx",    ".mtx.gz", ".mtx.xz", ".mtx.bz2", ".mtx.zst", ".tar",
    ".tar.gz", ".tgz",    ".tar.xz", ".tar.bz2", ".tar.zst",
};

/* Length of the name without the suffix of a matrix; 0: it has none. */
static size_t stem_length(const char *name)
{
    const size_t length = strlen(name);
    for (size_t k = 0; k < sizeof suffixes / sizeof *suffixes; k++) {
        const size_t suffix = strlen(suffixes[k]);
        if (length > suffix && strcmp(name + length - suffix, suffixes[k]) == 0)
            return length - suffix;
    }
    return 0;
}

static bool refuse(const char *what, const char *why)
{
    fprintf(stderr, "bench_accuracy: %s: %s\n", what, why);
    return false;
}

/* path: NULL of a product of the suite. */
static bool add_named(collection *c, const char *path, const char *name,
                      size_t length)
{
    if (length >= COLLECTION_NAME_BYTES)
        return refuse(name, "the name is too long");
    if (name[strcspn(name, ",\"\r\n")])
        return refuse(name, "a comma, quote or line break in the name cannot "
                            "go into a CSV");
    collected *larger =
        realloc(c->matrices, ((size_t)c->count + 1) * sizeof *c->matrices);
    if (!larger)
        return refuse(name, "out of memory");
    c->matrices = larger;
    collected *m = &c->matrices[c->count];
    *m = (collected){.path = path ? strdup(path) : NULL};
    if (path && !m->path)
        return refuse(name, "out of memory");
    memcpy(m->name, name, length);
    c->count++;
    return true;
}

static bool add(collection *c, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const size_t stem = stem_length(name);
    return add_named(c, path, name, stem ? stem : strlen(name));
}

/* Names of products tell their class: CLASS/NAME. */
static bool add_suite(collection *c, const char *path)
{
    if (c->suite.count > 0)
        return refuse(path, "one suite at a time");
    if (!suite_add(&c->suite, path))
        return refuse("suite", c->suite.why);
    for (int k = 0; k < c->suite.count; k++) {
        const char *name = c->suite.products[k].name;
        if (!add_named(c, NULL, name, strlen(name)))
            return false;
        c->matrices[c->count - 1].product = k;
    }
    return true;
}

static bool add_folder(collection *c, const char *folder)
{
    char path[4096];
    bool is_well = true;
    DIR *directory = opendir(folder);
    if (!directory)
        return refuse(folder, strerror(errno));
    const int before = c->count;
    for (const struct dirent *entry; is_well && (entry = readdir(directory));) {
        if (entry->d_name[0] == '.' || stem_length(entry->d_name) == 0)
            continue;
        const int length =
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        is_well = length < (int)sizeof path ? add(c, path)
                                            : refuse(folder, "is too long");
    }
    closedir(directory);
    if (is_well && c->count == before)
        is_well = refuse(folder, "the folder has no matrix (.mtx, or packed)");
    return is_well;
}

static bool add_operand(collection *c, const char *operand)
{
    struct stat status;
    if (stat(operand, &status) != 0)
        return refuse(operand, strerror(errno));
    const size_t length = strlen(operand);
    if (length > 4 && strcmp(operand + length - 4, ".tsv") == 0)
        return add_suite(c, operand);
    return S_ISDIR(status.st_mode) ? add_folder(c, operand) : add(c, operand);
}

static int compare_names(const void *x, const void *y)
{
    const collected *a = x;
    const collected *b = y;
    return strcmp(a->name, b->name);
}

static bool check_names(const collection *c)
{
    for (int k = 1; k < c->count; k++) {
        const collected *m = &c->matrices[k];
        if (strcmp(m[-1].name, m->name) != 0)
            continue;
        fprintf(stderr, "bench_accuracy: %s and %s: two matrices of one name\n",
                m[-1].path ? m[-1].path : m->name, m->path ? m->path : m->name);
        return false;
    }
    return true;
}

int collection_find(const collection *c, const char *name)
{
    for (int k = 0; k < c->count; k++)
        if (strcmp(c->matrices[k].name, name) == 0)
            return k;
    return -1;
}

/* ---- Matrices ------------------------------------------------------------- */

static double bytes_of(const spgemm_csr *A)
{
    return 12 * (double)A->nnz + 8 * ((double)A->nrows + 1);
}

static bool make_product(collection *c, collected *m)
{
    suite_operands o;
    const bool is_made = suite_load(&c->suite, m->product, &o);
    m->matrix = o.a;
    m->right = o.b;
    return is_made || refuse(m->name, c->suite.why);
}

static bool read_matrix(collection *c, collected *m)
{
    if (collected_is_product(m))
        return make_product(c, m);
    char why[MATRIX_FILE_WHY_BYTES];
    const bool is_read =
        matrix_file_read(&m->matrix, m->path, c->nthreads, why);
    spgemm_memory_trim(); /* reading takes more than the matrix */
    if (!is_read)
        fprintf(stderr, "bench_accuracy: %s\n", why);
    return is_read;
}

static void drop_matrix(collected *m)
{
    spgemm_csr_destroy(&m->matrix);
    spgemm_csr_destroy(&m->right);
    spgemm_memory_trim();
}

/* What the matrix is; it stays in memory if it fits. */
static bool meet(collection *c, int k)
{
    collected *m = &c->matrices[k];
    fprintf(stderr, "reading %d/%d %s\n", k + 1, c->count, m->name);
    if (!read_matrix(c, m))
        return false;
    m->nrows = m->matrix.nrows;
    m->ncols = m->matrix.ncols;
    m->nnz = m->matrix.nnz;
    const double bytes = bytes_of(&m->matrix) + bytes_of(&m->right);
    m->is_kept = bytes <= c->keep_bytes;
    if (m->is_kept)
        c->keep_bytes -= bytes;
    else
        drop_matrix(m);
    return true;
}

bool collection_open(collection *c, const char *const *operands, int noperands,
                     double keep_bytes, int nthreads)
{
    *c = (collection){.keep_bytes = keep_bytes, .nthreads = nthreads};
    for (int k = 0; k < noperands; k++)
        if (!add_operand(c, operands[k]))
            return false;
    qsort(c->matrices, (size_t)c->count, sizeof *c->matrices, compare_names);
    if (!check_names(c))
        return false;
    for (int k = 0; k < c->count; k++)
        if (!meet(c, k))
            return false;
    return true;
}

void collection_clear(collection *c)
{
    for (int k = 0; k < c->count; k++) {
        spgemm_csr_destroy(&c->matrices[k].matrix);
        spgemm_csr_destroy(&c->matrices[k].right);
        free(c->matrices[k].path);
    }
    free(c->matrices);
    *c = (collection){0};
}

const spgemm_csr *collection_take(collection *c, int k)
{
    collected *m = &c->matrices[k];
    if (m->users == 0 && !m->is_kept && !read_matrix(c, m))
        return NULL;
    m->users++;
    return &m->matrix;
}

void collection_give(collection *c, int k)
{
    collected *m = &c->matrices[k];
    if (--m->users == 0 && !m->is_kept)
        drop_matrix(m);
}

const spgemm_csr *collection_right(const collection *c, int k)
{
    const collected *m = &c->matrices[k];
    return m->right.rowptr ? &m->right : &m->matrix;
}
