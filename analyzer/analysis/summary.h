#ifndef MWA_ANALYSIS_SUMMARY_H
#define MWA_ANALYSIS_SUMMARY_H

#include "analyzer/analysis/results.h"

/* Figures that more than one renderer prints, each computed in one place. */

/* Whether its definitions tell of no loss and no incomplete rank; for those who see no events. */
bool mwa_says_complete(const struct mwa_trace *trace);

/*
 * True when nothing is known to be missing: no loss, no incomplete rank or one without events, no
 * open call. Without MWA_NEED_PROFILE it is not known what is open, and the definitions say who
 * has events.
 */
bool mwa_is_complete(const struct mwa_results *results);

/*
 * From the first event of all ranks to the last one, ns; without MWA_NEED_PROFILE what the
 * definitions say of that, if mwa_knows_duration.
 */
uint64_t mwa_duration_ns(const struct mwa_results *results);

/* The definitions of other tools' archives say many things of how long they are. */
bool mwa_knows_duration(const struct mwa_results *results);

/*
 * What was run, with its arguments but without its directory, which says little; the archive's
 * name where it does not say.
 */
const char *mwa_program(const struct mwa_results *results);

#define MWA_STARTED_BYTES 32

/*
 * When the trace begins, as ISO 8601 in UTC ("2026-11-20T17:20:03Z"), in text.
 *
 * \return text, or null when the archive does not say.
 */
const char *mwa_started(const struct mwa_trace *trace, char *text);

/* Sums over the runs of all ranks, and who is extreme. All zero when no rank has events. */
struct mwa_run_summary {
    uint64_t ranks; /* that have events */
    uint64_t run_ns; /* all of them together */
    uint64_t longest_run_ns;
    uint64_t length_ns; /* from the first beginning of a run to the last end: the job's */
    uint64_t useful_ns;
    uint64_t mpi_ns;
    uint64_t io_ns; /* of it, in MPI's file I/O; 0 where communicators are selected */
    uint64_t probing_ns; /* of all MPI in the runs, in calls that mwa_probes */
    struct mwa_spread {
        uint64_t min_ns;
        uint64_t average_ns; /* rounded down */
        uint64_t max_ns;
        uint32_t min_rank; /* the lowest of several */
        uint32_t max_rank;
    } useful, mpi;
};

void mwa_summarize_run(const struct mwa_profile *profile, struct mwa_run_summary *summary);

/* Of a rank's useful time what it computes: not what it is between polls in a row (struct
 * mwa_polling), where that is known. Of results with MWA_NEED_PROFILE. */
uint64_t mwa_computing_ns(const struct mwa_results *results, const struct mwa_rank_row *row);

/* That of all ranks. */
void mwa_summarize_computing(const struct mwa_results *results, struct mwa_spread *computing);

/* Time in all MPI calls but MPI_Init and MPI_Finalize, ns. */
uint64_t mwa_calls_time_ns(const struct mwa_profile *profile);

/* Time of the runs in calls with ranks of other jobs, ns. */
uint64_t mwa_across_ns(const struct mwa_profile *profile);

/* Time in calls that mwa_probes, of all threads, ns. */
uint64_t mwa_probing_ns(const struct mwa_results *results);

/*
 * Time of other threads than the main ones in these calls, ns: none of it is in the ranks' run. 0
 * where communicators are selected.
 */
uint64_t mwa_other_threads_ns(const struct mwa_results *results);

/*
 * How long threads that no row is about were on cores, of all ranks together, ns: of a hybrid
 * program most of its work, and in no time of the ranks. It is worth a word from that share of the
 * ranks' run on.
 */
#define MWA_THREADS_MATTER 0.05
uint64_t mwa_threads_ran_ns(const struct mwa_profile *profile);

/* Messages to ranks of the archive, and those of them within a host. */
uint64_t mwa_messages_to_ranks(const struct mwa_traffic *traffic);
uint64_t mwa_intra_host_messages(const struct mwa_results *results);

/* What the recorder told of what the run was recorded on, by name; null: nothing. */
const char *mwa_circumstance(const struct mwa_trace *trace, const char *name);

/* The last of the ranks from first on that are on one host and may run on the same cores. */
uint32_t mwa_last_bound_alike(const struct mwa_trace *trace, uint32_t first);

/* Whether that is known of both ranks, and so. */
bool mwa_are_bound_alike(const struct mwa_rank *one, const struct mwa_rank *other);

#define MWA_PLACE_BYTES 128

/* Behind a place in the program that leads to a library: how many others do, and which that is. */
#define MWA_AND_OTHERS " and "
#define MWA_VIA        " via "

/*
 * The code that makes a call, for people: "solve.c:31", without directories; a function
 * (mwa_function_name) and how far in it, or the library and the address, where the line is not
 * known.
 *
 * \return text; null when nothing is known of the site (an index, or MWA_NONE).
 */
const char *mwa_source_place(const struct mwa_trace *trace, uint32_t site, char *text);

/*
 * Where that is in the program: the same, but "solve.c:31 via libhdf5.so.103" where a library makes
 * the call, or "solve.c:31 via my_MPI_Send" where a wrapper does, and stacks tell the program's own
 * code that led there (analyzer/model/places.h). Where the wrapper makes that call in several
 * lines, "solve.c:31 via wrap.c:20" tells them apart.
 */
const char *mwa_place(const struct mwa_trace *trace, uint32_t site, char *text);

/*
 * The same of all calls at a site's place: "solve.c:31 and 2 more via libhdf5.so.103" where several
 * lines of the program lead there and most of their time is the first one's (mwa_led_by); the
 * library's own place where none has most. Of a wrapper each caller is a place. Any results.
 */
const char *mwa_main_place(const struct mwa_results *results, uint32_t site, char *text);

/*
 * The same in a list of places: where another one of the same call would read the same, since the
 * line leads to several in the library, it has what makes the call there: "solve.c:31 via
 * +0x12 in H5D_read", or "solve.c:31 via +0x10 in libhdf5.so.103". Takes the time of a look at all.
 */
const char *mwa_distinct_place(const struct mwa_results *results, uint32_t site, char *text);

#define MWA_CALL_AT_BYTES (MWA_PLACE_BYTES + 64)

/* The call made at a site (an index), and where that is if it is known: "MPI_Send, solve.c:31". */
const char *mwa_call_at(const struct mwa_trace *trace, uint32_t site, char *text);
const char *mwa_main_call_at(const struct mwa_results *results, uint32_t site, char *text);

#define MWA_AT_PLACE_BYTES (MWA_PLACE_BYTES + 8)

/* Of one call in a sentence: " at solve.c:31", " in solve+0x12"; "": nothing is known. */
const char *mwa_at_place(const struct mwa_trace *trace, uint32_t site, char *text);

/* The same of all calls at a place, a site: the library's own place where callers differ. */
const char *mwa_at_place_of_all(const struct mwa_trace *trace, uint32_t place, char *text);

/* "paused", "incomplete", …; static storage. */
const char *mwa_unmatched_reason_name(unsigned reason);

/*
 * How many messages have one end only for a pause: the n-th send of a channel is matched with its
 * n-th receive, and what a pause left out on one side only moves all behind it.
 */
uint64_t mwa_unmatched_for_pauses(const struct mwa_matching_result *matching);

/*
 * Whether messages may be matched with others' ends, so that it need not be clocks that disagree
 * where one is received before it was sent: behind a pause, and where several threads of a rank
 * call MPI, which may serve one first that came later. Of results with MWA_NEED_PROFILE and
 * MWA_NEED_MATCHING.
 */
bool mwa_may_be_mismatched(const struct mwa_results *results);

#endif
