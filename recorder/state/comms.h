#ifndef MWR_STATE_COMMS_H
#define MWR_STATE_COMMS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/spool/definition.h"
#include "recorder/dispatch/mpi_header.h"
#include "recorder/state/thread.h"

/*
 * The communicators of the process.
 *
 * Each gets a number, counted from 0 in the order in which the process met them, and
 * an identity (uid) that all its members compute alike without speaking to each other:
 * calls that create communicators on one parent happen in the same order on all its
 * members, so that (kind of creation, parent's uid, number of the creation, world rank
 * of member 0) is the same on all and of no other communicator.
 *
 * Handles are reused as soon as they are freed; numbers and uids never are. What is
 * known of a freed communicator is kept.
 *
 * Look-up takes no lock; changes do. All functions are thread-safe between
 * mwr_comms_init and the end of the process.
 */

struct mwr_neighborhood;

struct mwr_comm {
    uintptr_t handle; /* 0 when freed */
    uint32_t number;
    uint32_t creations; /* on this one as the parent, counted at the entry of the call */
    uint32_t objects;   /* windows and files made on it */
    struct mw_uid uid;
    uint32_t rank; /* own */
    uint32_t size; /* of the local group */
    uint32_t remote_size;
    bool is_inter;
    bool is_registered;   /* by the program, or MPI_COMM_WORLD from the start */
    uint32_t registered;  /* number of the text of its name; MWR_TEXT_NONE: it has none */
    bool is_filtered;     /* calls on it are only counted (state/filter.h) */
    uint32_t leader;      /* world rank of member 0 */
    uint32_t remote_leader; /* inter: of the remote group's */
    struct mwr_neighborhood *neighborhood; /* of hooks/neighbor.c, from malloc; null: not
                                              asked for so far */
    char *registered_name; /* these three only where names count; null: none */
    char *mpi_name;
    char *default_name; /* as in formats/merge_names, without the end of one of several */
};

#define MWR_COMM_NAME_BYTES 320u /* of a default name */
#define MWR_WORLD_NAME "MPI_COMM_WORLD"
#define MWR_TEXT_NONE UINT32_MAX /* no number of a text */

/*
 * Starts with MPI_COMM_WORLD (number 0) and MPI_COMM_SELF (1), and writes their
 * definitions. Called in MPI_Init, and once.
 *
 * \return MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwr_comms_init(struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* The slow half of mwr_comm_find. */
struct mwr_comm *mwr_comm_search(MPI_Comm handle);

MW_INLINE uintptr_t mwr_comm_key(MPI_Comm handle)
{
    return (uintptr_t)handle;
}

/*
 * The communicator that handle is now; in a hook, among threads, what it was when the call was
 * entered. One that was not seen to be created is registered as foreign. Null for
 * MPI_COMM_NULL, before mwr_comms_init, and when there is no memory.
 */
static inline struct mwr_comm *mwr_comm_find(MPI_Comm handle)
{
    struct mwr_comm *comm = mwr_thread.comm;

    /* Another thread may free it, and its handle be used again, since. */
    if (MW_LIKELY(comm != NULL &&
                  __atomic_load_n(&comm->handle, __ATOMIC_RELAXED) == mwr_comm_key(handle))) {
        return comm;
    }
    return mwr_comm_search(handle);
}

/* The slow half of mwr_comm_known. */
struct mwr_comm *mwr_comm_search_known(MPI_Comm handle);

/* As mwr_comm_find, but null for one that has not been met yet. */
MW_INLINE struct mwr_comm *mwr_comm_known(MPI_Comm handle)
{
    struct mwr_comm *comm = mwr_thread.comm;

    if (MW_LIKELY(comm != NULL &&
                  __atomic_load_n(&comm->handle, __ATOMIC_RELAXED) == mwr_comm_key(handle))) {
        return comm;
    }
    return mwr_comm_search_known(handle);
}

/* A creation that has begun. */
struct mwr_creation {
    struct mwr_comm *parent;
    unsigned call;     /* enum mw_call */
    uint32_t sequence; /* on the parent, from 1 */
    uint64_t key;      /* of what besides tells it from others: tag and groups, else 0 */
};

/* At the entry of a call that creates communicators on parent; counts it there. */
struct mwr_creation mwr_comm_creation(unsigned call, MPI_Comm parent);

/*
 * At the entry of MPI_Comm_create_group: not all of the parent take part, so that only
 * calls with the same group and tag are counted.
 */
struct mwr_creation mwr_comm_creation_by_group(unsigned call, MPI_Comm parent, MPI_Group group,
                                               int tag);

/*
 * After the call succeeded: registers handle (MPI_COMM_NULL is fine) and writes its
 * definition. time is that of the creation, 0 if an event tells it. Where MPI_Comm_accept,
 * connect or join joined two parts of this job, the identity is that of the two groups,
 * since the parents and the calls differ.
 *
 * \return the communicator's number, MW_COMM_NONE for MPI_COMM_NULL and when there is no
 * memory.
 */
uint32_t mwr_comm_created(const struct mwr_creation *creation, MPI_Comm handle, uint64_t time);

/* The same for MPI_Intercomm_create, whose identity is that of the two groups and the tag. */
uint32_t mwr_comm_created_between(unsigned call, MPI_Comm local, int tag, MPI_Comm handle,
                                  uint64_t time);

/* The same where the string tag and the group tell it from others, and there is no parent. */
uint32_t mwr_comm_created_from_group(unsigned call, const char *tag, MPI_Comm handle,
                                     uint64_t time);

/*
 * The identity of what a spawn that has begun makes: the same for both jobs, since no other job
 * has the nonce in it.
 */
struct mw_uid mwr_comm_spawned(const struct mwr_creation *creation);

/*
 * The communicator with the processes that spawned this job; uid: by what they know it, null if
 * they have not told.
 *
 * \return its number when it is new, MW_COMM_NONE if it was known, for MPI_COMM_NULL, and
 * when there is no memory.
 */
uint32_t mwr_comm_parent(unsigned call, const struct mw_uid *uid, MPI_Comm handle);

/*
 * The handle is about to be freed: it is nobody's from here on.
 *
 * \return the communicator, null if it is unknown.
 */
struct mwr_comm *mwr_comm_forget(MPI_Comm handle);

/* The same of one that is known: null for others, which are none of the application's. */
struct mwr_comm *mwr_comm_forget_known(MPI_Comm handle);

/* The free has failed: handle is comm's again. */
void mwr_comm_remember(struct mwr_comm *comm, MPI_Comm handle);

/* The free has succeeded, and no event tells when. */
void mwr_comm_freed(const struct mwr_comm *comm, uint64_t time);

/*
 * The program registers the communicator under name, which text is the number of. \return false:
 * it is registered so already.
 */
bool mwr_comm_registered(struct mwr_comm *comm, const char *name, uint32_t text);

/* And takes it back: false if it was not registered, else the text's number. */
bool mwr_comm_unregistered(struct mwr_comm *comm, uint32_t *text);

/* A name that the application gave by MPI_Comm_set_name. */
void mwr_comm_named(MPI_Comm handle, const char *name);

#endif
