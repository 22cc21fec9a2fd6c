#ifndef MWA_LIVE_LIVE_PROCESS_H
#define MWA_LIVE_LIVE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "formats/merge/merge_sites.h"
#include "formats/spool/definition_follow.h"
#include "formats/spool/runs.h"
#include "formats/spool/spool_follow.h"

/* A process of the run that is watched: what its definitions say, and whether it lives. */

struct mwa_live_comm {
    char *name;     /* that it was given, of MPI_COMM_WORLD and MPI_COMM_SELF theirs; null: none */
    unsigned call;  /* enum mw_call that made it; MW_CALL_COUNT: not known */
    uint32_t sequence; /* among those on its parent */
};

struct mwa_live_process {
    const struct mw_run_spool *spool; /* the caller's */
    enum mw_run_state state;   /* MW_RUN_RUNNING until it ends */
    bool is_elsewhere; /* on another host, where nobody sees whether it lives */
    int code;                  /* as of mw_run_spool */
    struct mwa_live_comm *comms; /* by number */
    uint32_t comm_count;
    uint16_t *site_calls;      /* by number of the site; MW_CALL_COUNT: not known */
    uint32_t site_count;
    struct mw_merged_sites *all_sites; /* the caller's */
    struct mw_site_map map;    /* the process's own numbers of them */
    uint64_t *begins;          /* by thread: when it was first seen, in ns; 0: not known */
    uint32_t thread_count;
    bool lacks_memory;         /* what its definitions tell is not all there */
    struct mw_definition_follower definitions;
    int proc;                  /* its directory in /proc; -1: none */
    struct mw_run_spool *told; /* spool, where somebody tells of it; null: it is looked at */
    uint32_t teller;           /* who does */
    enum mw_run_state told_state;
};

/* Begins with a process of a run, whose call sites it adds to sites. \return MW_OK,
 * MW_ERROR_MEMORY; mwa_live_process_fini is due. */
enum mw_status mwa_live_process_init(struct mwa_live_process *process,
                                     const struct mw_run_spool *spool,
                                     struct mw_merged_sites *sites) MW_MUST_CHECK;

/* Frees what processes added to sites. */
void mwa_live_process_sites_fini(struct mw_merged_sites *sites);

/*
 * Looks whether it lives, and reads its definitions again if they have grown. A damaged file
 * counts as far as it goes, and one that is gone does no more change what was read.
 *
 * \return MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_live_process_look(struct mwa_live_process *process) MW_MUST_CHECK;

/* Whether it runs on this host at this moment. */
bool mwa_live_process_lives(const struct mwa_live_process *process);

/* What is known of a communicator, for who is told it; name may be "". \return MW_OK;
 * MW_ERROR_MEMORY, also if number is too large. */
enum mw_status mwa_live_process_comm(struct mwa_live_process *process, uint32_t number,
                                     const char *name, unsigned call,
                                     uint32_t sequence) MW_MUST_CHECK;

/* The enum mw_call of a record's call, MW_CALL_COUNT if the site is not known. */
unsigned mwa_live_process_call(const struct mwa_live_process *process, unsigned code);

/* A zeroed one is fine. */
void mwa_live_process_fini(struct mwa_live_process *process);

#endif
