/* SPDX-License-Identifier: BSD-3-Clause */
/* The header of a CSV: what was measured, with what, on what. */
#include "heading.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "machine.h"
#include "spgemm/spgemm.h"

static void print_revision(FILE *out)
{
    char line[128] = "unknown\n";
    FILE *git = popen("git -C '" BENCH_SOURCE
                      "' describe --always --dirty --abbrev=12 2>/dev/null",
                      "r");
    if (git && !fgets(line, sizeof line, git))
        strcpy(line, "unknown\n");
    if (git)
        pclose(git);
    fprintf(out, "# revision: %s", line);
}

void heading_print(FILE *out, const char *program)
{
    char date[32] = "";
    const time_t now = time(NULL);
    const char *conf = getenv("MALLOC_CONF");
    strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", gmtime(&now));
    fprintf(out, "# %s of spgemm %s\n", program, spgemm_version());
    print_revision(out);
    fprintf(out, "# date: %s\n", date);
    machine_print(out);
    fprintf(out, "# compiler: %s, %s, %s\n", BENCH_COMPILER, BENCH_BUILD,
            BENCH_FLAGS);
    fprintf(out, "# memory: %s%s%s\n", spgemm_memory_name(),
            conf ? ", MALLOC_CONF=" : "", conf ? conf : "");
}
