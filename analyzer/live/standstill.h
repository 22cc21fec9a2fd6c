#ifndef MWA_LIVE_STANDSTILL_H
#define MWA_LIVE_STANDSTILL_H

#include "analyzer/live/live.h"

/*
 * Whether a run goes on: a message, a request, a collective operation or another one on
 * communicators, windows and files is complete; or a process has used its processor, or read and
 * written files, outside of MPI. Polls that find nothing are no progress, nor is it if the
 * processor is used for less than 0.1 ms between two of them. One thread at a time.
 */

struct mwa_standstill_process;
struct mwa_standstill_thread;

struct mwa_standstill {
    struct mwa_standstill_process *processes;
    struct mwa_standstill_thread *threads;
    uint32_t process_count;
    uint32_t thread_count;
    bool is_stopped; /* at the last look a process was, by a signal or a debugger */
};

enum mwa_standstill_change {
    MWA_STANDSTILL_MOVED, /* or this was the first look, or nobody knows */
    MWA_STANDSTILL_NONE
};

/*
 * What has changed between the two latest looks of mwa_live_look at which this was called. *change
 * has a meaning with MW_OK. \return MW_OK; MW_ERROR_MEMORY.
 */
enum mw_status mwa_standstill_look(struct mwa_standstill *still, const struct mwa_live *live,
                                   enum mwa_standstill_change *change) MW_MUST_CHECK;

/* A zeroed one is fine. */
void mwa_standstill_fini(struct mwa_standstill *still);

#endif
