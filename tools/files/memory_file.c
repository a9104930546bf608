/* SPDX-License-Identifier: BSD-3-Clause */
/* fclose() of a stream of open_memstream() succeeds although something before
   it did not, and although there are no bytes. */
#include "memory_file.h"

bool memory_file_open(memory_file *m)
{
    *m = (memory_file){0};
    m->stream = open_memstream(&m->bytes, &m->size);
    return m->stream != NULL;
}

bool memory_file_close(memory_file *m)
{
    const bool is_whole = fflush(m->stream) == 0 && !ferror(m->stream);
    return fclose(m->stream) == 0 && is_whole && m->bytes;
}
