/*
 * mpiwatch-finish NAME.run first|other [OPTION...]: makes the archive of a run that is ended before
 * MPI_Finalize. The recorder starts one on each host (mpiwatch-record --on-term=finish), and no
 * user. It waits until the run's processes here have been sent SIGTERM, by which they stand still
 * (recorder/finalize/terminating.h), or are gone; the first host's then runs mpiwatch-recover, with
 * the options, on what the others' have gathered. If all ranks' spools are in the archive they are
 * removed, as in MPI_Finalize.
 */
#include "config.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "formats/base/nearby.h"
#include "formats/base/scratch.h"
#include "recorder/finish/gathering.h"

enum { EXIT_FINE = 0, EXIT_USAGE = 2, EXIT_NOTHING = 3 };
enum { RECOVERED = 0, RECOVERED_INCOMPLETE = 4 }; /* what mpiwatch-recover ends with */

#define LOOKS_A_SECOND  5
#define OTHERS_LOOKS    (2 * LOOKS_A_SECOND)   /* until processes here have got the signal, too */
#define GATHERING_LOOKS (20 * LOOKS_A_SECOND)  /* until the other hosts' spools are there */
#define RESULT_LOOKS    (600 * LOOKS_A_SECOND) /* until the first host has made the archive */

#define RECOVER "mpiwatch-recover"
#define OPTIONS_MAX 16

/* A process of the run on this host. */
struct process {
    const struct mw_run_spool *spool;
    int directory; /* in /proc, which does not become another's with its number; -1: gone */
    bool is_terminated;
};

struct finish {
    const char *run_path;
    bool is_first;
    char **options; /* of mpiwatch-recover, null behind them */
    struct mw_run_file file;
    struct mw_runs runs;
    struct process *processes;
    uint32_t count;
    struct mwr_gathering gathering;
};

static void pause_once(void)
{
    const struct timespec time = {.tv_nsec = 1000000000 / LOOKS_A_SECOND};

    nanosleep(&time, NULL);
}

/* --- the processes of this host ---------------------------------------------------------- */

static bool name_signal(const struct process *process, char *path)
{
    return mw_path_join(path, process->spool->path, MW_SPOOL_TERMINATED, NULL) == MW_OK;
}

/* Whether the process has got the signal, or is gone. */
static bool has_ended(struct process *process)
{
    char path[PATH_MAX];

    if (process->directory >= 0 && faccessat(process->directory, "stat", F_OK, 0) != 0) {
        close(process->directory);
        process->directory = -1;
    }
    process->is_terminated =
        process->is_terminated || (name_signal(process, path) && access(path, F_OK) == 0);
    return process->directory < 0 || process->is_terminated;
}

/* What a process that stands still looks for, once and twice (spool_info.h). */
static void tell(const struct finish *finish)
{
    for (uint32_t i = 0; i < finish->count; i++) {
        const struct process *process = &finish->processes[i];
        char path[PATH_MAX];
        int file = process->is_terminated && name_signal(process, path)
                       ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
                       : -1;

        if (file >= 0) {
            (void)!write(file, ".", 1);
            close(file);
        }
    }
}

static bool find_processes(struct finish *finish)
{
    const struct mw_run *run = &finish->runs.runs[0];
    char host[64] = "";
    char path[32];

    finish->processes = calloc(run->spool_count + (size_t)1, sizeof *finish->processes);
    if (!finish->processes || gethostname(host, sizeof host - 1) != 0) {
        return false;
    }
    for (uint32_t i = 0; i < run->spool_count; i++) {
        const struct mw_run_spool *spool = &run->spools[i];

        if (spool->host && strcmp(spool->host, host) == 0) {
            snprintf(path, sizeof path, "/proc/%u", spool->pid);
            finish->processes[finish->count++] = (struct process){
                .spool = spool, .directory = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC)};
        }
    }
    return finish->count > 0;
}

/* --- when -------------------------------------------------------------------------------- */

/* Whether the run's archive is not made: NAME.run is there as it was. */
static bool is_unfinished(const struct finish *finish)
{
    struct stat about;

    return stat(finish->run_path, &about) == 0 && about.st_dev == finish->file.device &&
           about.st_ino == finish->file.inode;
}

/* Whether all processes here are gone that came to their end; nobody has to make an archive of
 * these: they tried, and told why there is none. */
static bool is_left_alone(const struct finish *finish)
{
    for (uint32_t i = 0; i < finish->count; i++) {
        struct mw_run_spool spool;
        bool is_over = mw_run_spool_look(&spool, finish->processes[i].spool->path, NULL) != MW_OK;

        if (!is_over) {
            is_over = spool.state == MW_RUN_FINALIZED;
            mw_run_spool_fini(&spool);
        }
        if (!is_over) {
            return false;
        }
    }
    return true;
}

/* Waits for the end of the run. \return false: there is nothing to be done then. */
static bool await_end(struct finish *finish)
{
    uint32_t looks = 0; /* since the first one has got the signal */

    for (;;) {
        uint32_t ended = 0;
        bool is_terminated = false;

        for (uint32_t i = 0; i < finish->count; i++) {
            ended += has_ended(&finish->processes[i]);
            is_terminated |= finish->processes[i].is_terminated;
        }
        if (ended == finish->count || looks > OTHERS_LOOKS) {
            return is_unfinished(finish) && !is_left_alone(finish);
        }
        looks += is_terminated;
        pause_once();
    }
}

/* --- what -------------------------------------------------------------------------------- */

static bool recover(const struct finish *finish)
{
    char program[PATH_MAX];
    char scratch[PATH_MAX + 16];
    char *arguments[OPTIONS_MAX + 6] = {RECOVER, "--quiet", scratch};
    char *const environment[] = {"LC_ALL=C", NULL};
    size_t count = 3;
    pid_t child;
    int status = -1;

    for (char **option = finish->options; *option && count < OPTIONS_MAX; option++) {
        arguments[count++] = *option;
    }
    arguments[count++] = (char *)finish->run_path;
    if (mwr_gathering_is_there(&finish->gathering)) {
        arguments[count++] = (char *)finish->gathering.path;
    }
    snprintf(scratch, sizeof scratch, "--scratch=%s", finish->processes[0].spool->path);
    *strrchr(scratch, '/') = '\0';
    return mw_nearby_command(BINDIR, RECOVER, program, sizeof program) &&
           posix_spawn(&child, program, NULL, NULL, arguments, environment) == 0 &&
           waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           (WEXITSTATUS(status) == RECOVERED || WEXITSTATUS(status) == RECOVERED_INCOMPLETE);
}

static void remove_spools(const struct finish *finish)
{
    for (uint32_t i = 0; i < finish->count; i++) {
        (void)!mw_run_spool_remove(finish->processes[i].spool, NULL);
    }
}

/* Whether a spool of each rank that had one is here, or was gathered by the others in time. */
static bool gather(const struct finish *finish)
{
    uint32_t missing = mwr_gathering_missing(&finish->gathering, &finish->file);

    if (missing > 0 && mwr_gathering_begin(&finish->gathering)) {
        for (uint32_t look = 0; missing > 0 && look < GATHERING_LOOKS; look++) {
            pause_once();
            missing = mwr_gathering_missing(&finish->gathering, &finish->file);
        }
    }
    return missing == 0;
}

static bool finish_first(const struct finish *finish)
{
    bool is_whole = gather(finish);
    bool is_made = recover(finish);

    if (is_made && is_whole) {
        unlink(finish->run_path);
        remove_spools(finish);
    }
    mw_remove_tree(finish->gathering.path);
    return is_made;
}

/* Whatever the first host makes of it: its directory is gone then, and if all is well NAME.run. */
static bool finish_other(const struct finish *finish)
{
    bool is_gathered = mwr_gathering_begin(&finish->gathering);

    for (uint32_t i = 0; i < finish->count && is_gathered; i++) {
        is_gathered = mwr_gathering_add(&finish->gathering, finish->processes[i].spool);
    }
    for (uint32_t look = 0; is_gathered && look < RESULT_LOOKS && is_unfinished(finish) &&
                            mwr_gathering_is_there(&finish->gathering); look++) {
        pause_once();
    }
    if (is_gathered && !is_unfinished(finish)) {
        remove_spools(finish);
    }
    return is_gathered;
}

/* --- from the command line ------------------------------------------------------------------ */

/* Leaves the session of who started this; the first process ends, and nobody waits for the second.
 * \return false: in the first one, or it can't be done. */
static bool leave_session(void)
{
    if (fork() != 0 || setsid() < 0) {
        return false;
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN); /* a batch system sends it to all that it finds in the job */
    return true;
}

int main(int argc, char **argv)
{
    struct finish finish = {.count = 0};
    bool is_fine = false;

    if (argc < 3 || mw_run_file_read(&finish.file, argv[1], NULL) != MW_OK ||
        mw_runs_add(&finish.runs, argv[1], NULL) != MW_OK || finish.runs.count != 1 ||
        !mwr_gathering_name(&finish.gathering, &finish.file)) {
        return EXIT_USAGE;
    }
    finish.run_path = argv[1];
    finish.is_first = strcmp(argv[2], "first") == 0;
    finish.options = argv + 3;
    is_fine = find_processes(&finish);
    if (is_fine && !leave_session()) {
        return EXIT_FINE;
    }
    if (is_fine && await_end(&finish)) {
        tell(&finish);
        is_fine = finish.is_first ? finish_first(&finish) : finish_other(&finish);
        tell(&finish);
    }
    free(finish.processes);
    mw_runs_fini(&finish.runs);
    mw_run_file_fini(&finish.file);
    return is_fine ? EXIT_FINE : EXIT_NOTHING;
}
