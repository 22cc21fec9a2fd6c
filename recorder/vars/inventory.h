#ifndef MWR_VARS_INVENTORY_H
#define MWR_VARS_INVENTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/dispatch/mpi_header.h"

/* What this MPI offers through MPI_T. Not thread-safe; kept until the program ends. */

struct mwr_listed {
    int index;
    char name[256];
    char description[1024];
    const char *bind;
    const char *type; /* "unsigned", "double" …; "?" for others */
    uint32_t verbosity; /* 1 to 9 */
    int count;        /* elements, on MPI_COMM_WORLD where bound to communicators; 0: not known */
    int signal;       /* that reading it dies of, 0: none, or not tried */
    const char *warning; /* what is known against it, or null */
    const char *refusal; /* of performance variables: why mpiwatch does not record it, or null */
    char categories[512];
    /* performance variables */
    uint32_t class; /* enum mw_variable_class */
    bool is_readonly;
    bool is_continuous;
    bool is_atomic;
    /* control variables */
    const char *scope;
    char value[4096]; /* of all elements, with blanks between; "" where it can't be read */
};

struct mwr_category {
    char name[256];
    char description[1024];
    int pvars;
    int cvars;
    int children;
    int index;  /* the MPI's */
    int parent; /* index in the inventory; -1: none */
};

struct mwr_event {
    char name[256];
    char description[1024];
    const char *bind;
    uint32_t verbosity;
    int elements; /* of what it tells */
};

struct mwr_inventory {
    struct mwr_listed *pvars;
    int pvar_count;
    int pvar_slots; /* also those of components that are gone */
    struct mwr_listed *cvars;
    int cvar_count;
    int cvar_slots;
    struct mwr_category *categories;
    int category_count;
    bool has_events; /* the MPI has the calls of MPI 4.0 that tell of events */
    struct mwr_event *events;
    int event_count;
    bool is_probed;
    char library[256]; /* the MPI's own name and version */
};

/*
 * Looks at everything. MPI_T and MPI are initialised. With probe, each variable is
 * read in a child process first, and those that kill it are never touched in this one.
 *
 * \return false without memory.
 */
bool mwr_inventory_take(struct mwr_inventory *inventory, bool probe);

#endif
