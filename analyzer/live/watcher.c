/*
 * mpiwatch-watch: looks after a run on this host, and says why when it hangs. The recorder of the
 * first rank here starts it (mpiwatch-record --hang), and no user. It reads the run's spools as
 * mpiwatch-top does, at a low priority, and ends with the run.
 */
#include "config.h"

#include <glob.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analyzer/live/alarm.h"
#include "analyzer/live/live.h"
#include "analyzer/live/standstill.h"

enum { EXIT_FINE = 0, EXIT_USAGE = 2, EXIT_NOTHING = 3 };

#define SECOND UINT64_C(1000000000)
#define SHORTEST (SECOND / 10) /* between two looks */
#define LONGEST (5 * SECOND)
#define SLICE (SECOND / 4) /* of a pause: so long it outlives the run */
#define GRACE (5 * SECOND) /* of who is asked to end */

struct watch {
    uint64_t hang;  /* ns; 0: not asked for */
    uint64_t stuck; /* likewise */
    bool kills;     /* if it is a deadlock that is proved */
    const char *run_file; /* null: there is none that can be seen */
    uint64_t period;
    uint64_t still; /* ns for which nothing has moved */
    bool is_told;
    json_t *why; /* of this standstill, null: not known */
    struct mwa_live live;
    struct mwa_standstill standstill;
};

/* --- time -------------------------------------------------------------------------------- */

static uint64_t time_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

/* Sleeps so long, or until the run has ended. \return false: it has. */
static bool pause_for(struct watch *watch, uint64_t ns)
{
    const uint64_t end = time_now() + ns;
    bool is_running = true;

    for (uint64_t now = time_now(); is_running && now < end; now = time_now()) {
        uint64_t left = end - now < SLICE ? end - now : SLICE;
        struct timespec time = {.tv_nsec = (long)left};

        nanosleep(&time, NULL);
        for (uint32_t i = 0; i < watch->live.process_count; i++) {
            (void)!mwa_live_process_look(&watch->live.processes[i]);
        }
        is_running = mwa_live_is_running(&watch->live);
    }
    return is_running;
}

/* Looks, and adds to the time of the standstill or ends it. What was stopped counts for nothing,
 * nor does a time in which this process did not run. */
static enum mw_status look(struct watch *watch, uint64_t passed,
                           struct mw_diagnostic *diagnostic)
{
    enum mwa_standstill_change change;
    enum mw_status status = mwa_live_look(&watch->live, diagnostic);

    if (status == MW_OK) {
        status = mwa_standstill_look(&watch->standstill, &watch->live, &change);
    }
    if (status == MW_OK && change == MWA_STANDSTILL_MOVED) {
        watch->still = 0;
        watch->is_told = false;
        json_decref(watch->why);
        watch->why = NULL;
    } else if (status == MW_OK && !watch->standstill.is_stopped) {
        watch->still += passed < 2 * watch->period ? passed : 2 * watch->period;
    }
    return status;
}

/* --- what is done then --------------------------------------------------------------------- */

static void end_run(struct watch *watch)
{
    mwa_alarm_signal(&watch->live, SIGTERM);
    if (pause_for(watch, GRACE)) {
        mwa_alarm_signal(&watch->live, SIGKILL);
    }
}

/* A deadlock is proved, and after another look and explanation it is the same. */
static enum mw_status end_if_proved(struct watch *watch, struct mw_diagnostic *diagnostic)
{
    json_t *again = NULL;
    enum mw_status status = MW_OK;

    if (!mwa_alarm_is_proved(&watch->live, watch->why)) {
        mwa_alarm_say(&watch->live, "not killed: this is no deadlock that is proved");
        return MW_OK;
    }
    if (!pause_for(watch, watch->period)) {
        return MW_OK;
    }
    status = look(watch, watch->period, diagnostic);
    if (status == MW_OK && watch->why && mwa_alarm_ask(&watch->live, &again, NULL) == MW_OK) {
        status = look(watch, 0, diagnostic);
    }
    if (status == MW_OK && mwa_alarm_is_same(watch->why, again)) {
        mwa_alarm_say(&watch->live, "the deadlock is proved, and has not changed: its ranks are "
                                    "sent SIGTERM, as --hang=TIME:kill says");
        end_run(watch);
    } else if (status == MW_OK) {
        mwa_alarm_say(&watch->live, "not killed: it has changed");
    }
    json_decref(again);
    return status;
}

static enum mw_status judge(struct watch *watch, struct mw_diagnostic *diagnostic)
{
    const uint64_t least = watch->hang > 0 && (watch->stuck == 0 || watch->hang < watch->stuck)
                               ? watch->hang
                               : watch->stuck;
    enum mw_status status = MW_OK;

    if (watch->still >= least && !watch->is_told) {
        watch->is_told = true;
        if (mwa_alarm_ask(&watch->live, &watch->why, NULL) != MW_OK &&
            !mwa_live_is_running(&watch->live)) {
            return MW_OK;
        }
        status = look(watch, 0, diagnostic); /* it took a while */
        if (status != MW_OK || !watch->is_told) {
            return status;
        }
        mwa_alarm_tell(&watch->live, watch->run_file, (double)watch->still / SECOND, watch->why);
        if (watch->kills) {
            status = end_if_proved(watch, diagnostic);
        }
    }
    if (status == MW_OK && watch->stuck > 0 && watch->still >= watch->stuck) {
        mwa_alarm_say(&watch->live, "no progress for %.3g s: the ranks are sent SIGTERM, as "
                                    "--stuck=TIME:kill says",
                      (double)watch->still / SECOND);
        end_run(watch);
    }
    return status;
}

static enum mw_status watch_run(struct watch *watch, struct mw_diagnostic *diagnostic)
{
    uint64_t before = time_now();
    enum mw_status status = look(watch, 0, diagnostic);

    while (status == MW_OK && pause_for(watch, watch->period)) {
        const uint64_t now = time_now();

        status = look(watch, now - before, diagnostic);
        before = now;
        if (status == MW_OK && mwa_live_is_running(&watch->live)) {
            status = judge(watch, diagnostic);
        }
    }
    if (status != MW_OK && mwa_live_is_running(&watch->live)) {
        char text[2048];

        mwa_alarm_say(&watch->live, "who watched for hangs has ended: %s",
                      mw_diagnostic_text(diagnostic, text, sizeof text));
    }
    return status;
}

/* --- from the command line ------------------------------------------------------------------ */

/* The directories of the run on this host; the caller's, to be globfree'd. False: none. */
static bool find_spools(const char *spool, glob_t *found)
{
    const char *end = strrchr(spool, '-');
    char *pattern = end ? malloc(2 * strlen(spool) + 8) : NULL;
    char *to = pattern;
    bool is_found;

    if (!pattern) {
        return false;
    }
    for (const char *from = spool; from <= end; from++) {
        if (strchr("*?[\\", *from)) {
            *to++ = '\\';
        }
        *to++ = *from;
    }
    memcpy(to, "[0-9]*", sizeof "[0-9]*");
    is_found = glob(pattern, GLOB_NOSORT, NULL, found) == 0;
    free(pattern);
    return is_found;
}

/* Leaves the session of who started this; the first process ends, and nobody waits for the second.
 * \return false: in the first one, or it can't be done. */
static bool leave_session(void)
{
    struct rlimit core = {0};

    if (fork() != 0 || setsid() < 0) {
        return false;
    }
    setpriority(PRIO_PROCESS, 0, 19);
    setrlimit(RLIMIT_CORE, &core);
    umask(077);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    return true;
}

/* What the recorder says: TIME kill|tell TIME NAME.run|- SPOOL, times in ns, 0: none. */
static bool take_arguments(struct watch *watch, int argc, char **argv)
{
    uint64_t least;

    if (argc != 6) {
        return false;
    }
    watch->hang = strtoull(argv[1], NULL, 10);
    watch->kills = strcmp(argv[2], "kill") == 0;
    watch->stuck = strtoull(argv[3], NULL, 10);
    watch->run_file = strcmp(argv[4], "-") == 0 ? NULL : argv[4];
    least = watch->hang > 0 && (watch->stuck == 0 || watch->hang < watch->stuck) ? watch->hang
                                                                                 : watch->stuck;
    watch->period = least / 8 < SHORTEST ? SHORTEST : least / 8 > LONGEST ? LONGEST : least / 8;
    return least > 0;
}

int main(int argc, char **argv)
{
    struct watch watch = {.hang = 0};
    struct mw_diagnostic diagnostic = {0};
    const char **names = NULL;
    glob_t spools = {0};
    size_t count = 0;
    enum mw_status status = MW_ERROR_MEMORY;

    if (!take_arguments(&watch, argc, argv) || !find_spools(argv[5], &spools)) {
        return EXIT_USAGE;
    }
    if (!leave_session()) {
        return EXIT_FINE;
    }
    names = calloc(spools.gl_pathc + 2, sizeof *names);
    if (names) {
        if (watch.run_file && access(watch.run_file, R_OK) == 0) {
            names[count++] = watch.run_file;
        }
        for (size_t i = 0; i < spools.gl_pathc; i++) {
            names[count++] = spools.gl_pathv[i];
        }
        if (strrchr(argv[5], '/')) {
            *strrchr(argv[5], '/') = '\0';
        }
        setenv("TMPDIR", argv[5], 1);
        status = mwa_live_begin(&watch.live, names, &diagnostic);
    }
    if (status == MW_OK) {
        status = watch_run(&watch, &diagnostic);
    }
    json_decref(watch.why);
    mwa_standstill_fini(&watch.standstill);
    if (names) {
        mwa_live_fini(&watch.live);
    }
    globfree(&spools);
    free(names);
    return status == MW_OK ? EXIT_FINE : EXIT_NOTHING;
}
