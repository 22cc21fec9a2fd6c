#ifndef MWA_CLI_PROCESSES_H
#define MWA_CLI_PROCESSES_H

#include "analyzer/cli/command.h"
#include "analyzer/team/team_watch.h"

/*
 * What mpiwatch-analyze does where a launcher has started several of it: the first one speaks, and
 * where the command allows it all read the archive together. The others end with 0 whatever
 * happens, since launchers end all when one ends with another status; the job's is then the first
 * one's. That is what one does that did not come as far as MPI_Init for want of memory: the others
 * wait for it there, where nobody can tell them. For the main thread.
 */

struct mwa_block_states;

struct mwa_processes {
    bool is_first;        /* it prints; the others have nothing to say */
    bool is_stranded;     /* others may wait for it: it says why, and ends with a status */
    bool has_team;
    struct mwa_team team; /* that the archive is read with, of two at least; with has_team */
    struct mwa_team_watch *watch; /* whether they go on; null: nobody looks */
};

/* While the command line is looked at: standard output and error of those that do not speak. */
struct mwa_hush {
    int kept[2]; /* as they were; -1: unchanged */
};

/* Leads them nowhere in a process that a launcher started beside a first one. \return whether it
 * is such a one. */
bool mwa_hush_begin(struct mwa_hush *hush);
void mwa_hush_end(struct mwa_hush *hush);

/*
 * Finds out who this process is, and begins a team if the options ask for one, or the launcher does
 * and the command may be shared (may_share). Where there should be one and can't be, the first
 * process is told why on standard error, and works alone.
 *
 * \return MW_OK, and mwa_processes_end is due. As mw_lent_begin: --mpi names an MPI by which they
 * can't speak. MW_ERROR_MEMORY: it is stranded.
 */
enum mw_status mwa_processes_begin(const struct mwa_options *options, bool may_share,
                                   struct mwa_processes *processes,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Null: there is none. */
const struct mwa_team *mwa_processes_team(const struct mwa_processes *processes);

/* All have opened the archive, or failed to (status): whether it is the same. Returns as
 * mwa_team_agree; status where there is no team. trace may be null if status is not MW_OK. */
enum mw_status mwa_processes_agree(const struct mwa_processes *processes,
                                   const struct mwa_trace *trace, enum mw_status status,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* The same of anything else that can fail on one of them: whether all came so far. */
enum mw_status mwa_processes_all(const struct mwa_processes *processes, enum mw_status status,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* The threads that each has, of those that the options say. */
uint32_t mwa_processes_threads(const struct mwa_processes *processes,
                               const struct mwa_options *options);

/* Says on standard error, unless it is to be quiet, why not all of several processes have followed
 * a part of the run of input, as mwa_why_whole has it; of which archive, where each of several is
 * read by itself. */
void mwa_processes_say_whole(const struct mwa_processes *processes,
                             const struct mwa_options *options, const struct mwa_input *input,
                             const struct mwa_block_states *known,
                             const struct mwa_results *results);

/* All have read; from here on the first one is alone. */
void mwa_processes_end(struct mwa_processes *processes);

#endif
