#ifndef MWA_TEAM_TEAM_H
#define MWA_TEAM_TEAM_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/archive/transport.h"
#include "formats/base/buffer.h"
#include "formats/base/status.h"

/*
 * The processes that read one archive together, started by mpirun or its like. What they tell each
 * other are plain bytes of this build of the program: whoever begins makes sure that all are of it
 * and have read the same definitions (mwa_team_compare). Everything here but mwa_team_is_first is
 * collective: all call the same functions in the same order, also those that have failed. Who
 * waits sleeps. For the main thread.
 *
 * A process that is killed takes the others with it by the launcher, as with any program of MPI.
 */

struct mwa_team {
    struct mw_transport transport;
    void (*await)(struct mw_transport *transport); /* sleeps until all are here; null: not needed */
    void (*end)(struct mw_transport *transport);
};

static inline bool mwa_team_is_first(const struct mwa_team *team)
{
    return team->transport.rank == 0;
}

/*
 * Whether all came so far: status is the process's own, place where it failed (the least counts;
 * among equals the lowest process).
 *
 * \return MW_OK on all or on none. On the first process the status of who counts, with its
 * diagnostic; on the others any.
 */
enum mw_status mwa_team_agree(const struct mwa_team *team, enum mw_status status, uint64_t place,
                              struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Whether number is the same on all: what says that it is not. \return as mwa_team_agree. */
enum mw_status mwa_team_compare(const struct mwa_team *team, uint64_t number, const char *what,
                                struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Gives the first process what each of the others has packed, in their order, one at a time: take
 * is called there with the bytes of each, and what it returns other than MW_OK ends the calls, but
 * not what is collective. packed that has failed is MW_ERROR_MEMORY on all, and MW_ERROR_SYSTEM if
 * what was to be packed could not be read.
 *
 * \return MW_OK; MW_ERROR_MEMORY; MW_ERROR_SYSTEM; MW_ERROR_MPI; on the first process what take
 * returned.
 */
enum mw_status mwa_team_give(const struct mwa_team *team, const struct mw_buffer *packed,
                             enum mw_status (*take)(void *user, struct mw_cursor *from),
                             void *user, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Gives the first process what giver, another one, has packed: take is called there. packed of the
 * others has nothing. Returns as mwa_team_give.
 */
enum mw_status mwa_team_give_one(const struct mwa_team *team, uint32_t giver,
                                 const struct mw_buffer *packed,
                                 enum mw_status (*take)(void *user, struct mw_cursor *from),
                                 void *user, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Gives the bytes that the first process has to all others, which have none. MW_OK, MW_ERROR_MPI,
 * MW_ERROR_MEMORY, which told failing is, too: on all. */
enum mw_status mwa_team_tell(const struct mwa_team *team, struct mw_buffer *told,
                             struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* *any: whether one has mine. MW_OK, MW_ERROR_MPI. */
enum mw_status mwa_team_any(const struct mwa_team *team, bool mine, bool *any,
                            struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Each has count flags (0, 1), and gets instead of each whether a lower process had it. MW_OK;
 * MW_ERROR_MEMORY, MW_ERROR_MPI on all.
 */
enum mw_status mwa_team_before(const struct mwa_team *team, uint8_t *flags, uint64_t count,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Sleeps until all have called it. */
void mwa_team_await(const struct mwa_team *team);

/* All are through with each other. */
void mwa_team_end(struct mwa_team *team);

#endif
