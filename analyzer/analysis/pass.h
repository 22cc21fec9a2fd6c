#ifndef MWA_ANALYSIS_PASS_H
#define MWA_ANALYSIS_PASS_H

#include "analyzer/analysis/analysis.h"
#include "analyzer/analysis/chapter_cut.h"
#include "analyzer/analysis/region_paths.h"
#include "analyzer/analysis/span_cut.h"
#include "analyzer/exchange/exchange.h"
#include "analyzer/exchange/ordering.h"
#include "analyzer/load/input.h"
#include "analyzer/model/thread_limit.h"
#include "analyzer/model/waypoint.h"
#include "analyzer/team/team.h"
#include "formats/base/status.h"

/*
 * One pass over all events of an archive: keeps each location's stack of calls, hands
 * every event with what surrounds it to the analyses, and to an ordering or an exchange
 * engine.
 *
 * Without these, locations are read one after the other in constant memory, by as many
 * threads as the input may have, each with partial results of its own. With one
 * all are open together (80 to 200 KiB each), and the one that is furthest behind in time is
 * read next, so that both ends of a message are seen within a short while; where clocks are so far
 * apart that they are not, others are read on until what a location's calls wait for is there.
 * Other threads, as many as the input may have, read ahead and hand what they read to the analyses,
 * each location by one of them; the ordering, the engine and the listener are told by the thread
 * that called.
 *
 * Without them, the processes of a team each read a share of the ranks, and the first one merges
 * what the others found, in their order, of analyses that all have pack. Results do not depend on
 * how many there are.
 */

#define MWA_PASS_ANALYSES 31u /* at most: there is a bit for each, and one for the listener */

/*
 * Who is told of waypoints and of all events: before the engine is told of what is at the
 * same time or later. Null: not wanted.
 */
struct mwa_pass_listener {
    void *user;
    enum mw_status (*moment)(void *user, const struct mwa_moment *moment);
    enum mw_status (*waypoint)(void *user, uint32_t location,
                               const struct mwa_waypoint *waypoint);
};

struct mwa_event_parts;

struct mwa_pass {
    struct mwa_input *input;
    const struct mwa_analysis *const *analyses;
    uint32_t analysis_count;
    struct mwa_ordering *ordering; /* null: none */
    struct mwa_exchange *exchange; /* null: none; it has an ordering of its own */
    struct mwa_thread_limit *limit; /* within which others work for that already; null: none do */
    uint64_t until; /* with an engine: reading may end when nothing that follows can change what is
                       told of calls up to this time, nor of what ranks do until then; 0: never */
    const struct mwa_chapter *chapter; /* with an engine or ordering: what is read, from where input
                                          begins; null: all of it */
    struct mwa_event_parts *parts; /* with a chapter: takes what the analyses, which all have parts,
                                      find in it, behind its first call, which is the last one of
                                      the chapter before; null: it is merged into totals */
    struct mwa_region_paths *paths; /* of calls that the engine is told of; null: these tell none */
    const struct mwa_pass_listener *listener; /* null: nobody. Only with an engine */
    uint32_t only_rank;            /* MWA_NONE: all locations, also those of no rank */
    const struct mwa_window *window; /* handed to the analyses; null: none */
    const bool *selected_comms;      /* the same */
    const struct mwa_other_locations *other_locations; /* the same */
    const struct mwa_span *span; /* nothing else counts, or null; not with an ordering or engine */
    const struct mwa_block_states *known; /* with span: where to begin; null: at the beginning */
    const struct mwa_team *team; /* that all have this pass in common; null: this process is alone.
                                    Not with an ordering or engine */
};

/* What can be wrong with calls and still be read. */
struct mwa_pass_result {
    uint64_t events;       /* OTF2 events of all locations, of whatever kind */
    uint64_t stray_leaves; /* of regions that had not been entered */
    uint64_t unclosed;     /* regions entered and not left: closed at the last time seen */
    uint64_t missing_events; /* that the definitions of locations promise, but are not there: as far
                                as it was read */
};

/* Adds what is wrong elsewhere. */
void mwa_pass_result_add(struct mwa_pass_result *into, const struct mwa_pass_result *from);

/* Sets totals to empty partial results of pass's analyses, or null from where there is no memory.
 * MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_pass_totals(const struct mwa_pass *pass, void **totals,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* How many events a location of pass is read at a time. */
uint32_t mwa_batch_of(const struct mwa_pass *pass);

/*
 * Runs the pass; totals[i] becomes the merged partial result of analyses[i], to be freed
 * with its destroy (also after a failure, where some are null). With parts they are left alone.
 *
 * \return MW_OK. MW_ERROR_MEMORY. MW_ERROR_FORMAT, MW_ERROR_SYSTEM as
 * mwa_event_reader_read; MW_ERROR_FORMAT for calls nested deeper than 100,000.
 * With a team, of the first failure in the order of locations, on all; totals and result of others
 * than the first process are of their own shares.
 */
enum mw_status mwa_pass_run(const struct mwa_pass *pass, void **totals,
                            struct mwa_pass_result *result,
                            struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * What the others of the pass's team do while the first process makes a pass with an ordering or an
 * engine: they read all that pass's analyses want, which all have pack, each a share of the ranks.
 * The first one is to call this behind its own pass, own being how that ended, and merges what they
 * found into totals. Returns as mwa_pass_run, where what the first process failed with comes first.
 */
enum mw_status mwa_pass_beside(const struct mwa_pass *pass, enum mw_status own, void **totals,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
