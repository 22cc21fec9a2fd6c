/* A pipe is taken for a screen of 80 columns, as a terminal that does not tell: what programs read
 * is JSON and CSV. */
#include "analyzer/cli/screen.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "analyzer/table/layout.h"

#define COLUMNS_LEAST 40
#define COLUMNS_MOST  10000

static unsigned between(long columns)
{
    return columns < COLUMNS_LEAST  ? COLUMNS_LEAST
           : columns > COLUMNS_MOST ? COLUMNS_MOST
                                    : (unsigned)columns;
}

unsigned mwa_screen_columns(const struct mwa_options *options)
{
    const char *said = getenv("COLUMNS");
    struct winsize size = { .ws_col = 0 };
    char *end = NULL;
    long columns = said ? strtol(said, &end, 10) : 0;

    if (options->width > 0) {
        return options->width;
    }
    if (columns > 0 && !*end) {
        return between(columns);
    }
    if (!options->output && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return between(size.ws_col);
    }
    return MWA_SCREEN_COLUMNS;
}

enum mw_status mwa_screen_open(struct mwa_screen_text *text, struct mw_diagnostic *diagnostic)
{
    *text = (struct mwa_screen_text){ .length = 0 };
    text->file = open_memstream(&text->text, &text->length);
    return text->file ? MW_OK : mw_no_memory(diagnostic, NULL, "for the text");
}

enum mw_status mwa_screen_close(struct mwa_screen_text *text, unsigned columns, FILE *out,
                                struct mw_diagnostic *diagnostic)
{
    const bool failed = ferror(text->file);
    const bool is_whole = fclose(text->file) == 0 && !failed;

    if (is_whole) {
        mwa_lay_out(text->text, text->length, columns, out);
    }
    free(text->text);
    return is_whole ? MW_OK : mw_no_memory(diagnostic, NULL, "for the text");
}
