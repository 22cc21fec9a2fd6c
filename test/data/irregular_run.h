#ifndef MW_TEST_DATA_IRREGULAR_RUN_H
#define MW_TEST_DATA_IRREGULAR_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "test/data/maker.h"

/*
 * A run that make_irregular writes, which knows how far each of its ranks is and what of it was
 * lost. Times are multiples of 10.
 */

#define RUN_RANKS_MOST 27u
#define RUN_BEGIN      100u  /* MPI_Init has been left */
#define RUN_BYTES      1024u /* of each message */

enum loss { LOSS_NONE, LOSS_HOLE, LOSS_TAIL, LOSS_HEAD, LOSS_FILTER, LOSSES };

struct run {
    struct maker *maker;
    uint32_t ranks;
    uint32_t threads;
    uint64_t length; /* about: losses go by it */
    enum loss loss;
    bool probes; /* some receives are probed for first */
    uint64_t at[RUN_RANKS_MOST]; /* how far each rank is */
    uint64_t random;
};

/* A random number between 10 and 10 * most, in tens. */
uint64_t run_some(struct run *run, uint64_t most);

/* Whether what rank did at time, a receive or not, was recorded and is left. */
bool run_keeps(const struct run *run, uint32_t rank, uint64_t time, bool is_receive);

/* Of rank's first thread. */
OTF2_EvtWriter *run_writer(const struct run *run, uint32_t rank);

/* Calls that block, from enter to leave (a send: for 10), if they are kept; no rank is further by
 * them. */
void run_send(const struct run *run, uint32_t rank, uint64_t enter, uint32_t to, uint32_t tag);
void run_receive(const struct run *run, uint32_t rank, uint64_t enter, uint64_t leave,
                 uint32_t from, uint32_t tag);

/* The same of one of rank's threads. */
void run_receive_in(const struct run *run, uint32_t rank, uint32_t thread, uint64_t enter,
                    uint64_t leave, uint32_t from, uint32_t tag);

/* A collective of the members, which are as far then as they leave it: behind the last one that
 * comes; with a root, a position among them (else UINT32_MAX), behind that, which waits for nobody.
 */
void run_meet(struct run *run, const struct maker_part *part, const uint64_t *members,
              uint32_t count, uint32_t root);

/* Of two times the later one. */
static inline uint64_t later(uint64_t one, uint64_t other)
{
    return one > other ? one : other;
}

#endif
