#ifndef MWR_VARIABLES_PVAR_SELECTION_H
#define MWR_VARIABLES_PVAR_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/base/status.h"
#include "formats/spool/definition.h"

/*
 * Which variables a user selects (--pvars, --cvars), as text:
 *
 *   term ; term ; …      blanks separate terms, too; of those that fit, the last counts
 *   NAME*                by name, as a glob of the shell
 *   NAME*:CLASS          by name and class: COUNTER, LEVEL …
 *   class:CLASS,CLASS    by class
 *   cat:NAME*            by category
 *   bind:OBJECT          by what they are bound to: NO_OBJECT, MPI_COMM …
 *   verb<=USER_DETAIL    by verbosity
 *   scope:LOCAL,ALL      by scope: control variables
 *   !term                leave them out
 *   term@comm=world,self,named,registered,all,GLOB
 *                        those that belong to a communicator: of which ones; GLOB is a name
 *   default, all, none
 *
 * Knows no MPI. All functions are thread-safe; a selection does not change.
 */

enum mwr_comm_set {
    MWR_COMMS_WORLD = 1,
    MWR_COMMS_SELF = 2,
    MWR_COMMS_NAMED = 4, /* that the application has named or registered */
    MWR_COMMS_REGISTERED = 8,
    MWR_COMMS_ALL = 16
};

/* What "default" stands for. */
#define MWR_PVARS_DEFAULT                                                                       \
    "pml_ob1_*_length@comm=world,named;*_recvq_length;unexpected_recvq_buffer_size;"            \
    "pml_monitoring_messages_*;osc_monitoring_*;coll_monitoring_*"

enum mwr_term_kind {
    MWR_BY_NAME,
    MWR_BY_CLASS,
    MWR_BY_CATEGORY,
    MWR_BY_BIND,
    MWR_BY_VERBOSITY,
    MWR_BY_SCOPE
};

#define MWR_PATTERN_BYTES 128u
#define MWR_TERMS_MAX 64u

struct mwr_term {
    enum mwr_term_kind kind;
    bool is_excluded;
    char pattern[MWR_PATTERN_BYTES]; /* glob of the name, the category or the binding; scopes, with
                                        commas between */
    uint32_t classes;   /* set of 1 << enum mw_variable_class */
    uint32_t verbosity; /* 1 to 9 */
    uint32_t comms;     /* set of enum mwr_comm_set */
    char comm_names[MWR_PATTERN_BYTES]; /* globs of names, with commas between */
};

struct mwr_selection {
    struct mwr_term terms[MWR_TERMS_MAX];
    unsigned count;
};

/* A variable as a selection sees it. */
struct mwr_candidate {
    const char *name;
    uint32_t class; /* enum mw_variable_class; MW_CLASS_COUNT for control variables */
    uint32_t verbosity;
    const char *bind;
    /* Whether the variable is in a category that pattern fits; null: it is in none. */
    bool (*is_in_category)(const struct mwr_candidate *candidate, const char *pattern);
    int index;
    const char *scope; /* of control variables, else null */
};

/*
 * Reads a selection.
 *
 * \return MW_OK. MW_ERROR_USAGE and a sentence that names the term.
 */
enum mw_status mwr_selection_parse(struct mwr_selection *selection, const char *text,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Whether candidate is selected.
 *
 * \return the term of selection that counts; null: it is not selected.
 */
const struct mwr_term *mwr_selection_takes(const struct mwr_selection *selection,
                                           const struct mwr_candidate *candidate);

/*
 * Whether a variable that term selects is to be recorded of a communicator that is in
 * sets (enum mwr_comm_set) and has name, which may be null.
 */
bool mwr_term_takes_comm(const struct mwr_term *term, uint32_t sets, const char *name);

/*
 * Variables that crash or disturb the MPI when they are touched: never read, whatever is
 * selected. \return the reason, null for all others.
 */
const char *mwr_pvar_danger(const char *name);
const char *mwr_cvar_danger(const char *name);

/* Whether a performance variable is known to do no harm when it is read. */
bool mwr_pvar_is_known(const char *name);

/* Whether one is known to count nothing but what the process's own calls do. */
bool mwr_pvar_counts_own_calls(const char *name);

/* Whether one is known to stand still in all sessions once it is stopped in one. */
bool mwr_pvar_stops_for_all(const char *name);

/* "USER_BASIC" is 1 … "MPIDEV_ALL" is 9; 0 for other words. */
uint32_t mwr_verbosity_of_word(const char *word);
const char *mwr_verbosity_word(uint32_t verbosity);

/*
 * What is known of a variable's class against its declaration: from text ("GLOB=CLASS;
 * GLOB=CLASS,read_resets"), which a user wrote, and from a table of known liars, which
 * counts less. \return false if nothing is known.
 */
bool mwr_class_override(const char *text, const char *name, uint32_t *class, bool *read_resets);

/* Whether text is a list that mwr_class_override understands. */
bool mwr_class_overrides_are_valid(const char *text);

#endif
