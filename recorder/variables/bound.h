#ifndef MWR_VARIABLES_BOUND_H
#define MWR_VARIABLES_BOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/dispatch/mpi_header.h"
#include "recorder/variables/pvars.h"

/*
 * The objects of MPI whose variables are recorded while they live: communicators, windows
 * and open files. Not thread-safe: recorder/variables/variables holds a lock.
 */

/* An object, as MPI_T is given it. */
struct mwr_bound {
    enum mwr_bind bind; /* MWR_BIND_NONE: no object */
    uint32_t number;    /* of the process's of that kind; MW_COMM_NONE for no object */
    union {
        MPI_Comm comm;
        MPI_Win window;
        MPI_File file;
    } handle;
};

struct mwr_bound_object {
    struct mwr_bound what;
    bool waits; /* nothing is bound to it before the next call */
    char *names[MW_NAME_SOURCES]; /* of a communicator; null: none */
};

struct mwr_bound_list {
    struct mwr_bound_object *objects;
    uint32_t count;
    uint32_t refused; /* objects that were one too many */
};

/* Null: it is not in the list. */
struct mwr_bound_object *mwr_bound_find(const struct mwr_bound_list *list, enum mwr_bind bind,
                                        uint32_t number);

/*
 * Adds an object, unless there are limit ones already.
 *
 * \return where it is until the list changes; null: one too many, or no memory.
 */
struct mwr_bound_object *mwr_bound_add(struct mwr_bound_list *list,
                                       const struct mwr_bound *what, uint32_t limit);
void mwr_bound_remove(struct mwr_bound_list *list, struct mwr_bound_object *object);
void mwr_bound_fini(struct mwr_bound_list *list);

/* Gives a communicator a name, or takes it away (null). */
void mwr_bound_name(struct mwr_bound_object *object, enum mw_name_source source,
                    const char *name);

/* Whether the user wants pvar of this object. */
bool mwr_bound_is_wanted(const struct mwr_bound_object *object, const struct mwr_pvar *pvar);

#endif
