#include "analyzer/load/joint_comms.h"

#include <string.h>

#include "analyzer/load/joint_meetings.h"
#include "formats/base/index_table.h"

/* What a key of the map leads to: a communicator of a part. */
static uint64_t value_of(uint32_t part, uint32_t comm)
{
    return (uint64_t)part << 32 | comm;
}

/* Several have the key, so that it says nothing. */
#define SEVERAL (MWA_MAP_ABSENT - 1)

/* Enters a communicator under key; false without memory. */
static bool enter(struct mwa_map *map, struct mwa_key key, uint32_t part, uint32_t comm)
{
    const uint64_t value = value_of(part, comm);
    uint64_t *place = mwa_map_put(map, key, value);

    if (place && *place != value) {
        *place = SEVERAL;
    }
    return place != NULL;
}

static bool is_spawn(const struct mwa_comm *comm)
{
    return comm->created_by && strncmp(comm->created_by, "MPI_Comm_spawn", 14) == 0;
}

/* Whether the members are known, or unknown, from the first to the last. */
static bool are_all(const uint32_t *members, uint32_t count, bool known)
{
    for (uint32_t i = 0; i < count; i++) {
        if ((members[i] != MWA_NONE) != known) {
            return false;
        }
    }
    return true;
}

/* The own group of an inter-communicator has its own members, the other one none. */
static bool is_half(const struct mwa_comm *comm)
{
    return comm->members[0] && comm->members[1] &&
           are_all(comm->members[0], comm->member_counts[0], true) &&
           are_all(comm->members[1], comm->member_counts[1], false);
}

bool mwa_joint_complement(const struct mwa_comm *a, const struct mwa_comm *b)
{
    if (!a->other_job || !b->other_job || a->inter != b->inter) {
        return false;
    }
    if (a->inter) {
        return is_half(a) && is_half(b) && a->member_counts[0] == b->member_counts[1] &&
               a->member_counts[1] == b->member_counts[0];
    }
    if (!a->members[0] || !b->members[0] || a->member_counts[0] != b->member_counts[0]) {
        return false;
    }
    for (uint32_t i = 0; i < a->member_counts[0]; i++) {
        if ((a->members[0][i] == MWA_NONE) == (b->members[0][i] == MWA_NONE)) {
            return false;
        }
    }
    return true;
}

/* Makes the communicator and what value leads to one, if they can be. */
static void pair(struct mwa_meeting_part *parts, uint32_t part, uint32_t comm, uint64_t value)
{
    const uint32_t other = (uint32_t)(value >> 32);
    const uint32_t at = (uint32_t)value;

    if (value == MWA_MAP_ABSENT || value == SEVERAL || other == part ||
        parts[part].partners[comm].part != MWA_NONE ||
        parts[other].partners[at].part != MWA_NONE ||
        !mwa_joint_complement(&parts[part].trace->comms[comm], &parts[other].trace->comms[at])) {
        return;
    }
    parts[part].partners[comm] = (struct mwa_partner){ other, at };
    parts[other].partners[at] = (struct mwa_partner){ part, comm };
}

/* --- spawns ----------------------------------------------------------------------------- */

static struct mwa_key key_of_uid(const char *uid)
{
    const uint64_t hash = mw_hash_bytes(MW_HASH_START, uid, strlen(uid));

    return (struct mwa_key){ hash, mw_hash_bytes(hash, uid, strlen(uid)) };
}

/* The job that was spawned has the communicator by the identity that the spawn told it. */
static enum mw_status pair_spawns(struct mwa_meeting_part *parts, uint32_t count,
                                  struct mwa_map *by_uid)
{
    for (uint32_t part = 0; part < count; part++) {
        const struct mwa_trace *trace = parts[part].trace;

        for (uint32_t i = 0; i < trace->comm_count; i++) {
            const struct mwa_comm *comm = &trace->comms[i];

            if (comm->other_job && comm->inter && comm->uid && is_spawn(comm) &&
                !enter(by_uid, key_of_uid(comm->uid), part, i)) {
                return MW_ERROR_MEMORY;
            }
        }
    }
    for (uint32_t part = 0; part < count; part++) {
        const struct mwa_trace *trace = parts[part].trace;

        for (uint32_t i = 0; i < trace->comm_count; i++) {
            const struct mwa_comm *comm = &trace->comms[i];

            if (comm->other_job && comm->inter && comm->uid && comm->predefined) {
                pair(parts, part, i, mwa_map_get(by_uid, key_of_uid(comm->uid)));
            }
        }
    }
    return MW_OK;
}

/* --- what was made of them -------------------------------------------------------------- */

/* The sequence is of all creations on the parent, but a split makes several by one. */
static struct mwa_key key_of_creation(uint32_t part, uint32_t parent, uint64_t sequence)
{
    return (struct mwa_key){ value_of(part, parent), sequence };
}

static bool is_made_of_another(const struct mwa_comm *comm)
{
    return comm->other_job && comm->parent != MWA_NONE && comm->created_by &&
           comm->sequence != UINT64_MAX && !is_spawn(comm);
}

static enum mw_status enter_creations(struct mwa_meeting_part *parts, uint32_t count,
                                      struct mwa_map *by_creation)
{
    for (uint32_t part = 0; part < count; part++) {
        const struct mwa_trace *trace = parts[part].trace;

        for (uint32_t i = 0; i < trace->comm_count; i++) {
            const struct mwa_comm *comm = &trace->comms[i];

            if (is_made_of_another(comm) &&
                !enter(by_creation, key_of_creation(part, comm->parent, comm->sequence), part,
                       i)) {
                return MW_ERROR_MEMORY;
            }
        }
    }
    return MW_OK;
}

/* Parents come first, so that one pass finds what was made of what was made. */
static enum mw_status pair_made(struct mwa_meeting_part *parts, uint32_t count,
                                struct mwa_map *by_creation)
{
    const enum mw_status status = enter_creations(parts, count, by_creation);

    for (uint32_t part = 0; part < count && status == MW_OK; part++) {
        const struct mwa_trace *trace = parts[part].trace;

        for (uint32_t i = 0; i < trace->comm_count; i++) {
            const struct mwa_comm *comm = &trace->comms[i];
            const struct mwa_partner *parent =
                is_made_of_another(comm) ? &parts[part].partners[comm->parent] : NULL;
            uint64_t value = MWA_MAP_ABSENT;

            if (parent && parent->part != MWA_NONE &&
                mwa_map_get(by_creation, key_of_creation(part, comm->parent, comm->sequence)) ==
                    value_of(part, i)) {
                value = mwa_map_get(by_creation, key_of_creation(parent->part, parent->comm,
                                                                 comm->sequence));
            }
            if (value < SEVERAL && strcmp(comm->created_by, parts[value >> 32].trace
                                          ->comms[(uint32_t)value].created_by) == 0) {
                pair(parts, part, i, value);
            }
        }
    }
    return status;
}

enum mw_status mwa_joint_comms_find(struct mwa_meeting_part *parts, uint32_t count)
{
    struct mwa_map by_uid = { 0 };
    struct mwa_map by_creation = { 0 };
    enum mw_status status;

    for (uint32_t part = 0; part < count; part++) {
        for (uint64_t i = 0; i < parts[part].trace->comm_count; i++) {
            parts[part].partners[i] = (struct mwa_partner){ MWA_NONE, MWA_NONE };
        }
    }
    status = pair_spawns(parts, count, &by_uid);
    if (status == MW_OK) {
        status = mwa_joint_meetings_pair(parts, count);
    }
    if (status == MW_OK) {
        status = pair_made(parts, count, &by_creation);
    }
    mwa_map_fini(&by_uid);
    mwa_map_fini(&by_creation);
    return status;
}
