/*
 * glibc's argp keeps 200 bytes, or as many as the longest text that it is handed has, and where an
 * indent does not fit behind them any more it prints that in front of them
 * (argp-fmtstream.c, __argp_fmtstream_update). Behind a text longer than all options it has room
 * for all of them; the text is left out.
 */
#include "formats/base/help_layout.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES 65536u

/* Prints the options behind a line of so many letters. False without memory. */
static bool print_behind(const struct argp *argp, char *name, char **printed)
{
    struct argp behind = *argp;
    char *line = malloc(TEXT_BYTES + 1);
    size_t bytes;
    FILE *out = line ? open_memstream(printed, &bytes) : NULL;

    if (!out) {
        free(line);
        return false;
    }
    memset(line, 'x', TEXT_BYTES);
    line[TEXT_BYTES] = '\0';
    behind.doc = line;
    argp_help(&behind, out, ARGP_HELP_PRE_DOC | ARGP_HELP_LONG, name);
    free(line);
    return fclose(out) == 0;
}

void mw_help_print_options(const struct argp *argp, char *name, FILE *out)
{
    char *printed = NULL;

    putc('\n', out);
    if (print_behind(argp, name, &printed)) {
        fputs(printed + strspn(printed, "x\n"), out);
    } else {
        argp_help(argp, out, ARGP_HELP_LONG, name);
    }
    free(printed);
}
