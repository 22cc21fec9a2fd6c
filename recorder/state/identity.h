#ifndef MWR_STATE_IDENTITY_H
#define MWR_STATE_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/spool/definition.h"
#include "recorder/dispatch/mpi_header.h"

/*
 * What identities of communicators are computed from: a hash, and the groups of a
 * communicator in terms of ranks in MPI_COMM_WORLD. Everything here is local.
 */

/* First words of identities that come from no creating call. */
#define MWR_KIND_WORLD 0x10000u
#define MWR_KIND_SELF 0x10001u
#define MWR_KIND_FOREIGN 0x10002u
#define MWR_KIND_PARENT 0x10003u
#define MWR_KIND_SPAWN 0x10004u
#define MWR_KIND_MEETING 0x10005u

/* The world rank of a process that is not in this MPI_COMM_WORLD. */
#define MWR_RANK_ELSEWHERE UINT32_MAX

/* A 128-bit hash of count words; never all zero. */
struct mw_uid mwr_identity(const uint64_t *words, size_t count);

/* A hash of a text. */
uint64_t mwr_identity_of_text(const char *text);

/*
 * How often, this time included, the process has asked with this key and kind: calls
 * that nothing else tells apart are numbered by it. Thread-safe. 0 when there is no
 * memory.
 */
uint32_t mwr_identity_repeat(struct mw_uid key, uint64_t kind);

struct mwr_groups {
    bool is_inter;
    uint32_t rank; /* own, in the local group */
    uint32_t size;
    uint32_t remote_size;
    uint32_t leader;        /* world rank of member 0 */
    uint32_t remote_leader; /* the same of the remote group */
    uint32_t teller;        /* who tells the local members: the first that is of this job */
    bool spans_jobs;        /* some members that were looked at are of another job */
    uint32_t *members;      /* world ranks of the local group: all of them, or just the leader */
    struct mw_uid local_hash; /* of all members; none where they were not looked at */
    struct mw_uid remote_hash;
};

/*
 * Looks a communicator's groups up: all members of the local group if is_whole is set,
 * and anyway on its rank 0 and for inter-communicators, else just its leader.
 * mwr_groups_fini is to be called whatever comes back.
 *
 * \return MW_OK, MW_ERROR_MEMORY, MW_ERROR_MPI.
 */
enum mw_status mwr_groups_init(struct mwr_groups *groups, MPI_Comm handle,
                               bool is_whole) MW_MUST_CHECK;
void mwr_groups_fini(struct mwr_groups *groups);

/* A number that is the same on both sides: of member 0, or of the unordered pair of them. */
uint64_t mwr_groups_leaders(const struct mwr_groups *groups);

/* The identity of the unordered pair of groups of an inter-communicator. */
struct mw_uid mwr_groups_pair(const struct mwr_groups *groups);

/*
 * The identity of what the groups of an inter-communicator make by call and tag, which both compute
 * alike; *sequence: how many there were.
 */
struct mw_uid mwr_groups_meeting(const struct mwr_groups *groups, unsigned call, int tag,
                                 uint32_t *sequence);

/* Whether two parts of one job have met by a port or a socket, in call: their parents differ. */
bool mwr_groups_meet_within_job(const struct mwr_groups *groups, unsigned call);

/* The identity of a group, by the world ranks of its members in order. */
enum mw_status mwr_group_identity(MPI_Group group, struct mw_uid *identity) MW_MUST_CHECK;

#endif
