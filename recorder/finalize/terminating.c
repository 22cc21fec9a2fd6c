/*
 * The thread may be in the middle of the MPI or the recorder: what the handlers call is what
 * signal-safety(7) allows, and snprintf of numbers; one speaks by files alone, the other has its
 * sentence ready. A wish that the next call obeys, as
 * for other signals, would come too late for a rank that waits in its last one.
 */
#include "recorder/finalize/terminating.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "formats/spool/spool_info.h"
#include "recorder/finalize/manifest.h"
#include "recorder/recorder.h"
#include "recorder/state/error_stream.h"

#define LOOK_NS 20000000
#define LOOKS_UNSEEN 250   /* 5 s */
#define LOOKS_MAX    30000 /* 10 minutes */

#define SAYERS 16u /* ranks that look who is the first: more would load the file system */

/* Written before the handler is installed. */
static char place[MWR_PATH_BYTES + 16];
static char sentence[MWR_PATH_BYTES + 160];

/* SIGTERM has come while the archive was being written. */
static volatile sig_atomic_t is_due;

/* As without a handler. */
static void end_by(int number)
{
    struct sigaction action;
    sigset_t only;

    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    sigaction(number, &action, NULL);
    sigemptyset(&only);
    sigaddset(&only, number);
    raise(number);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
}

/* Until the archive is made, or nobody makes one. */
static void wait_for_archive(int file)
{
    const struct timespec pause = {.tv_nsec = LOOK_NS};
    struct stat about;

    for (int look = 0; look < LOOKS_MAX; look++) {
        if (fstat(file, &about) != 0 || about.st_nlink == 0 || about.st_size > 1 ||
            (about.st_size == 0 && look >= LOOKS_UNSEEN)) {
            return;
        }
        nanosleep(&pause, NULL);
    }
}

/* In MPI_Finalize, too: what is left of a run whose archive is not made yet can be recovered. */
static void say(int number)
{
    const int error = errno;

    if (mwr_recorder.pid == getpid() && mwr_manifest_note_signal(number)) {
        mwr_error_stream_write(sentence, strlen(sentence));
    }
    end_by(number);
    errno = error;
}

static void terminate(int number)
{
    const int error = errno;
    const enum mwr_phase phase = __atomic_load_n(&mwr_recorder.phase, __ATOMIC_ACQUIRE);
    int file;

    if (mwr_recorder.pid == getpid() && phase == MWR_FINISHED) {
        is_due = 1;
        errno = error;
        return;
    }
    if (mwr_recorder.pid == getpid()) {
        file = open(place, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (file >= 0) {
            wait_for_archive(file);
        }
    }
    end_by(number);
    errno = error;
}

/* Who says nothing but on SIGTERM says nothing of a handler that is the program's own, either. */
static void install_saying(void)
{
    struct sigaction action = {.sa_handler = say, .sa_flags = SA_RESTART};
    struct sigaction before;
    char next[MWR_PATH_BYTES];

    if (mwr_recorder.settings.quiet || !mwr_recorder.run_file_is_shared ||
        mwr_recorder.rank >= SAYERS || sigaction(SIGTERM, NULL, &before) != 0 ||
        before.sa_handler != SIG_DFL) {
        return;
    }
    snprintf(sentence, sizeof sentence,
             "mpiwatch: the run is ended by SIGTERM; what was recorded is kept; next: %s\n",
             mwr_manifest_next(next, sizeof next));
    sigemptyset(&action.sa_mask);
    sigaction(SIGTERM, &action, NULL);
}

static void install_finishing(void)
{
    struct sigaction action = {.sa_handler = terminate, .sa_flags = SA_RESTART};
    struct sigaction before;

    if (!mwr_recorder.run_file_is_shared) {
        return;
    }
    snprintf(place, sizeof place, "%s/" MW_SPOOL_TERMINATED, mwr_recorder.spool);
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGTERM, NULL, &before) != 0 || before.sa_handler != SIG_DFL) {
        mwr_say("rank %u: --on-term: SIGTERM is the program's own", mwr_recorder.rank);
        return;
    }
    sigaction(SIGTERM, &action, NULL);
}

void mwr_terminating_install(void)
{
    if (mwr_recorder.spool[0] && mwr_recorder.settings.on_term == MWR_ON_TERM_SAY) {
        install_saying();
    } else if (mwr_recorder.spool[0] && mwr_recorder.settings.on_term == MWR_ON_TERM_FINISH) {
        install_finishing();
    }
}

void mwr_terminating_finish(void)
{
    struct sigaction action;

    if (sigaction(SIGTERM, NULL, &action) == 0 &&
        (action.sa_handler == terminate || action.sa_handler == say)) {
        memset(&action, 0, sizeof action);
        action.sa_handler = SIG_DFL;
        sigaction(SIGTERM, &action, NULL);
        if (is_due) {
            raise(SIGTERM);
        }
    }
}
