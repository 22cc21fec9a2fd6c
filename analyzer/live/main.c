/*
 * mpiwatch-top: what the ranks of a running program do at this moment, read from the spools that
 * they write.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "analyzer/live/live.h"
#include "analyzer/live/live_json.h"
#include "analyzer/live/live_screen.h"
#include "analyzer/live/live_view.h"
#include "analyzer/live/live_why.h"
#include "analyzer/table/layout.h"
#include "formats/base/command_line.h"
#include "formats/base/printable.h"

enum { EXIT_FINE = 0, EXIT_USAGE = 2, EXIT_NOTHING = 3 };

#define ROWS_ONCE 40u /* of --once */

struct wishes {
    bool once;
    bool json;
    bool why;
    uint32_t interval; /* s */
    uint32_t count;    /* lines of JSON; 0: until the run ends */
    uint32_t width;    /* columns; 0: those of the terminal */
};

#define MEMBER(member) .offset = offsetof(struct wishes, member)

static const struct mw_option options[] = {
    {"once", 0, NULL, "Print one screen as text, after one interval, and end", 0, mw_take_flag,
     MEMBER(once), .excludes = "why"},
    {"json", 0, NULL,
     "Print a line of JSON each interval, until the run has ended; with --why, the explanation", 0,
     mw_take_flag, MEMBER(json)},
    {"count", 0, "N", "End after N lines of JSON", 0, mw_take_number, MEMBER(count), .least = 1,
     .most = 1000000000},
    {"interval", 0, "SECONDS", "Look each so many seconds (default: 1)", 0, mw_take_number,
     MEMBER(interval), .least = 1, .most = 3600, .offers = "1 2 5 10 60"},
    {"why", 0, NULL, "Say who waits for whom at this moment, as mpiwatch-analyze hang does", 0,
     mw_take_flag, MEMBER(why)},
    {"width", 0, "COLUMNS", "Lay out text for so many columns (default: the terminal's, or 80)", 0,
     mw_take_number, MEMBER(width), .least = 40, .most = 10000},
    {.name = NULL},
};

static const struct mw_program this_program = {
    .name = "mpiwatch-top",
    .words = "[NAME.run|NAME|DIR]",
    .help = "Shows what the ranks of a running program do, as far as they run on this host.\v"
            "NAME.run lies beside the archive NAME to be and names the spool directories; DIR is a "
            "spool directory (mpiwatch-NONCE-RANK) or one that holds such directories. Without "
            "any, the newest run whose spools lie in $MPIWATCH_SPOOL, $TMPDIR or /tmp. The program "
            "is not touched: its spools are read.\n\n"
            "Status: 0 fine, 2 wrong usage, 3 no such run, or one that can't be read.",
    .options = options,
    .files = "*.run",
    .usage = EXIT_USAGE,
};

static void pause_for(uint32_t seconds)
{
    struct timespec left = {.tv_sec = seconds};

    while (nanosleep(&left, &left) != 0) {
    }
}

static enum mw_status print_once(struct mwa_live *live, const struct wishes *wishes,
                                 struct mw_diagnostic *diagnostic)
{
    const struct mwa_live_screen screen = {
        .sort = MWA_LIVE_BY_RANK, .rows = ROWS_ONCE,
        .columns = mwa_layout_columns(wishes->width, true)};
    char *text = NULL;
    size_t size = 0;
    FILE *out;
    enum mw_status status = mwa_live_look(live, diagnostic);

    if (status == MW_OK && mwa_live_is_running(live)) {
        pause_for(wishes->interval);
        status = mwa_live_look(live, diagnostic);
    }
    out = open_memstream(&text, &size);
    if (status == MW_OK && out) {
        mwa_live_put(live, &screen, out);
    }
    if (out && fclose(out) == 0 && status == MW_OK) {
        mwa_lay_out(text, size, screen.columns, stdout);
    }
    free(text);
    return status;
}

static enum mw_status print_json(struct mwa_live *live, const struct wishes *wishes,
                                 struct mw_diagnostic *diagnostic)
{
    const uint32_t count = wishes->count > 0 ? wishes->count : UINT32_MAX;
    bool was_running = true;
    enum mw_status status = mwa_live_look(live, diagnostic);

    for (uint32_t i = 0; status == MW_OK && was_running && i < count; i++) {
        was_running = mwa_live_is_running(live);
        if (was_running) {
            pause_for(wishes->interval);
            status = mwa_live_look(live, diagnostic);
        }
        if (status == MW_OK && !mwa_live_json(live, stdout)) {
            return mw_fail(diagnostic, MW_ERROR_SYSTEM, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                           "can't print the JSON");
        }
        was_running = was_running && mwa_live_is_running(live);
    }
    return status;
}

static enum mw_status show(struct mwa_live *live, const struct wishes *wishes,
                           struct mw_diagnostic *diagnostic)
{
    return wishes->why    ? mwa_live_why(live, wishes->json, diagnostic)
           : wishes->json ? print_json(live, wishes, diagnostic)
           : wishes->once ? print_once(live, wishes, diagnostic)
                          : mwa_live_view(live, wishes->interval, diagnostic);
}

int main(int argc, char **argv)
{
    struct mw_command_line line = {.program = &this_program, .out = stdout, .err = stderr};
    struct wishes wishes = {.interval = 1};
    struct mw_diagnostic diagnostic = {0};
    struct mwa_live live;
    char text[2048];
    char shown[4096];
    enum mw_status status;
    int code = mw_command_line_read(&line, argc, argv, &wishes);

    if (code != MW_COMMAND_LINE_GO_ON) {
        return code;
    }
    if (line.words[0] && line.words[1]) {
        return mw_command_line_refuse(&line, NULL, "one run at a time can be watched");
    }
    status = mwa_live_begin(&live, (const char **)line.words, &diagnostic);
    if (status == MW_OK) {
        status = show(&live, &wishes, &diagnostic);
    }
    mwa_live_fini(&live);
    if (status != MW_OK) {
        mw_diagnostic_text(&diagnostic, text, sizeof text);
        fprintf(stderr, "mpiwatch-top: %s\n", mw_printable(text, shown, sizeof shown));
        return EXIT_NOTHING;
    }
    return fflush(stdout) == 0 ? EXIT_FINE : EXIT_NOTHING;
}
