#ifndef MWA_ANALYSIS_EXCHANGES_IN_CHAPTERS_H
#define MWA_ANALYSIS_EXCHANGES_IN_CHAPTERS_H

#include "analyzer/analysis/follower.h"
#include "analyzer/analysis/results.h"
#include "analyzer/load/chapters.h"

/*
 * What mwa_exchanges_run finds, found by several threads, of one process or of several: each
 * follows a chapter of the run after the other, and what all have found is put together in their
 * order. Results are the same, to the last digit.
 */

/* Who takes the waits of each chapter, and puts together what was taken. */
struct mwa_chapter_visitor {
    void *user;
    /* Both MW_OK, MW_ERROR_MEMORY. *one is for a chapter; they are added in their order. */
    enum mw_status (*begin)(void *user, void **one);
    enum mw_status (*add)(void *user, const void *one);
    mwa_wait_visit visit;   /* user is the chapter's one; by its thread */
    /* As an exchange analysis's (analysis.h). Only with a team. */
    void (*pack)(const void *one, struct mw_buffer *to);
    enum mw_status (*unpack)(void *one, struct mw_cursor *from);
    void (*end)(void *one); /* null is fine */
};

/*
 * How many chapters are wanted of the run of input by so many processes, each of as many threads as
 * input may have: 1 where these or memory are too few, or the run is too short.
 */
uint32_t mwa_chapters_wanted(const struct mwa_input *input, uint32_t processes);

/*
 * Runs pass (whose analyses all have parts, and which has neither engine nor end) in chapters with
 * count analyses of exchanges, or without any, matching only; visitor (null: nobody) is told of
 * waits instead of the scope's visit. Fills totals as mwa_pass_run, results' pass, matching and
 * exchange, and the results of the analyses of exchanges.
 *
 * With pass's team all its processes call this, for the same chapters and analyses that can travel:
 * each follows a share of the chapters, and the first one has the results. What it puts together
 * comes to it one process after the other.
 *
 * Where a chapter has to give up something for want of memory (mwa_exchange_has_given_up), the run
 * is followed from the beginning after all, by the first process alone.
 *
 * \return as mwa_exchanges_run; of several chapters that fail what the first one has failed with,
 * on the first process, and a failure on all.
 */
enum mw_status mwa_exchanges_run_in_chapters(const struct mwa_pass *pass,
                                             const struct mwa_chapters *chapters,
                                             const struct mwa_wanted_exchange *wanted,
                                             uint32_t count, const struct mwa_scope *scope,
                                             const struct mwa_chapter_visitor *visitor,
                                             void **totals, struct mwa_results *results,
                                             struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
