/*
 * jansson prints into a stream whose errors are looked at when it is closed; here
 * only memory can be short.
 */
#include "analyzer/cli/print.h"

void mwa_say_incomplete(const struct mwa_options *options, const char *archive)
{
    if (!options->quiet) {
        fprintf(stderr, "mpiwatch-analyze: %s: the archive is incomplete\n", archive);
    }
}

enum mw_status mwa_print_json(json_t *object, FILE *out, struct mw_diagnostic *diagnostic)
{
    int code = object ? json_dumpf(object, out, JSON_INDENT(1)) : -1;

    json_decref(object);
    putc('\n', out);
    return code == 0 ? MW_OK
                     : mw_fail(diagnostic, MW_ERROR_MEMORY, "", MW_DIAGNOSTIC_OFFSET_NONE,
                               "cannot print JSON");
}
