/* SPDX-License-Identifier: BSD-3-Clause */
/* spgemm convert: the same matrix in another format. */
#include <string.h>

#include "commands.h"
#include "convert.h"
#include "input.h"
#include "message.h"
#include "result.h"
#include "status.h"

/* Whether the values are the ones that a pattern got when it was read; entries
   that it names twice are two. */
static bool has_only_ones(const input *in)
{
    const double *values = in->matrix.values;
    if (strcmp(in->field, "pattern") != 0 ||
        in->matrix.value_type != SPGEMM_FP64)
        return false;
    for (int64_t p = 0; p < in->matrix.nnz; p++)
        if (values[p] != 1)
            return false;
    return true;
}

int cmd_convert(const arguments *args)
{
    input in;
    const char *output = arguments_text(args, "output", NULL);
    if (!output)
        return message(TOOL_USAGE, "convert needs --output FILE");
    int status = result_check(output, args);
    if (status == TOOL_OK)
        status = input_read(&in, args->operands[0], args);
    if (status != TOOL_OK)
        return status;
    const spgemm_status merged = convert_merge_truths(&in.matrix);
    spgemm_csr written = in.matrix;
    if (has_only_ones(&in))
        written.values = NULL;
    status = merged < 0 ? message_failure(in.name, merged)
                        : result_write(&written, output);
    spgemm_csr_destroy(&in.matrix);
    return status;
}
