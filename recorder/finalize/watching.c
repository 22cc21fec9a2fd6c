/* The program is another one: what watches a run for hangs must not hang with it. */
#include "recorder/finalize/watching.h"

#include <inttypes.h>
#include <stdio.h>

#include "formats/base/child.h"
#include "formats/base/nearby.h"
#include "recorder/recorder.h"
#include "recorder/sites/loaded.h"

#define PROGRAM "mpiwatch-watch"
#define SECONDS 10u /* in which it has to leave for a session of its own */

void mwr_watching_start(void)
{
    static const char here;
    const struct mwr_settings *settings = &mwr_recorder.settings;
    struct mwr_loaded own;
    struct mw_diagnostic diagnostic = {0};
    char program[4096];
    char hang[32];
    char stuck[32];
    char text[2048];
    char *arguments[] = {program, hang, settings->hang.kills ? "kill" : "tell", stuck,
                         mwr_recorder.run_file[0] ? mwr_recorder.run_file : "-",
                         mwr_recorder.spool, NULL};

    if ((settings->hang.after == 0 && settings->stuck.after == 0) || !mwr_recorder.spool[0] ||
        mwr_recorder.rank != mwr_recorder.host_leader) {
        return;
    }
    snprintf(hang, sizeof hang, "%" PRIu64, settings->hang.after);
    snprintf(stuck, sizeof stuck, "%" PRIu64, settings->stuck.after);
    if (!mwr_loaded_find(&here, &own) ||
        !mw_nearby_program(own.path, PKGLIBDIR, PROGRAM, program, sizeof program)) {
        mwr_say("nobody watches for hangs: " PROGRAM " is not found");
    } else if (mw_child_run(arguments, SECONDS, &diagnostic) != MW_OK) {
        mwr_say("nobody watches for hangs: %s",
                mw_diagnostic_text(&diagnostic, text, sizeof text));
    }
}
