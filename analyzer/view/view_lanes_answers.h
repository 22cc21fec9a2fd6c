#ifndef MWA_VIEW_VIEW_LANES_ANSWERS_H
#define MWA_VIEW_VIEW_LANES_ANSWERS_H

#include <jansson.h>

#include "analyzer/view/view_server.h"
#include "analyzer/view/view_store.h"

/*
 * What is answered of the lanes below the timeline. Times are ticks since store->from, but where
 * they are called ns; from and to are of what is shown, both included, and cells how many parts of
 * it are told of. Values are found by indices: the work does not grow with the archive.
 *
 *   variables  {"list": [{"variable": 0, "name": …, "class": …, "unit": …, "of": …, "comm": …,
 *              "ranks": 2}, …], "count": all}
 *   variable   of variable, rank (not given: of all ranks; sum=1: their sum, else least and
 *              greatest); see below
 *   flights    {"list": [{"comm": 3, "name": …}, …], "count": all}: on which there were messages
 *   flight     bytes in flight; comm (not given: of all); see below
 *   alive      communicators alive; see below
 *   lives      of communicators that are alive meanwhile; {"count": all of these, "list": [{…}, …]}
 *   marks      {"count": …, "list": [{…}, …]}
 *   running    how many ranks are in each state on average, in equal cells:
 *              {"edges": [0, 9, …], "cells": [[…], …]} (view_running.h)
 *
 * A value over time is {"steps": [[time, value, low, high, since, flags], …]}, those that are shown
 * with one before and one behind them, or, where these are too many or of all ranks,
 * {"cells": [[low, high, last, flags] or null, …]}; flags are enum mwa_view_step_flags.
 *
 * \return null: there is no such answer, or no memory. Any thread.
 */
json_t *mwa_view_lane(const struct mwa_view_store *store, const char *name,
                      const struct mwa_view_question *question);

#define MWA_VIEW_STEPS_MOST  800u    /* of one value, else cells are told */
#define MWA_VIEW_LISTED_MOST 500u    /* variables, lives, marks in an answer */
#define MWA_VIEW_LOOKS_MOST  131072u /* ranks times cells; cells are fewer then */

#endif
