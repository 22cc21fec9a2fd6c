/*
 * mpiwatch-view: an archive in the browser, from the whole run to a single message, or a run while
 * it runs. The program serves one page to its user and ends with it; what it shows is computed
 * here.
 */
#include "config.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "analyzer/cli/wrong_file.h"
#include "analyzer/model/shortage.h"
#include "analyzer/view/view_answers.h"
#include "analyzer/view/view_door.h"
#include "analyzer/view/view_index.h"
#include "analyzer/view/view_part.h"
#include "analyzer/view/view_run.h"
#include "analyzer/view/view_scratch.h"
#include "analyzer/view/view_server.h"
#include "formats/base/command_line.h"
#include "formats/base/option_value.h"
#include "formats/base/printable.h"
#include "formats/base/printed.h"
#include "formats/base/shell_word.h"
#include "formats/base/standard_streams.h"

enum { EXIT_FINE = 0, EXIT_USAGE = 2, EXIT_UNREADABLE = 3 };

#define LOOK_MS 200 /* between two looks whether the page is still there */

struct wishes {
    bool print_url;
    bool no_cache;
    bool forget;
    uint32_t linger;   /* s */
    uint32_t interval; /* s, of runs, as the next one */
    uint32_t alarm;    /* s; 0: never */
};

/* What is shown: who answers, and what a thread does meanwhile. */
struct subject {
    struct mwa_view_answerer answerer;
    void (*work)(void *user);
    void (*stop)(void *user); /* makes work return */
    bool (*has_failed)(void *user, struct mw_diagnostic *diagnostic);
};

#define MEMBER(member) .offset = offsetof(struct wishes, member)

static const struct mw_option options[] = {
    {"print-url", 0, NULL, "Print the address of the view, and start no browser", 0, mw_take_flag,
     MEMBER(print_url)},
    {"linger", 0, "SECONDS", "End so long after the last page has gone (default: 30)", 0,
     mw_take_number, MEMBER(linger), .least = 1, .most = 1000000, .offers = "1 30 300 3600"},
    {"no-cache", 0, NULL, "Neither use nor write what is kept of archives in the user's cache", 0,
     mw_take_flag, MEMBER(no_cache)},
    {"forget", 0, NULL, "As --no-cache, and remove what is kept of this archive", 0, mw_take_flag,
     MEMBER(forget)},
    {"interval", 0, "SECONDS", "Look each so many seconds at a run (default: 1)", 0,
     mw_take_number, MEMBER(interval), .least = 1, .most = 3600, .offers = "1 2 5 10 60"},
    {"alarm", 0, "SECONDS",
     "Say who waits for whom when no rank of a run has left a call for so long (default: 30; 0: "
     "when asked)",
     0, mw_take_number, MEMBER(alarm), .least = 0, .most = 1000000, .offers = "0 10 30 60 300"},
    {.name = NULL},
};

static const struct mw_program this_program = {
    .name = "mpiwatch-view",
    .words = "ARCHIVE|NAME.run",
    .help = "Shows an archive in the browser, from the whole run to a single message.\v"
            "NAME.run lies beside the archive NAME to be: what the ranks do is shown while they "
            "do it, and then the archive. The program is not touched: its spools are read.\n\n"
            "The page is served on 127.0.0.1, to this user alone, until it is closed or Ctrl-C is "
            "typed; nothing goes over the network. Over ssh it is said what to type to look from "
            "afar.\n\n"
            "Status: 0 fine, 2 wrong usage, 3 the archive, or run, can't be read or shown, or "
            "no output could be written.",
    .options = options,
    .files = "*.otf2.zip *.otf2 *.run",
    .usage = EXIT_USAGE,
};

/* Directories have a file per location: as many as are allowed may be open. */
static void raise_open_files(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* What ends the program: all threads leave these signals to main. */
static void block_signals(sigset_t *ends)
{
    sigemptyset(ends);
    sigaddset(ends, SIGINT);
    sigaddset(ends, SIGTERM);
    sigaddset(ends, SIGHUP);
    pthread_sigmask(SIG_BLOCK, ends, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL); /* who started us may not have waited for its children */
}

static void say_how_from_afar(uint16_t port)
{
    char host[256] = "HOST";

    if (gethostname(host, sizeof host - 1) != 0) {
        snprintf(host, sizeof host, "HOST");
    }
    fprintf(stderr, "mpiwatch-view: from your own machine: ssh -N -L %u:127.0.0.1:%u %s\n",
            (unsigned)port, (unsigned)port, host);
}

/* How the user gets to see it. */
static enum mw_status lead(const struct mwa_view_server *server, const struct wishes *wishes,
                           struct mwa_view_door *door, struct mw_diagnostic *diagnostic)
{
    const bool is_remote = mwa_view_is_remote();
    char url[256], word[4400];
    enum mw_status status;

    mwa_view_server_url(server, url, sizeof url);
    if (wishes->print_url) {
        printf("%s\n", url);
        return fflush(stdout) == 0 ? MW_OK
                                   : mw_fail(diagnostic, MW_ERROR_SYSTEM, NULL,
                                             MW_DIAGNOSTIC_OFFSET_NONE, "can't be printed");
    }
    if (is_remote) {
        say_how_from_afar(mwa_view_server_port(server));
        fprintf(stderr, "mpiwatch-view: then open there, once: %s\n", url);
        return MW_OK;
    }
    status = mwa_view_door_open(door, url, diagnostic);
    if (status == MW_OK && mwa_view_door_show(door)) {
        fprintf(stderr, "mpiwatch-view: in your browser; if it does not come, open %s\n",
                mw_shell_word(door->path, "", word, sizeof word));
    } else if (status == MW_OK) {
        fprintf(stderr, "mpiwatch-view: no browser could be started; open %s\n",
                mw_shell_word(door->path, "", word, sizeof word));
    }
    return status;
}

/* Until the page has gone, or somebody has typed Ctrl-C, or there is nothing to be shown. */
static void wait_for_end(struct mwa_view_server *server, const struct subject *subject,
                         const struct wishes *wishes, struct mwa_view_door *door,
                         const sigset_t *ends)
{
    const struct timespec look = { .tv_nsec = LOOK_MS * 1000000 };
    const uint64_t linger_ns = wishes->linger * UINT64_C(1000000000);
    struct mw_diagnostic diagnostic;

    while (sigtimedwait(ends, NULL, &look) < 0 && mwa_view_server_alone(server) < linger_ns) {
        if (mwa_view_server_was_entered(server)) {
            mwa_view_door_close(door);
        } else if (subject->has_failed(subject->answerer.user, &diagnostic)) {
            return;
        }
    }
}

static void *work(void *user)
{
    const struct subject *subject = user;

    subject->work(subject->answerer.user);
    return NULL;
}

/* Serves a subject, for which another thread works meanwhile. */
static enum mw_status serve(struct subject *subject, const struct wishes *wishes,
                            const sigset_t *ends, struct mw_diagnostic *diagnostic)
{
    void *user = subject->answerer.user;
    struct mwa_view_door door = { .path = "" };
    struct mwa_view_server *server = NULL;
    enum mw_status status = mwa_view_server_start(&subject->answerer, &server, diagnostic);
    pthread_t worker;

    if (status == MW_OK && pthread_create(&worker, NULL, work, subject) != 0) {
        status = mw_fail(diagnostic, MW_ERROR_SYSTEM, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                         "can't start a thread");
    } else if (status == MW_OK) {
        status = lead(server, wishes, &door, diagnostic);
        if (status == MW_OK) {
            wait_for_end(server, subject, wishes, &door, ends);
        }
        subject->stop(user);
        pthread_join(worker, NULL);
        if (status == MW_OK && subject->has_failed(user, diagnostic)) {
            status = diagnostic->status;
        }
    }
    mwa_view_door_close(&door);
    mwa_view_server_stop(server);
    mwa_view_part_end(UINT64_MAX);
    return status;
}

static void make_index(void *user)
{
    const struct mw_diagnostic *unkept;
    char text[2048], shown[4096];

    mwa_view_index_make(user);
    unkept = mwa_view_index_unkept(user);
    if (unkept) {
        mw_diagnostic_text(unkept, text, sizeof text);
        fprintf(stderr, "mpiwatch-view: the next view has to read it again, nothing is kept: %s\n",
                mw_printable(text, shown, sizeof shown));
    }
}

/* Why it can't be read, perhaps. */
static void say_fate(const struct mwa_view_index *index)
{
    const char *fate = mwa_view_index_fate(index);

    if (fate) {
        fprintf(stderr, "mpiwatch-view: %s\n", fate);
    }
}

static void stop_index(void *user)
{
    mwa_view_index_stop(user);
}

static bool index_has_failed(void *user, struct mw_diagnostic *diagnostic)
{
    const bool has_failed = mwa_view_index_stage(user) == MWA_VIEW_FAILED;

    *diagnostic = has_failed ? *mwa_view_index_diagnostic(user) : *diagnostic;
    return has_failed;
}

static enum mw_status show_archive(const char *path, const struct wishes *wishes,
                                   const sigset_t *ends, struct mw_diagnostic *diagnostic)
{
    struct mwa_view_index *index = NULL;
    struct subject subject = { { NULL, mwa_view_answer, mwa_view_tell },
                               make_index, stop_index, index_has_failed };
    enum mw_status status = mwa_wrong_file(path, diagnostic);

    if (status == MW_OK) {
        status = mwa_view_index_open(path, !wishes->no_cache && !wishes->forget, &index,
                                     diagnostic);
    }
    if (status == MW_OK && wishes->forget) {
        mwa_view_index_forget(index);
    }
    if (status == MW_OK) {
        subject.answerer.user = index;
        status = serve(&subject, wishes, ends, diagnostic);
        if (mwa_view_index_stage(index) == MWA_VIEW_FAILED) {
            say_fate(index);
        }
    }
    mwa_view_index_close(index);
    return status;
}

static enum mw_status show_run(const char *path, const struct wishes *wishes, const sigset_t *ends,
                               struct mw_diagnostic *diagnostic)
{
    const struct mwa_view_run_wishes of_run = { .interval = wishes->interval,
                                                .alarm = wishes->alarm,
                                                .keeps = !wishes->no_cache && !wishes->forget,
                                                .forgets = wishes->forget };
    struct mwa_view_run *run = NULL;
    struct subject subject = { { NULL, mwa_view_run_answer, mwa_view_run_tell },
                               mwa_view_run_watch, mwa_view_run_stop, mwa_view_run_has_failed };
    enum mw_status status = mwa_view_run_open(path, &of_run, &run, diagnostic);

    if (status == MW_OK) {
        subject.answerer.user = run;
        status = serve(&subject, wishes, ends, diagnostic);
    }
    mwa_view_run_close(run);
    return status;
}

/* What can't be asked for; a status of main, or MW_COMMAND_LINE_GO_ON. */
static int check(const struct mw_command_line *line)
{
    static const char *const of_runs[] = { "interval", "alarm" };

    if (!line->words[0] || line->words[1]) {
        return mw_command_line_refuse(line, NULL, "%s", line->words[0] ? "one archive is shown"
                                                                       : "no archive is named");
    }
    for (unsigned i = 0; i < sizeof of_runs / sizeof *of_runs; i++) {
        if (mw_command_line_has(line, of_runs[i]) && !mwa_view_is_run(line->words[0])) {
            return mw_command_line_refuse(line, NULL, "--%s is for a run: NAME.run", of_runs[i]);
        }
    }
    return MW_COMMAND_LINE_GO_ON;
}

int main(int argc, char **argv)
{
    struct mw_command_line line = { .program = &this_program, .out = stdout, .err = stderr };
    struct wishes wishes = { .linger = 30, .interval = 1, .alarm = 30 };
    struct mw_diagnostic diagnostic = { 0 };
    char text[2048], shown[4096];
    enum mw_status status;
    sigset_t ends;
    int code;

    mw_standard_streams_hold();
    code = mw_command_line_read(&line, argc, argv, &wishes);
    mwa_shortage_note_json();
    code = code == MW_COMMAND_LINE_GO_ON ? check(&line) : code;
    if (code != MW_COMMAND_LINE_GO_ON) {
        return mw_printed(stdout, stderr, this_program.name, code, EXIT_UNREADABLE);
    }
    raise_open_files();
    block_signals(&ends);
    mwa_view_scratch_clean(mwa_view_temporary());
    status = mwa_view_is_run(line.words[0])
                 ? show_run(line.words[0], &wishes, &ends, &diagnostic)
                 : show_archive(line.words[0], &wishes, &ends, &diagnostic);
    if (status != MW_OK) {
        mw_diagnostic_text(&diagnostic, text, sizeof text);
        fprintf(stderr, "mpiwatch-view: %s\n", mw_printable(text, shown, sizeof shown));
        return EXIT_UNREADABLE;
    }
    return EXIT_FINE;
}
