/*
 * mpiwatch-top: what the ranks of a running program do at this moment, read from the spools that
 * they write.
 */
#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyzer/live/live.h"
#include "analyzer/live/live_hosts.h"
#include "analyzer/live/live_json.h"
#include "analyzer/live/live_list.h"
#include "analyzer/live/live_metrics.h"
#include "analyzer/live/live_page.h"
#include "analyzer/live/live_view.h"
#include "analyzer/live/live_why.h"
#include "analyzer/model/shortage.h"
#include "analyzer/model/text_stream.h"
#include "analyzer/table/layout.h"
#include "formats/base/command_line.h"
#include "formats/base/launched_job.h"
#include "formats/base/option_value.h"
#include "formats/base/printable.h"
#include "formats/base/printed.h"
#include "formats/base/standard_streams.h"

enum { EXIT_FINE = 0, EXIT_USAGE = 2, EXIT_NOTHING = 3 };

#define ROWS_ONCE 40u /* of --once */
#define ANSWERS_ONCE 10u /* looks that others have to tell what is asked for */

struct wishes {
    bool once;
    bool json;
    bool why;
    uint32_t view;     /* enum mwa_live_table */
    bool waits;
    const char *variable; /* a part of its name */
    uint32_t interval; /* s */
    uint32_t alarm;    /* s; 0: never */
    uint32_t count;    /* lines of JSON; 0: until the run ends */
    uint32_t width;    /* columns; 0: those of the terminal */
    const char *html;
    const char *metrics;
    bool serve;
    const char *port_file;
    bool port_stdout;
    bool port_stderr;
    const char *connect; /* file of ports */
};

#define MEMBER(member) .offset = offsetof(struct wishes, member)

static const struct mw_option options[] = {
    {"once", 0, NULL, "Print one screen as text, after one interval, and end", 0, mw_take_flag,
     MEMBER(once)},
    {"json", 0, NULL,
     "Print a line of JSON each interval, until the run has ended; with --why, the explanation", 0,
     mw_take_flag, MEMBER(json)},
    {"view", 0, "ranks|calls|comms|messages|variables",
     "Begin with this view (default: ranks); JSON has all of the other ones with any of them", 0,
     mw_take_choice, MEMBER(view)},
    {"waits", 0, NULL,
     "Show as well how much of their time ranks wait, and a variable of each, for which events are "
     "read",
     0, mw_take_flag, MEMBER(waits), .excludes = "why"},
    {"variable", 0, "NAME",
     "Show that variable of each rank, or that which has NAME in its name (default: the length of "
     "a queue)",
     0, mw_take_text, MEMBER(variable), .excludes = "why"},
    {"count", 0, "N", "End after N lines of JSON, pages or files", 0, mw_take_number,
     MEMBER(count), .least = 1, .most = 1000000000},
    {"interval", 0, "SECONDS", "Look each so many seconds (default: 1)", 0, mw_take_number,
     MEMBER(interval), .least = 1, .most = 3600, .offers = "1 2 5 10 60"},
    {"alarm", 0, "SECONDS",
     "Say so when no rank has left a call for so long (default: 30; 0: never)", 0, mw_take_number,
     MEMBER(alarm), .least = 0, .most = 1000000, .offers = "0 10 30 60 300"},
    {"html", 0, "FILE", "Write a page each interval, until the run has ended", 0, mw_take_text,
     MEMBER(html), .excludes = "once why"},
    {"openmetrics", 0, "FILE",
     "Write what ranks do each interval as OpenMetrics, for a collector of text files", 0,
     mw_take_text, MEMBER(metrics), .excludes = "once why"},
    {"why", 0, NULL,
     "Say who waits for whom at this moment, as mpiwatch-analyze hang does, and end", 0,
     mw_take_flag, MEMBER(why)},
    {"width", 0, "COLUMNS", "Lay out text for so many columns (default: the terminal's, or 80)", 0,
     mw_take_number, MEMBER(width), .least = 40, .most = 10000},
    {"serve", 0, NULL,
     "Open a port on each host, and tell who connects what the ranks do; under mpirun, one process "
     "a host",
     0, mw_take_flag, MEMBER(serve),
     .excludes = "connect"},
    {"port-in-file", 0, "FILE", "Write the ports into the new FILE, a line for each host", 0,
     mw_take_text, MEMBER(port_file), .excludes = "port-in-stdout port-in-stderr"},
    {"port-in-stdout", 0, NULL, "Print the ports (default)", 0, mw_take_flag, MEMBER(port_stdout),
     .excludes = "port-in-stderr"},
    {"port-in-stderr", 0, NULL, "Print the ports on standard error", 0, mw_take_flag,
     MEMBER(port_stderr)},
    {"connect", 0, "FILE",
     "Show what those tell whose ports are the lines of FILE; under mpirun, as one process", 0,
     mw_take_text, MEMBER(connect)},
    {.name = NULL},
};

static const struct mw_program this_program = {
    .name = "mpiwatch-top",
    .words = "[NAME.run|NAME|DIR...]",
    .help = "Shows what the ranks of a running program do.\v"
            "NAME.run lies beside the archive NAME to be and names the spool directories; DIR is a "
            "spool directory (mpiwatch-NONCE-RANK) or one that holds such directories. Without "
             "any, the runs whose spools lie in $MPIWATCH_SPOOL, $TMPDIR or /tmp; where several "
             "run, a list to choose from. The program is not touched: its spools are read.\n\n"
             "A run on several hosts: mpirun --map-by ppr:1:node mpiwatch-top NAME.run, which "
             "shows all of it in its first process; so does srun --overlap.\n\n"
            "Status: 0 fine, 2 wrong usage, 3 no such run, or one that can't be read, or no output "
            "could be written.",
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

static struct mwa_live_screen screen_of(const struct wishes *wishes)
{
    struct mwa_live_screen screen = {.view = (enum mwa_live_table)wishes->view,
                                     .with_events = wishes->waits || wishes->variable,
                                     .rows = ROWS_ONCE,
                                     .columns = mwa_layout_columns(wishes->width, true),
                                     .alarm = wishes->alarm * (uint64_t)1000000000};

    snprintf(screen.variable, sizeof screen.variable, "%.*s", (int)sizeof screen.variable - 1,
             wishes->variable ? wishes->variable : "");
    return screen;
}

static enum mw_status print_once(struct mwa_live_watch *watch, const struct wishes *wishes,
                                 struct mw_diagnostic *diagnostic)
{
    const struct mwa_live_screen screen = screen_of(wishes);
    const enum mwa_live_reading reading = mwa_live_watch_needs(&screen);
    uint32_t rows;
    enum mw_status status =
        mwa_live_watch_look(watch, true, MWA_LIVE_READS_COUNTS, 0, diagnostic);

    if (status == MW_OK && mwa_live_is_running(watch->live)) {
        pause_for(wishes->interval);
        status = mwa_live_watch_look(watch, true, MWA_LIVE_READS_COUNTS, 0, diagnostic);
    }
    if (status == MW_OK && reading != MWA_LIVE_READS_COUNTS) {
        status = mwa_live_watch_look(watch, false, reading, 0, diagnostic);
    }
    for (uint32_t i = 0; status == MW_OK && !mwa_live_watch_is_answered(watch, reading) &&
                         i < ANSWERS_ONCE;
         i++) {
        pause_for(wishes->interval);
        status = mwa_live_watch_look(watch, false, reading, 0, diagnostic);
    }
    return status == MW_OK ? mwa_live_watch_print(watch, &screen, &rows, stdout, diagnostic)
                           : status;
}

/* Writes all that is wished for of one look. */
static enum mw_status write_all(struct mwa_live_watch *watch, const struct wishes *wishes,
                                struct mw_diagnostic *diagnostic)
{
    const struct mwa_live_screen screen = screen_of(wishes);
    enum mw_status status = MW_OK;

    if (wishes->json) {
        status = mwa_live_json(watch, stdout, diagnostic);
    }
    if (status == MW_OK && wishes->html) {
        status = mwa_live_page(watch, &screen, wishes->interval, wishes->html, diagnostic);
    }
    return status == MW_OK && wishes->metrics
               ? mwa_live_metrics(watch->live, watch->detail, wishes->metrics, diagnostic)
               : status;
}

static enum mw_status write_each(struct mwa_live_watch *watch, const struct wishes *wishes,
                                 struct mw_diagnostic *diagnostic)
{
    const uint32_t count = wishes->count > 0 ? wishes->count : UINT32_MAX;
    const struct mwa_live_screen screen = screen_of(wishes);
    const enum mwa_live_reading reading = mwa_live_watch_needs(&screen);
    bool went_on = true;
    enum mw_status status =
        mwa_live_watch_look(watch, false, reading, wishes->interval, diagnostic);

    for (uint32_t i = 0; status == MW_OK && went_on && i < count; i++) {
        went_on = mwa_live_watch_goes_on(watch);
        if (went_on) {
            pause_for(wishes->interval);
            status = mwa_live_watch_look(watch, false, reading, wishes->interval, diagnostic);
        }
        if (status == MW_OK) {
            status = write_all(watch, wishes, diagnostic);
        }
        went_on = went_on && mwa_live_watch_goes_on(watch);
    }
    return status;
}

/* Several run, and nobody said which: what does not ask prints them. */
static enum mw_status print_list(const struct mwa_live *live, const struct wishes *wishes,
                                 struct mw_diagnostic *diagnostic)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = mwa_open_text(&text, &size);
    bool is_written = out && (wishes->json ? mwa_live_list_json(live, stdout)
                                           : mwa_live_list_put(live, UINT32_MAX, out));

    is_written = out && fclose(out) == 0 && is_written;
    if (is_written && !wishes->json) {
        mwa_lay_out(text, size, mwa_layout_columns(wishes->width, true), stdout);
    }
    free(text);
    return is_written ? MW_OK : mw_no_memory(diagnostic, NULL, "to list the runs");
}

static enum mw_status show(struct mwa_live *live, const struct wishes *wishes,
                           struct mw_diagnostic *diagnostic)
{
    const bool writes = wishes->json || wishes->html || wishes->metrics;
    struct mwa_live_watch watch;
    enum mw_status status;

    if (live->others > 0 && !live->is_chosen && (writes || wishes->once) && !wishes->why) {
        return print_list(live, wishes, diagnostic);
    }
    status = mwa_live_watch_init(&watch, live, diagnostic);
    if (status == MW_OK) {
        const struct mwa_live_screen screen = screen_of(wishes);

        status = wishes->why    ? mwa_live_why(&watch, wishes->json, screen.columns, diagnostic)
                 : writes       ? write_each(&watch, wishes, diagnostic)
                 : wishes->once ? print_once(&watch, wishes, diagnostic)
                                : mwa_live_view(&watch, &screen, wishes->interval, diagnostic);
    }
    mwa_live_watch_fini(&watch);
    return status;
}

/* What can't be asked for; a status of main, or MW_COMMAND_LINE_GO_ON. */
static int check(const struct mw_command_line *line, const struct wishes *wishes)
{
    static const char *const of_screens[] = {"waits", "variable", "view",  "once",        "json",
                                             "html",  "alarm",    "count", "openmetrics", "width"};
    const bool names_port = wishes->port_file || wishes->port_stdout || wishes->port_stderr;

    if (wishes->why && (wishes->serve || wishes->connect)) {
        return mw_command_line_refuse(line, NULL, "%s", MWA_LIVE_WHY_TOGETHER);
    }
    for (unsigned i = 0; wishes->serve && i < sizeof of_screens / sizeof of_screens[0]; i++) {
        if (mw_command_line_has(line, of_screens[i])) {
            return mw_command_line_refuse(line, NULL,
                                          "--serve shows nothing: --%s is for --connect",
                                          of_screens[i]);
        }
    }
    if (line->words[0] && line->words[1] && (wishes->serve || mw_launched_size() > 1)) {
        return mw_command_line_refuse(line, NULL, "on several hosts one word names the run");
    }
    if ((wishes->serve || wishes->connect) && !*mw_launched_by()) {
        return mw_command_line_refuse(line, NULL,
                                      "--serve and --connect meet over MPI: mpirun starts them");
    }
    if (wishes->connect && (line->words[0] || mw_launched_size() > 1)) {
        return mw_command_line_refuse(line, NULL, "%s",
                                      line->words[0] ? "--connect shows the run that is served"
                                                     : "--connect is one process");
    }
    if (names_port && !wishes->serve) {
        return mw_command_line_refuse(line, NULL, "there is no port without --serve");
    }
    if (!line->words[0] && (wishes->serve || mw_launched_size() > 1)) {
        return mw_command_line_refuse(line, NULL,
                                      "on several hosts the run has to be named: NAME.run");
    }
    return MW_COMMAND_LINE_GO_ON;
}

static enum mw_status serve(const char **names, const struct wishes *wishes,
                            struct mw_diagnostic *diagnostic)
{
    char path[PATH_MAX];

    if (!wishes->port_file) {
        return mwa_live_serve(names, wishes->interval, wishes->port_stderr ? "stderr" : "stdout",
                              diagnostic);
    }
    snprintf(path, sizeof path, "%s%.4000s", strchr(wishes->port_file, '/') ? "" : "./",
             wishes->port_file);
    return mwa_live_serve(names, wishes->interval, path, diagnostic);
}

/* Watches what was asked for, and shows it. */
static enum mw_status watch(const char **names, const struct wishes *wishes,
                            struct mw_diagnostic *diagnostic)
{
    const bool is_job = mw_launched_size() > 1;
    struct mwa_live live = {0};
    bool is_first = true;
    enum mw_status status;

    if (wishes->serve) {
        return serve(names, wishes, diagnostic);
    }
    if (wishes->why && is_job) {
        return mwa_live_why_together(names, wishes->json, diagnostic);
    }
    status = wishes->connect
                 ? mwa_live_connect(&live, wishes->connect, wishes->interval, diagnostic)
             : is_job ? mwa_live_together(&live, names, wishes->interval, &is_first, diagnostic)
                      : mwa_live_begin(&live, names, diagnostic);
    if (status == MW_OK && is_first) {
        status = show(&live, wishes, diagnostic);
    }
    /* A launcher may end all when one has ended with a status. */
    if (fflush(stdout) != 0 && status == MW_OK) {
        status = mw_fail(diagnostic, MW_ERROR_SYSTEM, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                         "can't be printed");
    }
    mwa_live_fini(&live);
    return status;
}

int main(int argc, char **argv)
{
    struct mw_command_line line = {.program = &this_program, .out = stdout, .err = stderr};
    struct wishes wishes = {.interval = 1, .alarm = 30};
    struct mw_diagnostic diagnostic = {0};
    char text[2048];
    char shown[4096];
    int code;

    mw_standard_streams_hold();
    mwa_shortage_note_json();
    code = mw_command_line_read(&line, argc, argv, &wishes);
    code = code == MW_COMMAND_LINE_GO_ON ? check(&line, &wishes) : code;
    if (code != MW_COMMAND_LINE_GO_ON) {
        return mw_printed(stdout, stderr, this_program.name, code, EXIT_NOTHING);
    }
    if (watch((const char **)line.words, &wishes, &diagnostic) != MW_OK) {
        mw_diagnostic_text(&diagnostic, text, sizeof text);
        fprintf(stderr, "mpiwatch-top: %s\n", mw_printable(text, shown, sizeof shown));
        return EXIT_NOTHING;
    }
    return EXIT_FINE;
}
