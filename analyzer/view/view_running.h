#ifndef MWA_VIEW_VIEW_RUNNING_H
#define MWA_VIEW_VIEW_RUNNING_H

#include <jansson.h>

#include "analyzer/view/view_store.h"

/*
 * How many ranks are in each state: what all did together until each of up to MWA_VIEW_EDGES_MOST
 * equally distant times, so that far out not every rank is to be looked at.
 */

#define MWA_VIEW_EDGES_MOST  16384u
#define MWA_VIEW_EDGES_LEAST 1024u
#define MWA_VIEW_EDGES_LOOKS (1u << 20) /* at ranks, while they are made: of many, fewer edges */
#define MWA_VIEW_CELLS_LEAST 64u        /* of a distance each that are enough for a picture */
#define MWA_VIEW_RANKS_MOST  32768u     /* looks at ranks for an answer nearer by */

/* What all ranks did until then. */
struct mwa_view_sum {
    uint64_t ticks[MWA_RANK_STATES];
    struct mwa_view_off off;
};

/* Fills store's sums; its states are made. \return as mwa_view_array_add. */
enum mw_status mwa_view_running_make(struct mwa_view_store *store,
                                     struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * {"edges": [ticks since store->from, …], "cells": [[ranks in the first state, …], …]}: on average
 * between two edges. They reach from from to to, or a little further, in at most so many cells;
 * one cell is exactly what is asked for. Null without memory. Any thread.
 */
json_t *mwa_view_running(const struct mwa_view_store *store, uint64_t from, uint64_t to,
                         uint32_t cells);

/*
 * The same of cores, of all ranks, or of one, row: {"edges": […], "cells": [[ranks that could have
 * run between calls of MPI and had no core, slept there, the same two in calls, ranks that are
 * told of, of these those of which nobody knows], …]}. Null: it is not recorded; without memory.
 */
json_t *mwa_view_off_core(const struct mwa_view_store *store, uint32_t row, uint64_t from,
                          uint64_t to, uint32_t cells);

#endif
