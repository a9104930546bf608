/* SPDX-License-Identifier: BSD-3-Clause */
/* A list of products. An operand is the path of a Matrix Market file,
   `generate:` with the arguments of `spgemm generate`, or `product:` with the
   name of another line, whose C it is. */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"
#include "matrix_file.h"

static const char generate_mark[] = "generate:";
static const char product_mark[] = "product:";

/* A product of products of products, at most. */
enum { DEEPEST = 3 };

static bool refuse(suite *s, const char *what, const char *why)
{
    snprintf(s->why, sizeof s->why, "%.512s: %.256s", what, why);
    return false;
}

/* ---- The list ------------------------------------------------------------ */

static bool add(suite *s, const char *name, const char *left, const char *right)
{
    if (s->count == SUITE_PRODUCTS)
        return refuse(s, name, "too many products");
    suite_product *p = &s->products[s->count++];
    snprintf(p->name, sizeof p->name, "%s", name);
    snprintf(p->left, sizeof p->left, "%s", left);
    snprintf(p->right, sizeof p->right, "%s", right);
    return true;
}

static bool add_square(suite *s, const char *path)
{
    char name[SUITE_TEXT_BYTES];
    const char *slash = strrchr(path, '/');
    if (strlen(path) >= SUITE_TEXT_BYTES)
        return refuse(s, path, "the path is too long");
    snprintf(name, sizeof name, "%s", slash ? slash + 1 : path);
    char *suffix = strstr(name, ".mtx");
    if (suffix)
        *suffix = '\0';
    return add(s, name, path, path);
}

static bool add_line(suite *s, const char *line)
{
    suite_product p;
    if (line[0] == '#' || line[strspn(line, " \t\r\n")] == '\0')
        return true;
    if (sscanf(line, "%191[^\t\n]%*[\t]%191[^\t\n]%*[\t]%191[^\t\n]", p.name,
               p.left, p.right) != 3)
        return refuse(s, line, "a line is NAME, LEFT and RIGHT, by tabs");
    return add(s, p.name, p.left, p.right);
}

static bool add_list(suite *s, const char *path)
{
    char line[4 * SUITE_TEXT_BYTES];
    bool is_well = true;
    FILE *file = fopen(path, "r");
    if (!file)
        return refuse(s, path, "cannot be read");
    while (is_well && fgets(line, sizeof line, file))
        is_well = add_line(s, line);
    fclose(file);
    return is_well;
}

bool suite_add(suite *s, const char *path)
{
    const char *suffix = strrchr(path, '.');
    return suffix && strcmp(suffix, ".tsv") == 0 ? add_list(s, path)
                                                 : add_square(s, path);
}

/* ---- Operands ------------------------------------------------------------ */

static bool load_file(suite *s, const char *name, spgemm_csr *A)
{
    char path[1024];
    const bool is_whole = name[0] == '/' || !s->folder;
    snprintf(path, sizeof path, "%s%s%s", is_whole ? "" : s->folder,
             is_whole ? "" : "/", name);
    return matrix_file_read(A, path, 0, s->why);
}

/* KIND SIZE... [--dofs N] [--transpose] */
static bool make(suite *s, const char *text, spgemm_csr *A)
{
    char words[SUITE_TEXT_BYTES];
    recipe r = {.dofs = 3};
    int sizes = 0;
    char *rest;
    snprintf(words, sizeof words, "%s", text);
    const char *kind_name = strtok_r(words, " ", &rest);
    const int kind = kind_name ? generator_find(kind_name) : -1;
    if (kind < 0)
        return refuse(s, text, "no kind of matrix");
    const char *word;
    while ((word = strtok_r(NULL, " ", &rest))) {
        if (strcmp(word, "--transpose") == 0)
            r.is_transposed = true;
        else if (strcmp(word, "--dofs") == 0)
            r.dofs = (word = strtok_r(NULL, " ", &rest)) ? atoi(word) : 0;
        else if (sizes < GENERATOR_SIZES)
            r.sizes[sizes++] = atoll(word);
    }
    int least;
    int most;
    generator_size_counts(kind, &least, &most);
    if (sizes < least || sizes > most || r.dofs < 1)
        return refuse(s, text, "has not the sizes of its kind");
    for (int k = sizes; k < most; k++)
        r.sizes[k] = generator_default_size(kind, k);
    if (generate(A, kind, &r) < 0)
        return refuse(s, text, "cannot be made");
    return true;
}

static bool load(suite *s, const char *text, spgemm_csr *A, int depth);

static bool multiply(suite *s, const char *name, spgemm_csr *C, int depth)
{
    int k = 0;
    while (k < s->count && strcmp(s->products[k].name, name) != 0)
        k++;
    if (k == s->count || depth == DEEPEST)
        return refuse(s, name, "no such product");
    const suite_product *p = &s->products[k];
    const bool is_square = strcmp(p->left, p->right) == 0;
    spgemm_csr a = {0};
    spgemm_csr b = {0};
    bool is_made = load(s, p->left, &a, depth + 1) &&
                   (is_square || load(s, p->right, &b, depth + 1));
    if (is_made && spgemm_predicted(C, &a, is_square ? &a : &b, NULL, NULL) < 0)
        is_made = refuse(s, name, "cannot be multiplied");
    spgemm_csr_destroy(&a);
    spgemm_csr_destroy(&b);
    return is_made;
}

static bool load(suite *s, const char *text, spgemm_csr *A, int depth)
{
    const size_t generate_length = sizeof generate_mark - 1;
    const size_t product_length = sizeof product_mark - 1;
    if (strncmp(text, generate_mark, generate_length) == 0)
        return make(s, text + generate_length, A);
    if (strncmp(text, product_mark, product_length) == 0)
        return multiply(s, text + product_length, A, depth);
    return load_file(s, text, A);
}

bool suite_load(suite *s, int k, suite_operands *o)
{
    const suite_product *p = &s->products[k];
    const bool is_square = strcmp(p->left, p->right) == 0;
    *o = (suite_operands){.A = &o->a};
    o->B = is_square ? &o->a : &o->b;
    bool is_loaded = load(s, p->left, &o->a, 0) &&
                     (is_square || load(s, p->right, &o->b, 0));
    if (is_loaded && o->A->ncols != o->B->nrows)
        is_loaded = refuse(s, p->name, "the shapes do not fit");
    spgemm_memory_trim();
    return is_loaded;
}

void suite_clear(suite_operands *o)
{
    spgemm_csr_destroy(&o->a);
    spgemm_csr_destroy(&o->b);
    spgemm_memory_trim();
}
