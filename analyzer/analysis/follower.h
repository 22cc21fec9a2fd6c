#ifndef MWA_ANALYSIS_FOLLOWER_H
#define MWA_ANALYSIS_FOLLOWER_H

#include "analyzer/analysis/analysis.h"
#include "analyzer/analysis/listeners.h"
#include "analyzer/analysis/matcher.h"

/*
 * Analyses of exchanges that follow a run together, or a chapter of it, with an engine of their
 * own; or nobody, and messages are only matched: begin, run, tell the rest; perhaps append what
 * others have found in later chapters; finish; end.
 * For one thread at a time.
 */

/* An analysis of exchanges that is wanted, and where its result goes. */
struct mwa_wanted_exchange {
    const struct mwa_exchange_analysis *analysis;
    void *result;
};

/* Fields are private. It stays where it was begun. */
struct mwa_follower {
    const struct mwa_wanted_exchange *wanted;
    struct mwa_exchange_listener *listeners;
    struct mwa_listening *moments; /* of those that take them */
    uint32_t count;
    uint32_t moment_count;
    struct mwa_scope scope; /* which takes waits, too */
    struct mwa_matcher matcher;
    struct mwa_thread_limit limit; /* of the threads that it has */
    bool has_limit;
    struct mwa_pass_listener listener;
};

/*
 * Makes count analyses for input, which must outlive them and wanted, too; ending is due in any
 * case. MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_follower_begin(struct mwa_follower *follower, struct mwa_input *input,
                                   const struct mwa_wanted_exchange *wanted, uint32_t count,
                                   const struct mwa_scope *scope,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Runs pass, whose engine (or ordering) and listener it is meanwhile. Returns as mwa_pass_run. */
enum mw_status mwa_follower_run(struct mwa_follower *follower, struct mwa_pass *pass,
                                 void **totals, struct mwa_pass_result *result,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* No event is to come; matching is to be freed. Returns as mwa_exchange_finish. */
enum mw_status mwa_follower_tell_rest(struct mwa_follower *follower,
                                       struct mwa_matching_result *matching,
                                       struct mwa_exchange_result *result,
                                       struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Whether what it has found, before it is told the rest, can be put together with other chapters,
 * of which it is the last one or not. */
bool mwa_follower_can_be_appended(const struct mwa_follower *follower, bool is_last);

/* Adds what later, with the same analyses, has found in the next chapter; both were told the rest.
 * MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_follower_append(struct mwa_follower *follower, struct mwa_follower *later,
                                    const struct mwa_seam *seam,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * What all analyses have found, for another process: as theirs (analysis.h).
 * unpack takes it out into a follower that was begun alike, and has no more to do than to be
 * appended.
 */
void mwa_follower_pack(struct mwa_follower *follower, struct mw_buffer *to);
enum mw_status mwa_follower_unpack(struct mwa_follower *follower, struct mwa_region_paths *paths,
                                    struct mw_cursor *from) MW_MUST_CHECK;

/* Fills the results. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_follower_finish(const struct mwa_follower *follower,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

void mwa_follower_end(struct mwa_follower *follower); /* all zeros is fine */

#endif
