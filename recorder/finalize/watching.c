/* The programs are others: what watches a run for hangs must not hang with it, nor end with it. */
#include "recorder/finalize/watching.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/base/child.h"
#include "formats/base/nearby.h"
#include "recorder/recorder.h"
#include "recorder/sites/loaded.h"

#define WATCH   "mpiwatch-watch"
#define FINISH  "mpiwatch-finish"
#define SECONDS 10u /* in which it has to leave for a session of its own */

/* Runs arguments, of which the first is set to the path of name; what: what nobody does without. */
static void start(const char *name, char **arguments, const char *what)
{
    static const char here;
    struct mwr_loaded own;
    struct mw_diagnostic diagnostic = {0};
    char program[4096];
    char text[2048];

    arguments[0] = program;
    if (!mwr_loaded_find(&here, &own) ||
        !mw_nearby_program(own.path, PKGLIBDIR, name, program, sizeof program)) {
        mwr_say("%s: %s is not found", what, name);
    } else if (mw_child_run(arguments, SECONDS, &diagnostic) != MW_OK) {
        mwr_say("%s: %s", what, mw_diagnostic_text(&diagnostic, text, sizeof text));
    }
}

static void start_watch(void)
{
    const struct mwr_settings *settings = &mwr_recorder.settings;
    char hang[32];
    char stuck[32];
    char *arguments[] = {NULL, hang, settings->hang.kills ? "kill" : "tell", stuck,
                         mwr_recorder.run_file[0] ? mwr_recorder.run_file : "-",
                         mwr_recorder.spool, NULL};

    snprintf(hang, sizeof hang, "%" PRIu64, settings->hang.after);
    snprintf(stuck, sizeof stuck, "%" PRIu64, settings->stuck.after);
    start(WATCH, arguments, "nobody watches for hangs");
}

/* mpiwatch-recover has these as the recorder has; of each as --NAME=VALUE. */
static void start_finish(void)
{
    static const char *const names[] = {"format", "compress", "paths", "site-form"};
    char values[sizeof names / sizeof names[0]][64];
    char value[MWR_SETTING_PATH_BYTES];
    char *arguments[sizeof names / sizeof names[0] + 5] = {
        NULL, mwr_recorder.run_file, mwr_recorder.host_leader == 0 ? "first" : "other"};
    size_t count = 3;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        mwr_setting_value(&mwr_recorder.settings, mwr_setting_find(names[i]), value, sizeof value);
        snprintf(values[i], sizeof values[i], "--%s=%.40s", names[i], value);
        arguments[count++] = values[i];
    }
    if (mwr_recorder.settings.force) {
        arguments[count] = "--force";
    }
    start(FINISH, arguments, "nobody makes the archive if the run is ended");
}

void mwr_watching_start(void)
{
    const struct mwr_settings *settings = &mwr_recorder.settings;

    if (!mwr_recorder.spool[0] || mwr_recorder.rank != mwr_recorder.host_leader) {
        return;
    }
    if (settings->hang.after > 0 || settings->stuck.after > 0) {
        start_watch();
    }
    if (settings->on_term == MWR_ON_TERM_FINISH && mwr_recorder.run_file_is_shared) {
        start_finish();
    }
}
