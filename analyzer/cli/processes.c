/*
 * MPI is asked for nothing where it is not needed: a command that one process does alone neither
 * loads it nor waits in it.
 */
#include "config.h"

#include "analyzer/cli/processes.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>

#include "analyzer/cli/kept_states.h"
#include "analyzer/cli/options.h"
#include "analyzer/table/clean.h"
#include "formats/archive/lent_library.h"
#include "formats/base/launched_job.h"

#define PATIENCE 120 /* seconds for all to begin: a large job loads a library from one disk */

/* --- silence ------------------------------------------------------------------------------- */

bool mwa_hush_begin(struct mwa_hush *hush)
{
    const bool is_other = mw_launched_for_mpi() && !mw_launched_first();
    int nowhere = is_other ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;

    for (int i = 0; i < 2; i++) {
        hush->kept[i] = nowhere >= 0 ? fcntl(i + 1, F_DUPFD_CLOEXEC, 3) : -1;
        if (hush->kept[i] >= 0) {
            dup2(nowhere, i + 1);
        }
    }
    if (nowhere >= 0) {
        close(nowhere);
    }
    return is_other;
}

void mwa_hush_end(struct mwa_hush *hush)
{
    fflush(stdout);
    for (int i = 0; i < 2; i++) {
        if (hush->kept[i] >= 0) {
            dup2(hush->kept[i], i + 1);
            close(hush->kept[i]);
            hush->kept[i] = -1;
        }
    }
}

/* --- beginning and end --------------------------------------------------------------------- */

/* MPI_Init waits for those that never come: the others of the job do something else. */
static void end_alone(int signal_number)
{
    static const char sentence[] =
        "mpiwatch-analyze: it was started as one of several processes, and the others do not come; "
        "--mpi=off lets each work by itself\n";
    ssize_t written = write(STDERR_FILENO, sentence, sizeof sentence - 1);

    _exit(written > 0 ? MWA_EXIT_USAGE : MWA_EXIT_CORRUPT);
}

/* A number that no other build of this program has, and no other command line. */
static uint64_t build_and_words(void)
{
    static const char *const files[] = { "/proc/self/exe", "/proc/self/cmdline" };
    static unsigned char bytes[1u << 16];
    uLong sum = crc32(0, NULL, 0);
    uint64_t length = 0;
    ssize_t got;

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        int file = open(files[i], O_RDONLY | O_CLOEXEC);

        while (file >= 0 && (got = read(file, bytes, sizeof bytes)) > 0) {
            sum = crc32(sum, bytes, (uInt)got);
            length += (uint64_t)got;
        }
        if (file >= 0) {
            close(file);
        }
    }
    return length << 32 | sum;
}

static enum mw_status begin_team(const char *mpi, struct mwa_team *team,
                                 struct mw_diagnostic *diagnostic)
{
    const struct sigaction action = { .sa_handler = end_alone };
    struct sigaction before;
    enum mw_status status;

    *team = (struct mwa_team){ .await = mw_lent_await, .end = mw_lent_end };
    sigaction(SIGALRM, &action, &before);
    alarm(PATIENCE);
    status = mw_lent_begin(mpi, PACKAGE_STRING, &team->transport, diagnostic);
    alarm(0);
    sigaction(SIGALRM, &before, NULL);
    if (status != MW_OK) {
        return status;
    }
    status = mwa_team_compare(team, build_and_words(),
                              "is another mpiwatch-analyze, or has another command line",
                              diagnostic);
    if (status != MW_OK) {
        mwa_team_end(team);
    }
    return status;
}

/* One does not go on: a thread of a process that waits for it is told. Its being given up ends all,
 * since the launcher sees a process end that has not said farewell to the others. */
static void tell_stuck(const struct mwa_stuck *stuck)
{
    char host[256] = "";

    gethostname(host, sizeof host - 1);
    fprintf(stderr, "mpiwatch-analyze: process %u (%llu on %s) ", stuck->process,
            (unsigned long long)stuck->pid, host);
    if (stuck->is_stopped) {
        fprintf(stderr, "has been stopped for %u s, and ", stuck->seconds);
    } else {
        fprintf(stderr, "has done nothing for %u s, and ", stuck->seconds);
    }
    fputs(stuck->is_over ? "is given up: so are all\n" : "is waited for\n", stderr);
    if (stuck->is_over) {
        _exit(MWA_EXIT_CORRUPT);
    }
}

static void say_alone(const struct mwa_options *options, const struct mw_diagnostic *diagnostic)
{
    char text[2048];

    if (!options->quiet) {
        fputs("mpiwatch-analyze: one process works, the others do not: ", stderr);
        mwa_put_clean(mw_diagnostic_text(diagnostic, text, sizeof text), stderr);
        fputc('\n', stderr);
    }
}

enum mw_status mwa_processes_begin(const struct mwa_options *options, bool may_share,
                                   struct mwa_processes *processes,
                                   struct mw_diagnostic *diagnostic)
{
    /* As enum mwa_mpi has them. */
    static const char *const names[] = { NULL, NULL, "openmpi", "mpich", "abi" };
    const char *name = names[options->mpi];
    enum mw_status status;

    *processes = (struct mwa_processes){ .is_first = true };
    if (options->mpi == MWA_MPI_OFF || (!name && !mw_launched_for_mpi())) {
        return MW_OK;
    }
    processes->is_first = mw_launched_first();
    if (!name && !may_share) {
        return MW_OK;
    }
    status = begin_team(name, &processes->team, diagnostic);
    processes->is_stranded = status == MW_ERROR_MEMORY && processes->team.transport.size == 0;
    if (status != MW_OK && (name || processes->is_stranded)) {
        return status;
    }
    if (status != MW_OK) {
        if (processes->is_first) {
            say_alone(options, diagnostic);
        }
        *diagnostic = (struct mw_diagnostic){ 0 };
        return MW_OK;
    }
    processes->has_team = true;
    processes->is_first = mwa_team_is_first(&processes->team);
    if (!may_share || processes->team.transport.size == 1) {
        mwa_processes_end(processes);
        return MW_OK;
    }
    status = mwa_team_watch_begin(&processes->team, tell_stuck, &processes->watch, diagnostic);
    if (status != MW_OK) {
        mwa_processes_end(processes);
    }
    return status;
}

const struct mwa_team *mwa_processes_team(const struct mwa_processes *processes)
{
    return processes->has_team ? &processes->team : NULL;
}

void mwa_processes_end(struct mwa_processes *processes)
{
    if (processes->has_team) {
        processes->has_team = false;
        mwa_team_watch_end(&processes->team, processes->watch);
        processes->watch = NULL;
        mwa_team_end(&processes->team);
    }
}

/* --- together ------------------------------------------------------------------------------ */

/*
 * A number that an archive with other definitions does not have, nor one whose times count from
 * elsewhere: where a process can't read the first events, it finds nothing of MPI_Init.
 */
static uint64_t definitions(const struct mwa_trace *trace)
{
    const uint64_t counts[] = { trace->location_count, trace->rank_count,   trace->region_count,
                                trace->comm_count,     trace->site_count,   trace->string_count,
                                trace->clock_offset,   trace->clock_length, trace->lost_events,
                                trace->run_offset,     trace->begins_in_init };
    uLong sum = crc32(0, (const Bytef *)counts, sizeof counts);

    for (uint64_t i = 0; i < trace->location_count; i++) {
        const uint64_t location[] = { trace->locations[i].rank, trace->locations[i].events };

        sum = crc32(sum, (const Bytef *)location, sizeof location);
    }
    for (uint64_t i = 0; i < trace->string_count; i++) {
        sum = crc32(sum, (const Bytef *)trace->strings[i], (uInt)strlen(trace->strings[i]));
    }
    return sum;
}

/* What the first process has, another one may lack: on whose host is said then. */
static void tell_host(const struct mwa_team *team, struct mw_diagnostic *diagnostic)
{
    const size_t length = strlen(diagnostic->what);
    char host[256] = "";

    gethostname(host, sizeof host - 1);
    snprintf(diagnostic->what + length, sizeof diagnostic->what - length, " (process %u, on %s)",
             team->transport.rank, host);
}

enum mw_status mwa_processes_all(const struct mwa_processes *processes, enum mw_status status,
                                 struct mw_diagnostic *diagnostic)
{
    const struct mwa_team *team = mwa_processes_team(processes);

    if (team && status != MW_OK && !mwa_team_is_first(team)) {
        tell_host(team, diagnostic);
    }
    return team ? mwa_team_agree(team, status, 0, diagnostic) : status;
}

enum mw_status mwa_processes_agree(const struct mwa_processes *processes,
                                   const struct mwa_trace *trace, enum mw_status status,
                                   struct mw_diagnostic *diagnostic)
{
    const struct mwa_team *team = mwa_processes_team(processes);

    status = mwa_processes_all(processes, status, diagnostic);
    return status == MW_OK && team
               ? mwa_team_compare(team, definitions(trace),
                                  "has another archive under this name, or can't read all of it",
                                  diagnostic)
               : status;
}

uint32_t mwa_processes_threads(const struct mwa_processes *processes,
                               const struct mwa_options *options)
{
    const uint32_t here = processes->has_team && !options->jobs_are_said ? mw_launched_here() : 1;

    return options->jobs > here ? options->jobs / here : options->jobs > 0;
}

void mwa_processes_say_whole(const struct mwa_processes *processes,
                             const struct mwa_options *options, const struct mwa_input *input,
                             const struct mwa_block_states *known,
                             const struct mwa_results *results)
{
    const struct mwa_team *team = mwa_processes_team(processes);
    const char *why = team && processes->is_first
                          ? mwa_why_whole(input, options, team->transport.size, known, results)
                          : NULL;
    const bool is_one_of_several = options->command->examine && options->archive_count > 1;

    if (why && !options->quiet) {
        fprintf(stderr,
                "mpiwatch-analyze: %s%sone of %" PRIu32 " processes follows the run, which is not "
                "cut into parts for all: %s\n",
                is_one_of_several ? results->path : "", is_one_of_several ? ": " : "",
                team->transport.size, why);
    }
}
