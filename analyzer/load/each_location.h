#ifndef MWA_LOAD_EACH_LOCATION_H
#define MWA_LOAD_EACH_LOCATION_H

#include "analyzer/load/input.h"

/*
 * What is done with one location. input is the worker's own; workers are threads, numbered from 0
 * on, the caller's own first.
 *
 * \return MW_OK; all else ends the visits.
 */
typedef enum mw_status mwa_location_visit(void *user, uint32_t worker, struct mwa_input *input,
                                          uint32_t location, struct mw_diagnostic *diagnostic);

/*
 * Visits all locations by so many threads, 1 at least: each takes the next location that none has
 * taken. Where a thread or an input can't be had, those that there are do all.
 *
 * \return MW_OK; MW_ERROR_MEMORY; of several failures of visit that of the lowest location, with
 * its diagnostic.
 */
enum mw_status mwa_each_location(struct mwa_input *input, uint32_t threads,
                                 mwa_location_visit *visit, void *user,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* What the thread that called does before it takes locations, while the others take them. */
struct mwa_beside {
    void (*work)(void *user);
    void *user;
};

/* The same, with something beside, or null. */
enum mw_status mwa_each_location_beside(struct mwa_input *input, uint32_t threads,
                                        const struct mwa_beside *beside,
                                        mwa_location_visit *visit, void *user,
                                        struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * How many threads are worth it to read all of input: at most what it may have, one per location,
 * and none for so few events that they are read sooner than the archive is opened again. 1 at
 * least.
 */
uint32_t mwa_threads_worth_it(const struct mwa_input *input);

/* The same where one of them has something beside to do: one more than there are locations. */
uint32_t mwa_threads_worth_it_beside(const struct mwa_input *input);

#endif
