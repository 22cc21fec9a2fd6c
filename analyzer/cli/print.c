/*
 * Errors of a stream are looked at when it is closed. jansson stops at the first one, as it does
 * where memory is short.
 */
#include "analyzer/cli/print.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "analyzer/export/output.h"
#include "analyzer/model/shortage.h"
#include "analyzer/table/clean.h"
#include "formats/base/shell_word.h"

void mwa_say_incomplete(const struct mwa_options *options, const char *archive)
{
    if (!options->quiet) {
        fprintf(stderr, "mpiwatch-analyze: %s: the archive is incomplete\n", archive);
    }
}

enum mw_status mwa_print_json(json_t *object, FILE *out, struct mw_diagnostic *diagnostic)
{
    const bool is_whole = object && !mwa_shortage_seen();
    const int code = is_whole ? json_dumpf(object, out, JSON_INDENT(1)) : -1;
    const int why = errno;

    json_decref(object);
    if (is_whole && code != 0 && ferror(out)) {
        errno = why;
        return mwa_output_fail("", diagnostic);
    }
    if (is_whole) {
        putc('\n', out);
    }
    return code == 0 ? MW_OK : mw_no_memory(diagnostic, NULL, "to print JSON");
}

void mwa_say_page(const struct mwa_options *options)
{
    char word[2 * PATH_MAX];
    struct stat about;

    if (!options->quiet && strcmp(options->html, "-") != 0 && stat(options->html, &about) == 0 &&
        S_ISREG(about.st_mode)) {
        fputs("mpiwatch-analyze: ", stderr);
        mwa_put_clean(options->html, stderr);
        fprintf(stderr, ": %lld kB; open with: xdg-open ", (long long)about.st_size / 1000);
        mwa_put_clean(mw_shell_word(options->html, "", word, sizeof word), stderr);
        putc('\n', stderr);
    }
}
