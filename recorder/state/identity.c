#include "recorder/state/identity.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/dispatch/chain.h"
#include "recorder/recorder.h"

/* The finalizer of splitmix64 (Steele, Lea, Flood 2014): every bit affects every other. */
static uint64_t mix(uint64_t value)
{
    value ^= value >> 30;
    value *= 0xbf58476d1ce4e5b9u;
    value ^= value >> 27;
    value *= 0x94d049bb133111ebu;
    return value ^ value >> 31;
}

struct mw_uid mwr_identity(const uint64_t *words, size_t count)
{
    struct mw_uid uid = {.high = 0x9e3779b97f4a7c15u ^ count, .low = 0xd1b54a32d192ed03u ^ count};

    for (size_t i = 0; i < count; i++) {
        uid.high = mix(uid.high + words[i]);
        uid.low = mix((uid.low ^ words[i]) * 0x2545f4914f6cdd1du + i);
    }
    if (mw_uid_is_none(uid)) {
        uid.low = 1;
    }
    return uid;
}

uint64_t mwr_identity_of_text(const char *text)
{
    uint64_t hash = 0;

    for (; *text; text++) {
        hash = mix(hash * 256 + (unsigned char)*text);
    }
    return hash;
}

/* --- repetitions ------------------------------------------------------------- */

struct repetition {
    struct mw_uid key;
    uint64_t kind;
    uint32_t count;
};

/* All under repetition_lock. */
static struct repetition *repetitions;
static size_t repetition_capacity;
static size_t repetition_count;
static pthread_mutex_t repetition_lock = PTHREAD_MUTEX_INITIALIZER;

static struct repetition *find_repetition(struct repetition *table, size_t capacity,
                                          struct mw_uid key, uint64_t kind)
{
    size_t at = (size_t)(key.low ^ kind) & (capacity - 1);

    while (table[at].count > 0 &&
           !(mw_uid_equal(table[at].key, key) && table[at].kind == kind)) {
        at = (at + 1) & (capacity - 1);
    }
    return &table[at];
}

/* Makes room for one more; repetition_lock is held. */
static bool grow_repetitions(void)
{
    size_t capacity = repetition_capacity > 0 ? repetition_capacity * 2 : 64;
    struct repetition *grown;

    if ((repetition_count + 1) * 2 <= repetition_capacity) {
        return true;
    }
    grown = calloc(capacity, sizeof *grown);
    if (!grown) {
        return false;
    }
    for (size_t i = 0; i < repetition_capacity; i++) {
        if (repetitions[i].count > 0) {
            *find_repetition(grown, capacity, repetitions[i].key, repetitions[i].kind) =
                repetitions[i];
        }
    }
    free(repetitions);
    repetitions = grown;
    repetition_capacity = capacity;
    return true;
}

uint32_t mwr_identity_repeat(struct mw_uid key, uint64_t kind)
{
    uint32_t count = 0;

    pthread_mutex_lock(&repetition_lock);
    if (grow_repetitions()) {
        struct repetition *found =
            find_repetition(repetitions, repetition_capacity, key, kind);

        if (found->count == 0) {
            found->key = key;
            found->kind = kind;
            repetition_count++;
        }
        count = ++found->count;
    }
    pthread_mutex_unlock(&repetition_lock);
    return count;
}

/* --- groups -------------------------------------------------------------------- */

/* The group of all processes; to be freed unless it is the recorder's. */
static int world_group(MPI_Group *world)
{
    *world = mwr_recorder.world;
    return *world != MPI_GROUP_NULL ? MPI_SUCCESS : MWR_PMPI(Comm_group)(MPI_COMM_WORLD, world);
}

/*
 * World ranks of the first count members of group, to be freed; null: no memory, or
 * MPI failed.
 */
static uint32_t *world_ranks(MPI_Group group, int count)
{
    int *ranks = calloc((size_t)count + 1, 2 * sizeof *ranks);
    MPI_Group world;
    int result;

    if (!ranks) {
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        ranks[i] = i;
    }
    result = world_group(&world);
    if (result == MPI_SUCCESS) {
        result = MWR_PMPI(Group_translate_ranks)(group, count, ranks, world, ranks + count);
    }
    if (result == MPI_SUCCESS && world != mwr_recorder.world) {
        MWR_PMPI(Group_free)(&world);
    }
    if (result != MPI_SUCCESS) {
        free(ranks);
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        ranks[i] = ranks[count + i] == MPI_UNDEFINED ? -1 : ranks[count + i];
    }
    return (uint32_t *)ranks;
}

static struct mw_uid hash_ranks(const uint32_t *ranks, uint32_t count)
{
    struct mw_uid hash = mwr_identity(&(uint64_t){count}, 1);

    for (uint32_t i = 0; i < count; i++) {
        uint64_t words[] = {hash.high, hash.low, ranks[i]};

        hash = mwr_identity(words, 3);
    }
    return hash;
}

/*
 * Looks at one group of a communicator: its leader, and with is_whole all members and
 * their hash. *members is to be freed.
 */
static enum mw_status look_at_group(MPI_Group group, bool is_whole, uint32_t *leader,
                                    uint32_t **members, struct mw_uid *hash)
{
    int size = 0;
    uint32_t *ranks;

    if (MWR_PMPI(Group_size)(group, &size) != MPI_SUCCESS || size < 1) {
        return MW_ERROR_MPI;
    }
    ranks = world_ranks(group, is_whole ? size : 1);
    if (!ranks) {
        return MW_ERROR_MEMORY;
    }
    *leader = ranks[0];
    if (is_whole) {
        *hash = hash_ranks(ranks, (uint32_t)size);
    }
    *members = ranks;
    return MW_OK;
}

/* Notes which of members are of another job: as many as were looked at. */
static void look_for_others(struct mwr_groups *groups, const uint32_t *members, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        groups->spans_jobs |= members[i] == MWR_RANK_ELSEWHERE;
    }
}

static enum mw_status look_at_local(struct mwr_groups *groups, MPI_Comm handle, bool is_whole)
{
    bool looks = is_whole || groups->rank == 0 || groups->is_inter;
    MPI_Group group;
    enum mw_status status;

    if (MWR_PMPI(Comm_group)(handle, &group) != MPI_SUCCESS) {
        return MW_ERROR_MPI;
    }
    status = look_at_group(group, looks, &groups->leader, &groups->members, &groups->local_hash);
    /* Where member 0 is of another job, someone of this one has to tell the others. */
    if (status == MW_OK && !looks && groups->leader == MWR_RANK_ELSEWHERE) {
        looks = true;
        free(groups->members);
        groups->members = NULL;
        status = look_at_group(group, true, &groups->leader, &groups->members,
                               &groups->local_hash);
    }
    if (status == MW_OK && looks) {
        look_for_others(groups, groups->members, groups->size);
        while (groups->teller + 1 < groups->size &&
               groups->members[groups->teller] == MWR_RANK_ELSEWHERE) {
            groups->teller++;
        }
    }
    MWR_PMPI(Group_free)(&group);
    return status;
}

static enum mw_status look_at_remote(struct mwr_groups *groups, MPI_Comm handle)
{
    uint32_t *members = NULL;
    MPI_Group group;
    enum mw_status status;

    if (MWR_PMPI(Comm_remote_group)(handle, &group) != MPI_SUCCESS) {
        return MW_ERROR_MPI;
    }
    status = look_at_group(group, true, &groups->remote_leader, &members, &groups->remote_hash);
    if (status == MW_OK) {
        look_for_others(groups, members, groups->remote_size);
    }
    MWR_PMPI(Group_free)(&group);
    free(members);
    return status;
}

enum mw_status mwr_groups_init(struct mwr_groups *groups, MPI_Comm handle, bool is_whole)
{
    int is_inter = 0;
    int rank = 0;
    int size = 0;
    int remote_size = 0;
    enum mw_status status;

    memset(groups, 0, sizeof *groups);
    if (MWR_PMPI(Comm_test_inter)(handle, &is_inter) != MPI_SUCCESS ||
        MWR_PMPI(Comm_rank)(handle, &rank) != MPI_SUCCESS ||
        MWR_PMPI(Comm_size)(handle, &size) != MPI_SUCCESS ||
        (is_inter && MWR_PMPI(Comm_remote_size)(handle, &remote_size) != MPI_SUCCESS)) {
        return MW_ERROR_MPI;
    }
    groups->is_inter = is_inter;
    groups->rank = (uint32_t)rank;
    groups->size = (uint32_t)size;
    groups->remote_size = (uint32_t)remote_size;
    status = look_at_local(groups, handle, is_whole);
    if (status == MW_OK && groups->is_inter) {
        status = look_at_remote(groups, handle);
    }
    return status;
}

void mwr_groups_fini(struct mwr_groups *groups)
{
    free(groups->members);
    groups->members = NULL;
}

uint64_t mwr_groups_leaders(const struct mwr_groups *groups)
{
    uint32_t low = groups->leader;
    uint32_t high = groups->remote_leader;

    if (!groups->is_inter) {
        return groups->leader;
    }
    return low < high ? (uint64_t)high << 32 | low : (uint64_t)low << 32 | high;
}

struct mw_uid mwr_groups_pair(const struct mwr_groups *groups)
{
    struct mw_uid a = groups->local_hash;
    struct mw_uid b = groups->remote_hash;
    bool is_ordered = a.high < b.high || (a.high == b.high && a.low <= b.low);
    struct mw_uid first = is_ordered ? a : b;
    struct mw_uid second = is_ordered ? b : a;
    uint64_t words[] = {first.high, first.low, second.high, second.low};

    return mwr_identity(words, 4);
}

struct mw_uid mwr_groups_meeting(const struct mwr_groups *groups, unsigned call, int tag,
                                 uint32_t *sequence)
{
    struct mw_uid pair = mwr_groups_pair(groups);
    uint64_t words[] = {call, pair.high, pair.low, (uint64_t)(int64_t)tag, 0};

    *sequence = mwr_identity_repeat(mwr_identity(words, 4), call);
    words[4] = *sequence;
    return mwr_identity(words, 5);
}

bool mwr_groups_meet_within_job(const struct mwr_groups *groups, unsigned call)
{
    return groups->is_inter && !groups->spans_jobs &&
           (call == MW_CALL_MPI_Comm_accept || call == MW_CALL_MPI_Comm_connect ||
            call == MW_CALL_MPI_Comm_join);
}

enum mw_status mwr_group_identity(MPI_Group group, struct mw_uid *identity)
{
    uint32_t leader;
    uint32_t *members = NULL;
    enum mw_status status = look_at_group(group, true, &leader, &members, identity);

    free(members);
    return status;
}
