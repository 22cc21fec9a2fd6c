#ifndef MWA_LIVE_LIVE_WORDS_H
#define MWA_LIVE_LIVE_WORDS_H

#include <stdio.h>

#include "analyzer/live/live.h"

/* What a thread does at this moment, in words. */

enum mwa_live_state {
    MWA_LIVE_COMPUTING, /* outside of MPI */
    MWA_LIVE_IN_MPI,
    MWA_LIVE_PAUSED,    /* recording is */
    MWA_LIVE_ENDED,     /* the thread has, or the process told its end */
    MWA_LIVE_GONE,      /* the process has, without a word */
    MWA_LIVE_ELSEWHERE, /* on another host: what its spool says may be old */
    MWA_LIVE_STATES
};

enum mwa_live_state mwa_live_state(const struct mwa_live *live,
                                   const struct mwa_live_thread *thread);

/* "computing", "MPI", "paused", "ended", "gone", "elsewhere": the word of JSON. */
const char *mwa_live_state_name(enum mwa_live_state state);

/* The name of a communicator of the thread's process, in text of size bytes; returns text. */
const char *mwa_live_comm_name(const struct mwa_live *live, const struct mwa_live_thread *thread,
                               uint32_t comm, char *text, size_t size);

/* The name of the call that it is in, or null. */
const char *mwa_live_call_name(const struct mwa_live *live, const struct mwa_live_thread *thread);

/* "computing", "MPI_Recv from 1 (tag 7, MPI_COMM_WORLD)"; returns text of size bytes, clean. */
const char *mwa_live_words(const struct mwa_live *live, const struct mwa_live_thread *thread,
                           char *text, size_t size);

#endif
