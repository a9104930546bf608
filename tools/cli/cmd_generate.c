/* SPDX-License-Identifier: BSD-3-Clause */
/* spgemm generate: a matrix of a known kind, to a file. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "generate.h"
#include "message.h"
#include "progress.h"
#include "result.h"
#include "status.h"

enum { LIMITS_BYTES = 128 };

/* The kind and the recipe of the operands; how the program ends otherwise. */
static int read_recipe(const arguments *args, int *kind, recipe *r)
{
    const char *name = args->operands[0];
    *kind = generator_find(name);
    if (*kind < 0) {
        const char *meant = nearest(name, generator_name);
        return message(TOOL_USAGE, "generate: unknown kind '%s'%s%s%s", name,
                       meant ? "; did you mean '" : "", meant ? meant : "",
                       meant ? "'?" : "; see spgemm generate --help");
    }
    int least;
    int most;
    generator_size_counts(*kind, &least, &most);
    const int nsizes = args->noperands - 1;
    if (nsizes < least || nsizes > most)
        return message(TOOL_USAGE,
                       most == 0 ? "generate: %s has no sizes: it is %s"
                                 : "generate: %s needs its sizes, %s",
                       name, generator_help(*kind));
    for (int k = 0; k < nsizes; k++)
        if (!parse_integer(args->operands[k + 1], 0, INT32_MAX, &r->sizes[k]))
            return message(TOOL_USAGE, "generate: '%s' is not a size in 0..%d",
                           args->operands[k + 1], INT32_MAX);
    for (int k = nsizes; k < most; k++)
        r->sizes[k] = generator_default_size(*kind, k);
    /* The help of a kind that has nodes names the option. */
    if (r->dofs > 0 && !strstr(generator_help(*kind), "--dofs"))
        return message(TOOL_USAGE, "generate: %s takes no --dofs", name);
    return TOOL_OK;
}

static int refuse_sizes(int kind, const recipe *r)
{
    char limits[LIMITS_BYTES];
    generator_limits(kind, r, limits, sizeof limits);
    return message(TOOL_USAGE,
                   "generate: a %s of these sizes cannot be made: %s",
                   generator_name(kind), limits);
}

int cmd_generate(const arguments *args)
{
    int kind;
    spgemm_csr A = {0};
    recipe r = {.dofs = arguments_integer(args, "dofs", 0),
                .seed = (uint64_t)arguments_integer(args, "seed", 0),
                .has_reals =
                    strcmp(arguments_text(args, "values", ""), "reals") == 0,
                .is_transposed = arguments_has(args, "transpose")};
    const char *output = arguments_text(args, "output", NULL);
    int status = read_recipe(args, &kind, &r);
    if (status != TOOL_OK)
        return status;
    if (!output)
        return message(TOOL_USAGE, "generate needs --output FILE");
    status = result_check(output, args);
    if (status != TOOL_OK)
        return status;
    progress_begin("generating");
    const spgemm_status made = generate(&A, kind, &r);
    progress_end();
    if (made == SPGEMM_ERROR_INVALID)
        status = refuse_sizes(kind, &r);
    else if (made < 0)
        status = message_failure("generate", made);
    else
        status = result_write(&A, output);
    spgemm_csr_destroy(&A);
    return status;
}
