#ifndef MWR_STATE_OBJECTS_H
#define MWR_STATE_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/spool/definition.h"
#include "recorder/dispatch/mpi_header.h"

/*
 * The windows and open files of the process, by handle. As with communicators, each has
 * a number and an identity that all processes compute alike: objects are made on one
 * communicator in the same order by all its members.
 *
 * Thread-safe; they lock only under MPI_THREAD_MULTIPLE. An object is used by its finder without
 * a lock: to free a window or close a file while another thread uses it is wrong.
 */

struct mwr_comm;

/* Operations of a window that are not complete, and share an id. */
struct mwr_pending {
    uint64_t id;
    uint64_t closed; /* among threads: counts what closes; UINT64_MAX: open, see hooks/window.c */
    int target;
};

struct mwr_object {
    struct mwr_object *following; /* in the table */
    uintptr_t handle;
    uint8_t kind; /* enum mw_object_kind */
    uint32_t number;
    const struct mwr_comm *on; /* what it was made on */
    uint32_t size; /* of the communicator's group; a window's targets */

    /* Of a window: operations that are not complete, see hooks/window.c. */
    uint64_t *open;  /* by target: the id that operations get, 0: none */
    uint64_t *locks; /* by target: the id of the lock that is held */
    uint64_t lock_on_all;
    struct mwr_pending *pending;
    int pending_count;
    uint32_t pending_room;
    uint64_t closings;
    int *exposed_to; /* ranks of MPI_Win_post */
    int exposed_count;
    int *accessed; /* ranks of MPI_Win_start */
    int accessed_count;

    bool is_sequential; /* a file without positions */
    uint64_t split;     /* of a file: id of the split collective operation under way */
};

/*
 * A window or file was made on comm by call; name is a file's path and "" for a window.
 * Writes the definition. Null: no memory, or there are too many to have a number.
 */
struct mwr_object *mwr_object_created(enum mw_object_kind kind, uintptr_t handle, MPI_Comm comm,
                                      unsigned call, const char *name);

/* Null: unknown. */
struct mwr_object *mwr_object_find(enum mw_object_kind kind, uintptr_t handle);

/* The handle is freed: forgets it. \return the object, to be freed by mwr_object_free. */
struct mwr_object *mwr_object_forget(enum mw_object_kind kind, uintptr_t handle);
/* The handle could not be freed after all. */
void mwr_object_remember(struct mwr_object *object);
void mwr_object_free(struct mwr_object *object);

/* The number of a path, defined at its first use; MW_COMM_NONE when there are too many. */
uint32_t mwr_object_path(const char *path);

#endif
