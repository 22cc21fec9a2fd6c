#include "recorder/state/objects.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "formats/spool/record.h"
#include "formats/table/calls.h"
#include "recorder/recorder.h"
#include "recorder/state/comms.h"
#include "recorder/state/identity.h"

#define BUCKETS 256u

/* A path that has a number. */
struct path {
    struct path *following;
    uint64_t hash;
    uint32_t number;
};

/* All under object_lock where threads may meet (MPI_THREAD_MULTIPLE). */
static struct mwr_object *buckets[BUCKETS];
static struct path *path_buckets[BUCKETS];
static uint32_t counts[MW_OBJECT_KIND_COUNT];
static pthread_mutex_t object_lock = PTHREAD_MUTEX_INITIALIZER;

static inline void lock(void)
{
    if (mwr_recorder.is_multiple) {
        pthread_mutex_lock(&object_lock);
    }
}

static inline void unlock(void)
{
    if (mwr_recorder.is_multiple) {
        pthread_mutex_unlock(&object_lock);
    }
}

static struct mwr_object **bucket_of(uintptr_t handle)
{
    return &buckets[(uint64_t)handle * 0x9e3779b97f4a7c15u >> 56];
}

static struct mw_uid uid_of_path(const char *path)
{
    return mwr_identity(&(uint64_t){mwr_identity_of_text(path)}, 1);
}

/* The lock is held. */
static struct path *find_path(uint64_t hash)
{
    struct path *path = path_buckets[hash % BUCKETS];

    while (path && path->hash != hash) {
        path = path->following;
    }
    return path;
}

uint32_t mwr_object_path(const char *path)
{
    uint64_t hash = mwr_identity_of_text(path);
    struct path *known;
    bool is_new = false;

    lock();
    known = find_path(hash);
    if (!known && counts[MW_OBJECT_FILE] < MW_OBJECT_NUMBER_MAX) {
        known = calloc(1, sizeof *known);
        is_new = known != NULL;
        if (is_new) {
            *known = (struct path){path_buckets[hash % BUCKETS], hash, counts[MW_OBJECT_FILE]++};
            path_buckets[hash % BUCKETS] = known;
        }
    }
    unlock();
    if (is_new) {
        mwr_recorder_define(&(struct mw_definition){
            .kind = MW_DEFINE_OBJECT,
            .of.object = {.kind = MW_OBJECT_FILE,
                          .number = known->number,
                          .uid = uid_of_path(path),
                          .call = MW_CALL_COUNT,
                          .name = path},
        });
    }
    return known ? known->number : MW_COMM_NONE;
}

/* Puts the object into the table and gives it a number; false: there are too many. */
static bool put(struct mwr_object *object)
{
    bool is_numbered;

    lock();
    is_numbered = counts[object->kind] < MW_OBJECT_NUMBER_MAX;
    if (is_numbered) {
        object->number = counts[object->kind]++;
        object->following = *bucket_of(object->handle);
        *bucket_of(object->handle) = object;
    }
    unlock();
    return is_numbered;
}

static void define(const struct mwr_object *object, const struct mwr_comm *comm, unsigned call,
                   uint32_t sequence, const char *name)
{
    /* MPI_COMM_SELF is one to all, but what is made on it is each one's own. */
    uint64_t own = comm->number == MW_COMM_SELF ? mwr_recorder.rank : 0;
    uint64_t words[] = {object->kind, comm->uid.high, comm->uid.low, sequence, own};
    struct mw_define_object made = {
        .kind = object->kind,
        .number = object->number,
        .uid = mwr_identity(words, 5),
        .comm = comm->uid,
        .call = call,
        .sequence = sequence,
        .name = name,
    };

    if (object->kind == MW_OBJECT_HANDLE) {
        made.file = uid_of_path(name);
    }
    mwr_recorder_define(&(struct mw_definition){.kind = MW_DEFINE_OBJECT, .of.object = made});
}

struct mwr_object *mwr_object_created(enum mw_object_kind kind, uintptr_t handle, MPI_Comm comm,
                                      unsigned call, const char *name)
{
    struct mwr_comm *on = mwr_comm_find(comm);
    struct mwr_object *object = calloc(1, sizeof *object);
    uint32_t sequence;

    if (!on || !object) {
        free(object);
        return NULL;
    }
    sequence = __atomic_add_fetch(&on->objects, 1, __ATOMIC_RELAXED);
    object->handle = handle;
    object->kind = (uint8_t)kind;
    object->on = on;
    object->size = on->size;
    if (!put(object)) {
        free(object);
        return NULL;
    }
    if (kind == MW_OBJECT_HANDLE) {
        (void)mwr_object_path(name);
    }
    define(object, on, call, sequence, name);
    return object;
}

struct mwr_object *mwr_object_find(enum mw_object_kind kind, uintptr_t handle)
{
    struct mwr_object *object;

    lock();
    object = *bucket_of(handle);
    while (object && (object->handle != handle || object->kind != kind)) {
        object = object->following;
    }
    unlock();
    return object;
}

struct mwr_object *mwr_object_forget(enum mw_object_kind kind, uintptr_t handle)
{
    struct mwr_object **link = bucket_of(handle);
    struct mwr_object *object;

    lock();
    while (*link && ((*link)->handle != handle || (*link)->kind != kind)) {
        link = &(*link)->following;
    }
    object = *link;
    if (object) {
        *link = object->following;
    }
    unlock();
    return object;
}

void mwr_object_remember(struct mwr_object *object)
{
    lock();
    object->following = *bucket_of(object->handle);
    *bucket_of(object->handle) = object;
    unlock();
}

void mwr_object_free(struct mwr_object *object)
{
    if (object) {
        free(object->open);
        free(object->locks);
        free(object->pending);
        free(object->exposed_to);
        free(object->accessed);
        free(object);
    }
}
