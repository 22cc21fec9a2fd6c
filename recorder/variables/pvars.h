#ifndef MWR_VARIABLES_PVARS_H
#define MWR_VARIABLES_PVARS_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/dispatch/mpi_header.h"
#include "recorder/variables/pvar_selection.h"

/*
 * The performance variables that are to be recorded: found by enumeration, described once
 * in the definitions. Not thread-safe: recorder/variables/variables holds a lock.
 */

enum mwr_bind {
    MWR_BIND_NONE,
    MWR_BIND_COMM,
    MWR_BIND_WINDOW,
    MWR_BIND_FILE,
    MWR_BIND_OTHER /* objects that nobody follows: not recorded */
};

struct mwr_pvar {
    int index;                /* MPI's */
    char name[256];
    uint32_t declared;        /* enum mw_variable_class */
    uint32_t effective;
    uint32_t type;            /* enum mw_metric_type */
    uint32_t element_bytes;   /* of the MPI's type */
    enum mwr_bind bind;
    const char *bind_name;
    uint32_t verbosity;
    uint32_t flags;           /* enum mw_variable_flags */
    const struct mwr_term *term; /* that selects it: says of which communicators */
    char unit[16];
    char description[512];
    char items[512];
};

struct mwr_pvars {
    struct mwr_selection selection;
    struct mwr_pvar *list;
    uint32_t count;
    int seen;        /* as many of MPI's have been looked at */
    uint32_t valid;  /* of these, had a description */
    uint32_t refused; /* of these, are selected and can't be recorded */
    char refusal[320]; /* why the first of these can't, a sentence; else "" */
};

/*
 * Looks at the variables that the MPI has and had not at the last look, and lists those
 * that are selected and no danger. MPI_T must be initialised.
 */
void mwr_pvars_look(struct mwr_pvars *pvars);

/* Notes why a selected variable is left out: counts it, and keeps the first one's sentence. */
void mwr_pvars_refuse(struct mwr_pvars *pvars, const char *name, const char *why);

void mwr_pvars_fini(struct mwr_pvars *pvars);

/*
 * Defines the metric of a variable in a form, once for each.
 *
 * \return its number, from 0.
 */
uint32_t mwr_metric_define(const struct mwr_pvar *pvar, uint32_t form, uint32_t first,
                           uint32_t count, uint32_t elements);

/* Forgets all metrics' definitions' numbers. At the end. */
/*
 * Defines a metric that is no variable of the MPI; its number is set here.
 *
 * \return the number; UINT32_MAX without memory, and after mwr_metrics_fini. Thread-safe.
 */
uint32_t mwr_metric_define_own(const struct mw_define_metric *metric);

void mwr_metrics_fini(void);

/* What an object of kind MPI_T_BIND_… is to the recorder. */
enum mwr_bind mwr_bind_of(int bind);

/* Sets how values are read; false for types that no metric can have. */
bool mwr_pvar_set_type(struct mwr_pvar *pvar, MPI_Datatype datatype);

/*
 * Why variables bound to an object of this kind (MPI_T_BIND_…), or of this type, can't be
 * recorded; null if they can.
 */
const char *mwr_bind_refusal(int bind);
const char *mwr_type_refusal(MPI_Datatype datatype);

/* Words for MPI_T's constants, which differ between MPIs. */
uint32_t mwr_class_of(int var_class);
const char *mwr_bind_word(int bind);
uint32_t mwr_verbosity_of(int verbosity);
const char *mwr_scope_word(int scope);

#endif
