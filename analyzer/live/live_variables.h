#ifndef MWA_LIVE_LIVE_VARIABLES_H
#define MWA_LIVE_LIVE_VARIABLES_H

#include "analyzer/live/live_trace.h"
#include "formats/spool/spool_reader.h"

/* The variables of the MPI as the ranks' spools told them last: queue lengths and so on. */
struct mwa_live_variables;

#define MWA_LIVE_SPARKS 24u

/* One variable, of all ranks. Values are those of all its elements and objects together. */
struct mwa_live_variable {
    char *name;
    char *unit;
    bool is_sum;    /* it only rises: what is interesting is by how much */
    uint32_t ranks; /* that told it */
    double sum;     /* of the ranks' values; of a sum since recording began */
    double most;    /* of a rank */
    uint32_t most_rank;
    double sparks[MWA_LIVE_SPARKS]; /* at the latest looks a ring: the most of a rank, of a sum what
                                       came to all ranks' since the look before */
    uint32_t spark_count; /* in all: the latest is at (spark_count - 1) % MWA_LIVE_SPARKS */
    double sum_before;
};

struct mwa_live_variables *mwa_live_variables_create(void); /* null: no memory */
void mwa_live_variables_destroy(struct mwa_live_variables *variables);

/* Takes the samples of a record of a rank. \return false: no memory. */
bool mwa_live_variables_take(struct mwa_live_variables *variables, uint32_t rank,
                             const struct mwa_live_numbers *numbers,
                             const struct mw_spool_call *call) MW_MUST_CHECK;

/* Takes what a rank told somebody else last of a variable, all of it together. \return false: no
 * memory. What is more than a program can have is not taken. */
bool mwa_live_variables_hear(struct mwa_live_variables *variables, uint32_t rank, const char *name,
                             const char *unit, bool is_sum, double value) MW_MUST_CHECK;

/* Brings the list up to date, and adds to its sparks: once a look. \return false: no memory. */
bool mwa_live_variables_look(struct mwa_live_variables *variables) MW_MUST_CHECK;

/* The list, by name; *count of them. */
const struct mwa_live_variable *mwa_live_variables_list(
    const struct mwa_live_variables *variables, uint32_t *count);

/*
 * The variable with that in its name, whatever its letters' case, the one with the shortest name of
 * several; of "" one of a queue of messages that came before they were asked for, else of receives
 * that are posted, else the first. UINT32_MAX: there is none.
 */
uint32_t mwa_live_variables_find(const struct mwa_live_variables *variables, const char *name);

/* What each of so many ranks told last of a variable, NAN: nothing; as of the latest look at them.
 * The caller's to free; null: no memory. */
double *mwa_live_variables_ranks(const struct mwa_live_variables *variables, uint32_t variable,
                                 uint32_t ranks);

/* Eight heights of blocks, oldest first, from 0 to the highest; returns text, of size bytes. */
const char *mwa_live_variable_sparks(const struct mwa_live_variable *variable, char *text,
                                     size_t size);

#endif
