/*
 * A group is asked for once, when its communicator is met, and not at all where it is the parent's:
 * of a communicator with 100,000 members that is most of what it costs.
 */
#include "recorder/state/comms.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/dispatch/chain.h"
#include "recorder/recorder.h"
#include "recorder/state/comm_filter.h"
#include "recorder/state/comm_table.h"
#include "recorder/state/identity.h"

/* Changes of the table of handles are made under comm_lock, which guards comm_count, too. */
static pthread_mutex_t comm_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t foreign_lock = PTHREAD_MUTEX_INITIALIZER; /* taken before comm_lock */
static uint32_t comm_count;

/* --- new ones -------------------------------------------------------------- */

/* What is to be said of a new communicator besides its own fields. */
struct origin {
    unsigned call;
    const struct mwr_comm *from; /* the parent, null: none, or several */
    struct mw_uid parent;
    uint32_t sequence;
    uint32_t flags;
    uint64_t created; /* 0: predefined, or an event tells */
};

/* Writes the definition of one with its parent's group. */
static void define_like(const struct mwr_comm *comm, const struct origin *origin)
{
    mwr_recorder_define(&(struct mw_definition){
        .kind = MW_DEFINE_COMM_LIKE,
        .of.comm_like = {.comm = comm->number,
                         .parent = origin->from->number,
                         .uid = comm->uid,
                         .call = origin->call,
                         .sequence = origin->sequence,
                         .created = origin->created},
    });
}

/* The same of others. Only one of the (local) group tells the members. */
static void define(const struct mwr_comm *comm, const struct origin *origin,
                   const struct mwr_groups *groups)
{
    bool tells_members = comm->rank == groups->teller;
    uint32_t flags = origin->flags | (comm->is_inter ? MW_COMM_INTER : 0) |
                     (groups->spans_jobs ? MW_COMM_OTHER_JOB : 0);

    mwr_recorder_define(&(struct mw_definition){
        .kind = MW_DEFINE_COMM,
        .of.comm = {
            .comm = comm->number,
            .uid = comm->uid,
            .parent = origin->parent,
            .call = origin->call,
            .sequence = origin->sequence,
            .flags = flags,
            .rank = comm->rank,
            .size = comm->size,
            .remote_size = comm->remote_size,
            .local_group = groups->local_hash,
            .remote_group = groups->remote_hash,
            .leader = groups->leader,
            .created = origin->created,
            .member_count = tells_members ? comm->size : 0,
            .members = tells_members ? groups->members : NULL,
        },
    });
}

/* The name that formats/merge_names will give it, as far as it is known here; null: none. */
static char *default_name(const struct mwr_comm *comm, const struct origin *origin)
{
    const struct mwr_comm *from = origin->from;
    const char *parent = from && from->default_name ? from->default_name : "?";
    char call[64];
    char name[MWR_COMM_NAME_BYTES];

    if (comm->number <= MW_COMM_SELF) {
        return strdup(comm->number == MW_COMM_WORLD ? MWR_WORLD_NAME : "MPI_COMM_SELF");
    }
    if (origin->flags & MW_COMM_PREDEFINED) {
        return strdup("MPI_COMM_PARENT");
    }
    if (origin->flags & MW_COMM_FOREIGN) {
        return strdup("foreign");
    }
    mw_call_short_name(origin->call, call, sizeof call);
    snprintf(name, sizeof name, "%s/%s#%u", parent, call, origin->sequence);
    return strdup(name);
}

/* What is known by the groups, which are the parent's if groups is null. */
static void take_groups(struct mwr_comm *comm, const struct mwr_comm *parent,
                        const struct mwr_groups *groups)
{
    comm->rank = groups ? groups->rank : parent->rank;
    comm->size = groups ? groups->size : parent->size;
    comm->remote_size = groups ? groups->remote_size : parent->remote_size;
    comm->is_inter = groups ? groups->is_inter : parent->is_inter;
    comm->leader = groups ? groups->leader : parent->leader;
    comm->remote_leader = groups ? groups->remote_leader : parent->remote_leader;
}

/*
 * Registers handle under uid. groups is what it was computed from, null: they are the
 * parent's. Null: no memory.
 */
static struct mwr_comm *add(MPI_Comm handle, struct mw_uid uid, const struct origin *origin,
                            const struct mwr_groups *groups)
{
    struct mwr_comm *comm = calloc(1, sizeof *comm);
    bool is_known = false;

    if (!comm) {
        return NULL;
    }
    take_groups(comm, origin->from, groups);
    comm->handle = mwr_comm_key(handle);
    comm->uid = uid;
    comm->registered = MWR_TEXT_NONE;
    pthread_mutex_lock(&comm_lock);
    comm->number = comm_count;
    comm->default_name = mwr_filter_needs_names() ? default_name(comm, origin) : NULL;
    mwr_filter_judge(comm);
    is_known = mwr_comm_table_put(comm->handle, comm);
    if (is_known) {
        comm_count++;
    }
    pthread_mutex_unlock(&comm_lock);
    if (!is_known) {
        free(comm->default_name);
        free(comm);
        return NULL;
    }
    if (groups) {
        define(comm, origin, groups);
    } else {
        define_like(comm, origin);
    }
    return comm;
}

/* like has the same group; without MPI_Init the handles can't be used themselves. */
static bool add_predefined(MPI_Comm handle, MPI_Comm like, uint64_t kind)
{
    struct origin origin = {.call = MW_CALL_COUNT, .flags = MW_COMM_PREDEFINED};
    struct mwr_groups groups;
    bool is_added = mwr_groups_init(&groups, like, false) == MW_OK &&
                    add(handle, mwr_identity(&kind, 1), &origin, &groups) != NULL;

    mwr_groups_fini(&groups);
    return is_added;
}

enum mw_status mwr_comms_init(struct mw_diagnostic *diagnostic)
{
    if (!mwr_comm_table_create() ||
        !add_predefined(MPI_COMM_WORLD, mwr_recorder.comm, MWR_KIND_WORLD) ||
        !add_predefined(MPI_COMM_SELF, mwr_recorder.self, MWR_KIND_SELF)) {
        return mw_no_memory(diagnostic, NULL, "for the communicators");
    }
    if (!mwr_recorder.settings.no_world) {
        (void)mwr_comm_registered(mwr_comm_table_get(mwr_comm_key(MPI_COMM_WORLD)),
                                  MWR_WORLD_NAME, MWR_TEXT_NONE);
    }
    return MW_OK;
}

/*
 * Registers a communicator that no hook has seen being created, by its group. Threads that
 * meet it at the same time do so once.
 */
static struct mwr_comm *add_foreign(MPI_Comm handle)
{
    struct origin origin = {
        .call = MW_CALL_COUNT, .flags = MW_COMM_FOREIGN, .created = mwr_clock()};
    struct mwr_groups groups = {.members = NULL};
    struct mwr_comm *comm;

    pthread_mutex_lock(&foreign_lock);
    comm = mwr_comm_table_get(mwr_comm_key(handle));
    if (!comm && mwr_groups_init(&groups, handle, true) == MW_OK) {
        uint64_t words[] = {MWR_KIND_FOREIGN, groups.local_hash.high, groups.local_hash.low,
                            groups.remote_hash.high ^ groups.remote_hash.low,
                            mwr_identity_repeat(groups.local_hash, MWR_KIND_FOREIGN)};

        comm = add(handle, mwr_identity(words, 5), &origin, &groups);
    }
    pthread_mutex_unlock(&foreign_lock);
    mwr_groups_fini(&groups);
    return comm;
}

/*
 * What the handle is, or, among threads, what it was when the thread's call was entered: another
 * thread may have freed it since, and been given it anew.
 */
static inline struct mwr_comm *get_for_call(MPI_Comm handle)
{
    uintptr_t key = mwr_comm_key(handle);

    return MW_UNLIKELY(mwr_thread.called_handle == key) ? mwr_thread.called_on
                                                        : mwr_comm_table_get(key);
}

struct mwr_comm *mwr_comm_search(MPI_Comm handle)
{
    struct mwr_comm *comm = NULL;

    if (handle != MPI_COMM_NULL) {
        comm = get_for_call(handle);
        if (!comm && mwr_comm_table_exists()) {
            comm = add_foreign(handle);
        }
    }
    mwr_thread.comm = comm;
    return comm;
}

struct mwr_comm *mwr_comm_search_known(MPI_Comm handle)
{
    struct mwr_comm *comm = handle != MPI_COMM_NULL ? get_for_call(handle) : NULL;

    if (comm) {
        mwr_thread.comm = comm;
    }
    return comm;
}

struct mwr_creation mwr_comm_creation(unsigned call, MPI_Comm parent)
{
    struct mwr_creation creation = {.parent = mwr_comm_find(parent), .call = call};

    if (creation.parent) {
        creation.sequence = __atomic_add_fetch(&creation.parent->creations, 1, __ATOMIC_RELAXED);
    }
    return creation;
}

struct mwr_creation mwr_comm_creation_by_group(unsigned call, MPI_Comm parent, MPI_Group group,
                                               int tag)
{
    struct mwr_creation creation = {.parent = mwr_comm_find(parent), .call = call};
    struct mw_uid hash;

    if (creation.parent && mwr_group_identity(group, &hash) == MW_OK) {
        uint64_t words[] = {hash.high, hash.low, creation.parent->uid.high,
                            creation.parent->uid.low, (uint64_t)(int64_t)tag};
        struct mw_uid key = mwr_identity(words, 5);

        creation.key = key.high ^ key.low;
        creation.sequence = mwr_identity_repeat(key, call);
    }
    return creation;
}

/* Whether what the call makes has the same members in the same order as its parent. */
static bool keeps_groups(unsigned call)
{
    return call == MW_CALL_MPI_Comm_dup || call == MW_CALL_MPI_Comm_dup_with_info ||
           call == MW_CALL_MPI_Comm_idup || call == MW_CALL_MPI_Comm_idup_with_info;
}

struct mw_uid mwr_comm_spawned(const struct mwr_creation *creation)
{
    struct mw_uid parent = creation->parent ? creation->parent->uid : (struct mw_uid){0, 0};
    uint64_t words[] = {MWR_KIND_SPAWN, mwr_recorder.nonce, parent.high, parent.low,
                        creation->sequence};

    return mwr_identity(words, 5);
}

static struct mw_uid identity_of_creation(const struct mwr_creation *creation,
                                          const struct mwr_groups *groups)
{
    if (creation->call == MW_CALL_MPI_Comm_spawn ||
        creation->call == MW_CALL_MPI_Comm_spawn_multiple) {
        return mwr_comm_spawned(creation);
    }
    uint64_t words[] = {creation->call,     creation->parent->uid.high,
                        creation->parent->uid.low, creation->sequence,
                        creation->key,      mwr_groups_leaders(groups)};

    return mwr_identity(words, 6);
}

uint32_t mwr_comm_created(const struct mwr_creation *creation, MPI_Comm handle, uint64_t time)
{
    struct mwr_comm *parent = creation->parent;
    struct origin origin = {
        .call = creation->call, .from = parent, .sequence = creation->sequence, .created = time};
    struct mwr_groups groups = {.members = NULL};
    struct mwr_comm *comm = NULL;

    if (handle == MPI_COMM_NULL || !parent) {
        return MW_COMM_NONE;
    }
    origin.parent = parent->uid;
    if (keeps_groups(creation->call)) {
        groups.is_inter = parent->is_inter;
        groups.leader = parent->leader;
        groups.remote_leader = parent->remote_leader;
        comm = add(handle, identity_of_creation(creation, &groups), &origin, NULL);
    } else if (mwr_groups_init(&groups, handle, false) == MW_OK) {
        struct mw_uid uid = identity_of_creation(creation, &groups);

        if (mwr_groups_meet_within_job(&groups, creation->call)) {
            uid = mwr_groups_meeting(&groups, MW_CALL_MPI_Comm_accept, 0, &origin.sequence);
        }
        comm = add(handle, uid, &origin, &groups);
    }
    mwr_groups_fini(&groups);
    return comm ? comm->number : MW_COMM_NONE;
}

uint32_t mwr_comm_created_between(unsigned call, MPI_Comm local, int tag, MPI_Comm handle,
                                  uint64_t time)
{
    struct mwr_comm *parent = mwr_comm_find(local);
    struct origin origin = {.call = call, .created = time};
    struct mwr_groups groups;
    struct mwr_comm *comm = NULL;

    if (handle == MPI_COMM_NULL || !parent) {
        return MW_COMM_NONE;
    }
    if (mwr_groups_init(&groups, handle, false) == MW_OK) {
        struct mw_uid uid = mwr_groups_meeting(&groups, call, tag, &origin.sequence);

        origin.from = parent;
        origin.parent = parent->uid;
        comm = add(handle, uid, &origin, &groups);
    }
    mwr_groups_fini(&groups);
    return comm ? comm->number : MW_COMM_NONE;
}

uint32_t mwr_comm_created_from_group(unsigned call, const char *tag, MPI_Comm handle,
                                     uint64_t time)
{
    struct origin origin = {.call = call, .created = time};
    struct mwr_groups groups;
    struct mwr_comm *comm = NULL;

    if (handle == MPI_COMM_NULL || !mwr_comm_table_exists()) {
        return MW_COMM_NONE;
    }
    if (mwr_groups_init(&groups, handle, true) == MW_OK) {
        struct mw_uid who = groups.is_inter ? mwr_groups_pair(&groups) : groups.local_hash;
        uint64_t words[] = {call, who.high, who.low, mwr_identity_of_text(tag), 0};

        words[4] = mwr_identity_repeat(mwr_identity(words, 4), call);
        origin.sequence = (uint32_t)words[4];
        comm = add(handle, mwr_identity(words, 5), &origin, &groups);
    }
    mwr_groups_fini(&groups);
    return comm ? comm->number : MW_COMM_NONE;
}

uint32_t mwr_comm_parent(unsigned call, const struct mw_uid *uid, MPI_Comm handle)
{
    struct origin origin = {.call = call, .flags = MW_COMM_PREDEFINED};
    struct mwr_groups groups;
    struct mwr_comm *comm = NULL;

    if (handle == MPI_COMM_NULL || !mwr_comm_table_exists() ||
        mwr_comm_table_get(mwr_comm_key(handle))) {
        return MW_COMM_NONE;
    }
    if (mwr_groups_init(&groups, handle, false) == MW_OK) {
        comm = add(handle, uid ? *uid : mwr_identity(&(uint64_t){MWR_KIND_PARENT}, 1), &origin,
                   &groups);
    }
    mwr_groups_fini(&groups);
    return comm ? comm->number : MW_COMM_NONE;
}

/* --- names and ends ---------------------------------------------------------- */

static struct mwr_comm *forget(struct mwr_comm *comm, MPI_Comm handle)
{
    mwr_thread.comm = NULL;
    if (comm) {
        pthread_mutex_lock(&comm_lock);
        __atomic_store_n(&comm->handle, 0, __ATOMIC_RELEASE);
        mwr_comm_table_set(mwr_comm_key(handle), NULL);
        free(comm->neighborhood);
        comm->neighborhood = NULL;
        pthread_mutex_unlock(&comm_lock);
    }
    return comm;
}

struct mwr_comm *mwr_comm_forget(MPI_Comm handle)
{
    if (handle == MPI_COMM_NULL || !mwr_comm_table_exists()) {
        return NULL;
    }
    return forget(mwr_comm_search(handle), handle);
}

struct mwr_comm *mwr_comm_forget_known(MPI_Comm handle)
{
    if (handle == MPI_COMM_NULL || !mwr_comm_table_exists()) {
        return NULL;
    }
    return forget(mwr_comm_table_get(mwr_comm_key(handle)), handle);
}

void mwr_comm_remember(struct mwr_comm *comm, MPI_Comm handle)
{
    pthread_mutex_lock(&comm_lock);
    __atomic_store_n(&comm->handle, mwr_comm_key(handle), __ATOMIC_RELEASE);
    mwr_comm_table_set(mwr_comm_key(handle), comm);
    pthread_mutex_unlock(&comm_lock);
}

void mwr_comm_freed(const struct mwr_comm *comm, uint64_t time)
{
    mwr_recorder_define(&(struct mw_definition){
        .kind = MW_DEFINE_COMM_FREED,
        .of.comm_freed = {.comm = comm->number, .time = time},
    });
}

static void define_name(const struct mwr_comm *comm, enum mw_name_source source,
                        const char *name)
{
    mwr_recorder_define(&(struct mw_definition){
        .kind = MW_DEFINE_COMM_NAME,
        .of.comm_name = {.comm = comm->number,
                         .source = source,
                         .time = mwr_clock(),
                         .name = name},
    });
}

/* Keeps a name where names count, instead of the one before. comm_lock is held. */
static void keep_name(char **kept, const char *name)
{
    if (mwr_filter_needs_names()) {
        free(*kept);
        *kept = name[0] ? strdup(name) : NULL;
    }
}

void mwr_comm_named(MPI_Comm handle, const char *name)
{
    struct mwr_comm *comm = mwr_comm_find(handle);

    if (comm && name) {
        pthread_mutex_lock(&comm_lock);
        define_name(comm, MW_NAME_MPI, name);
        keep_name(&comm->mpi_name, name);
        mwr_filter_judge(comm);
        pthread_mutex_unlock(&comm_lock);
    }
}

/* MPI_COMM_WORLD has no text where it is registered from the start. comm_lock is held. */
static bool is_registered_as(const struct mwr_comm *comm, const char *name, uint32_t text)
{
    return comm->is_registered &&
           (comm->registered != MWR_TEXT_NONE
                ? comm->registered == text
                : comm->number == MW_COMM_WORLD && strcmp(name, MWR_WORLD_NAME) == 0);
}

bool mwr_comm_registered(struct mwr_comm *comm, const char *name, uint32_t text)
{
    bool is_default = comm->default_name && strcmp(comm->default_name, name) == 0;
    bool is_new;

    pthread_mutex_lock(&comm_lock);
    is_new = !is_registered_as(comm, name, text);
    if (is_new) {
        __atomic_store_n(&comm->is_registered, true, __ATOMIC_RELAXED);
        comm->registered = text;
        define_name(comm, MW_NAME_REGISTERED, name);
        keep_name(&comm->registered_name, is_default ? "" : name);
        mwr_filter_judge(comm);
    }
    pthread_mutex_unlock(&comm_lock);
    return is_new;
}

bool mwr_comm_unregistered(struct mwr_comm *comm, uint32_t *text)
{
    bool was_registered;

    pthread_mutex_lock(&comm_lock);
    was_registered = comm->is_registered;
    __atomic_store_n(&comm->is_registered, false, __ATOMIC_RELAXED);
    *text = comm->registered;
    if (was_registered) {
        define_name(comm, MW_NAME_UNREGISTERED, "");
        mwr_filter_judge(comm);
    }
    pthread_mutex_unlock(&comm_lock);
    return was_registered;
}
