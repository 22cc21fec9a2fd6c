#include "formats/merge/merge_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"
#include "formats/spool/record.h"

/* A default name that is longer is not carried on to the names of children. */
#define PARENT_NAME_MAX 200u
#define DEFAULT_NAME_MAX 320u

/* --- given names -------------------------------------------------------------- */

static uint64_t name_hash(const struct mw_merged_name *name)
{
    uint64_t hash = mw_hash_bytes(MW_HASH_START, &name->comm, sizeof name->comm);

    hash = mw_hash_bytes(hash, &name->source, sizeof name->source);
    return mw_hash_bytes(hash, name->name, strlen(name->name));
}

static bool name_is(const void *context, uint32_t index, const void *key)
{
    const struct mw_merged_name *name = &((const struct mw_merged_name *)context)[index];
    const struct mw_merged_name *given = key;

    return name->comm == given->comm && name->source == given->source &&
           strcmp(name->name, given->name) == 0;
}

/* Puts the name at the end of its communicator's chain. */
static void chain_name(struct mw_merged *merged, uint32_t index)
{
    struct mw_merged_comm *comm = &merged->comms[merged->names[index].comm];

    if (comm->first_name == MW_MERGED_NONE) {
        comm->first_name = index;
    } else {
        merged->names[comm->last_name].next = index;
    }
    comm->last_name = index;
}

bool mw_merge_name(struct mw_merged *merged, const struct mw_merged_name *given)
{
    uint64_t hash = name_hash(given);
    uint32_t known = mw_index_find(&merged->by_name, hash, name_is, merged->names, given);
    uint32_t count = merged->name_count;

    if (known != MW_INDEX_NONE && merged->names[known].rank != given->rank) {
        return true;
    }
    if (!mw_array_grow((void **)&merged->names, count, sizeof *merged->names)) {
        return false;
    }
    merged->names[merged->name_count++] = *given;
    chain_name(merged, count);
    return known != MW_INDEX_NONE || mw_index_add(&merged->by_name, hash, count);
}

/*
 * The last name that came from source, by the first process that gave any: times of
 * different processes are not compared.
 */
static const char *last_name(const struct mw_merged *merged, const struct mw_merged_comm *comm,
                             uint32_t source)
{
    const struct mw_merged_name *last = NULL;

    for (uint32_t i = comm->first_name; i != MW_MERGED_NONE; i = merged->names[i].next) {
        const struct mw_merged_name *name = &merged->names[i];

        if (name->source == source && (!last || name->rank == last->rank)) {
            last = name;
        }
    }
    return last && last->name[0] ? last->name : NULL;
}

/* --- default names --------------------------------------------------------------- */

static bool same_creation(const void *context, uint32_t index, const void *key)
{
    const struct mw_merged_comm *left = &((const struct mw_merged_comm *)context)[index];
    const struct mw_merged_comm *right = key;

    return left->parent == right->parent && left->call == right->call &&
           left->sequence == right->sequence;
}

/* Marks the communicators that came from one call, as the parts of a split do. */
static bool find_pieces(struct mw_merged *merged)
{
    struct mw_index_table creations = {0};
    bool enough = true;

    for (uint32_t id = MW_COMM_SELF + 1; enough && id < merged->comm_count; id++) {
        struct mw_merged_comm *comm = &merged->comms[id];
        uint32_t key[] = {comm->parent, comm->call, comm->sequence};
        uint64_t hash = mw_hash_bytes(MW_HASH_START, key, sizeof key);
        uint32_t other = mw_index_find(&creations, hash, same_creation, merged->comms, comm);

        if (other == MW_INDEX_NONE) {
            enough = mw_index_add(&creations, hash, id);
        } else {
            merged->comms[other].is_piece = true;
            comm->is_piece = true;
        }
    }
    mw_index_fini(&creations);
    return enough;
}

/* "MPI_COMM_WORLD/split#3", and for one of several pieces "MPI_COMM_WORLD/split#3.4". */
static void derived_name(const struct mw_merged *merged, uint32_t id, char *text, size_t room)
{
    const struct mw_merged_comm *comm = &merged->comms[id];
    const char *parent = comm->parent < id ? merged->comms[comm->parent].default_name : "?";
    char number[24];
    char call[64];
    int length;

    mw_call_short_name(comm->call, call, sizeof call);
    if (strlen(parent) > PARENT_NAME_MAX) {
        snprintf(number, sizeof number, "@%" PRIu32, comm->parent);
        parent = number;
    }
    length = snprintf(text, room, "%s/%s#%" PRIu32, parent, call, comm->sequence);
    if (comm->is_piece && mw_members_at(&comm->sides[0].members, 0) != MW_MERGED_NONE) {
        snprintf(text + length, room - (size_t)length, ".%" PRIu32,
                 mw_members_at(&comm->sides[0].members, 0));
    } else if (comm->is_piece) {
        snprintf(text + length, room - (size_t)length, ".@%" PRIu32, id);
    }
}

static bool has_default_name(const void *context, uint32_t index, const void *key)
{
    return strcmp(((const struct mw_merged_comm *)context)[index].default_name, key) == 0;
}

/*
 * Makes the name of communicator id unique: only tags tell apart what MPI_Intercomm_create or
 * MPI_Comm_create_from_group make. taken has the ids of those before, by name.
 */
static bool make_unique(const struct mw_merged *merged, uint32_t id, char *text, size_t room,
                        struct mw_index_table *taken)
{
    size_t length = strlen(text);
    uint64_t hash = mw_hash_bytes(MW_HASH_START, text, length);

    if (mw_index_find(taken, hash, has_default_name, merged->comms, text) == MW_INDEX_NONE) {
        return mw_index_add(taken, hash, id);
    }
    snprintf(text + length, room - length, "@%" PRIu32, id);
    return true;
}

static bool make_default_name(struct mw_merged *merged, uint32_t id, struct mw_index_table *taken)
{
    struct mw_merged_comm *comm = &merged->comms[id];
    char text[DEFAULT_NAME_MAX];

    if (id == MW_COMM_WORLD) {
        snprintf(text, sizeof text, "MPI_COMM_WORLD");
    } else if (comm->is_self) {
        snprintf(text, sizeof text, "MPI_COMM_SELF");
    } else if (comm->flags & MW_COMM_PREDEFINED) {
        snprintf(text, sizeof text, "MPI_COMM_PARENT");
    } else if (comm->flags & MW_COMM_FOREIGN) {
        snprintf(text, sizeof text, "foreign@%" PRIu32, id);
    } else {
        derived_name(merged, id, text, sizeof text);
    }
    if (!make_unique(merged, id, text, sizeof text, taken)) {
        return false;
    }
    comm->default_name = strdup(text);
    return comm->default_name != NULL;
}

static bool make_default_names(struct mw_merged *merged)
{
    struct mw_index_table taken = {0};
    bool made = true;

    for (uint32_t id = 0; made && id < merged->comm_count; id++) {
        made = make_default_name(merged, id, &taken);
    }
    mw_index_fini(&taken);
    return made;
}

bool mw_merge_choose_names(struct mw_merged *merged)
{
    if (!find_pieces(merged) || !make_default_names(merged)) {
        return false;
    }
    for (uint32_t id = 0; id < merged->comm_count; id++) {
        struct mw_merged_comm *comm = &merged->comms[id];

        comm->name = last_name(merged, comm, MW_NAME_REGISTERED);
        if (!comm->name || strcmp(comm->name, comm->default_name) == 0) {
            comm->name = last_name(merged, comm, MW_NAME_MPI);
        }
        if (!comm->name) {
            comm->name = comm->default_name;
        }
    }
    return true;
}
