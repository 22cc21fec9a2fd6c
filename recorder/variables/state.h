#ifndef MWR_VARIABLES_STATE_H
#define MWR_VARIABLES_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "recorder/variables/bound.h"
#include "recorder/variables/pvars.h"
#include "recorder/variables/rounds.h"
#include "recorder/variables/schedule.h"

/*
 * What the parts of recorder/variables share: variables.c begins and ends it, following.c
 * keeps the objects, sampling.c reads. Changed with the lock held, and in the hot path
 * without it while only one thread can come there (is_shared is false).
 */
struct mwr_variables {
    bool has_mpi_t;
    bool has_begun; /* sums of what is bound begin at once */
    bool is_shared; /* several threads may come here */
    bool is_asked;  /* one left a call while another one held the lock; by atomics */
    struct mwr_pvars pvars;
    struct mwr_schedule schedule;
    bool is_simple; /* at exit of every call, and no other time */
    struct mwr_rounds rounds;
    struct mwr_bound_list bound;
    bool may_wait;    /* objects may (following.c) */
    uint32_t waiting; /* of bound's */
    uint64_t ordinal; /* of the call, for calls=N */
    pthread_mutex_t lock;
};

extern struct mwr_variables mwr_variables __attribute__((visibility("hidden")));

/* Sets and clears bits of mwr_sampling. */
void mwr_sampling_set(uint32_t set, uint32_t clear);

/* Binds the variables from first on, which are new, to all there is. Lock held. */
void mwr_variables_bind(uint32_t first);

/* Binds what is wanted of the objects that wait. Lock held. */
void mwr_variables_bind_waiting(void);

/* The same for those that have appeared in the MPI since the last look. Lock held. */
void mwr_variables_look_again(void);

/*
 * Whether this thread may write samples between calls: it records, makes no call at this
 * moment, and no other thread can be in the hot path meanwhile.
 */
bool mwr_variables_is_between_calls(void);

/* Takes one sample in the sampler's thread. */
void mwr_variables_sample_by_thread(void);

#endif
