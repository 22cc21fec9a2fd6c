/* What ranks spend time on in MPI beside waiting. Of all threads, as the tables of calls are. */
#include <string.h>

#include "analyzer/analysis/causes/calls_spent.h"
#include "analyzer/analysis/causes/cause_judges.h"
#include "analyzer/analysis/time/tally.h"
#include "analyzer/model/error_class.h"

#define UNEQUAL 1.5 /* times what each rank would send of it if all sent alike */

static const struct mwa_call_row *row_of(const struct mwa_profile *profile, unsigned call)
{
    for (uint64_t i = 0; i < profile->call_count; i++) {
        if (profile->calls[i].region->call == call) {
            return &profile->calls[i];
        }
    }
    return NULL;
}

/* --- collective operations ------------------------------------------------------------------- */

/* Whether a function's name begins with one of these, of which the last is null. */
static bool is_named(unsigned call, const char *const *beginnings)
{
    bool is_one = false;

    for (; call < MW_CALL_COUNT && *beginnings; beginnings++) {
        is_one |= strncmp(mw_call_name(call), *beginnings, strlen(*beginnings)) == 0;
    }
    return is_one;
}

/* Whether one of these operations takes much of the run. */
static bool is_bound_by(const struct mwa_judging *judging, bool (*is_one)(unsigned call),
                        struct mwa_cause *cause)
{
    const struct mwa_calls calls = mwa_sum_calls(judging, is_one, MWA_BESIDE_POSSIBLE_WAITS);
    const struct mwa_call_row *most = calls.most;

    if (!most || calls.most_spent.ns < MWA_CALLS_BIND * (double)judging->run.run_ns) {
        return false;
    }
    cause->count = most->count;
    cause->bytes = most->count ? most->bytes_sent / most->count : 0;
    mwa_take_calls(judging, &calls, &calls.most_spent, cause);
    return true;
}

static bool is_all_to_all(unsigned call)
{
    static const char *const names[] = { "MPI_Alltoall", "MPI_Allgather", NULL };

    return is_named(call, names);
}

/* The rank that sends most of it, at least: what ranks send in other calls may all be its. */
static void name_sender(const struct mwa_judging *judging, const struct mwa_call_row *call,
                        struct mwa_cause *cause)
{
    const struct mwa_profile *profile = &judging->results->profile;
    const struct mwa_rank_row *most = NULL;
    double all = 0, part;

    for (uint64_t i = 0; i < profile->rank_count; i++) {
        all += (double)profile->ranks[i].bytes_sent;
        if (!most || profile->ranks[i].bytes_sent > most->bytes_sent) {
            most = &profile->ranks[i];
        }
    }
    part = most ? mwa_ratio((double)most->bytes_sent - (all - (double)call->bytes_sent),
                            (double)call->bytes_sent)
                : 0;
    if (part >= MWA_CAUSE_MOST && part * (double)judging->run.ranks >= UNEQUAL) {
        mwa_blame(cause, most->rank);
        cause->part = part;
    }
}

bool mwa_judge_alltoall(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_trace *trace = judging->results->trace;

    if (!is_bound_by(judging, is_all_to_all, cause)) {
        return false;
    }
    name_sender(judging, row_of(&judging->results->profile, trace->regions[cause->region].call),
                cause);
    return true;
}

static bool reduces(unsigned call)
{
    static const char *const names[] = { "MPI_Allreduce", "MPI_Reduce", "MPI_Scan", "MPI_Exscan",
                                         NULL };

    return is_named(call, names);
}

bool mwa_judge_reduction(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    return is_bound_by(judging, reduces, cause);
}

static bool is_barrier(unsigned call)
{
    return call == MW_CALL_MPI_Barrier;
}

/* Whether it can be left out, as the operation beside it does what it does. */
static bool is_needless(const struct mwa_judging *judging, uint32_t site)
{
    struct mwa_cause needless = { .behind = MWA_NONE };

    return mwa_judge_needless_barrier(judging, &needless) &&
           mwa_matters(judging, (double)needless.up_to_ns) && needless.site == site;
}

/* It moves nothing: what it takes is what meeting costs, and adds up where ranks do so often. */
bool mwa_judge_barriers(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    return is_bound_by(judging, is_barrier, cause) && cause->count >= MWA_CALLS_MANY &&
           !is_needless(judging, cause->site);
}

static bool is_among_neighbors(unsigned call)
{
    static const char *const names[] = { "MPI_Neighbor_", NULL };

    return is_named(call, names);
}

bool mwa_judge_neighbors(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    return is_bound_by(judging, is_among_neighbors, cause);
}

/* Whether it is the broadcast behind what one operation would do with it. */
static bool is_half_of_pair(const struct mwa_judging *judging, uint32_t site)
{
    struct mwa_cause pair = { .behind = MWA_NONE };

    return mwa_judge_reduce_bcast(judging, &pair) &&
           mwa_matters(judging, (double)pair.up_to_ns) && pair.behind == site;
}

/* Those whose rows above do not advise it. */
static bool is_one_way(unsigned call)
{
    static const char *const names[] = { "MPI_Bcast", "MPI_Gather", "MPI_Scatter", NULL };

    return is_named(call, names);
}

/*
 * A message of next to nothing costs what processors do for it, and who waits for it waits for its
 * sender: nothing can be computed beside either.
 */
bool mwa_judge_overlap(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const uint64_t useful = judging->computing.average_ns;

    if (!is_bound_by(judging, is_one_way, cause) || cause->bytes <= MWA_BURST_BYTES ||
        is_half_of_pair(judging, cause->site)) {
        return false;
    }
    cause->up_to_ns = cause->up_to_ns < useful ? cause->up_to_ns : useful;
    return true;
}

bool mwa_judge_tiny_operations(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    return is_bound_by(judging, is_one_way, cause) && cause->bytes <= MWA_BURST_BYTES &&
           !is_half_of_pair(judging, cause->site);
}

/* --- messages ------------------------------------------------------------------------------- */

static bool exchanges_messages(unsigned call)
{
    return call < MW_CALL_COUNT && mw_call_group(call) == MW_GROUP_P2P && !mw_call_polls(call);
}

/*
 * Whether ranks had no core for most of what calls take beside waiting. A message needs both: who
 * has a core is held, and computes in its call, by who has none, which no wait shows where the
 * other had begun its part. What a message takes is not known then.
 */
static bool is_mostly_lack(const struct mwa_spent *spent)
{
    return spent->lack_ns > spent->ns;
}

static void take_off(const struct mwa_spent *spent, struct mwa_spent *from)
{
    from->ns -= spent->ns;
    from->lack_ns -= spent->lack_ns;
    from->waited_ns -= spent->waited_ns;
}

/* Tiny messages' share of the time in calls of messages that do not poll, beside those that move
 * long ones. */
bool mwa_judge_tiny(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_results *results = judging->results;
    const struct mwa_bursts *bursts = &results->bursts;
    const double part = mwa_ratio((double)bursts->count, (double)results->traffic.messages);
    struct mwa_calls calls;
    struct mwa_spent spent;

    if (bursts->count < MWA_CALLS_MANY) {
        return false;
    }
    calls = mwa_sum_calls(judging, exchanges_messages, MWA_OF_MESSAGES_BESIDE_WAITS);
    spent = calls.spent;
    take_off(&calls.in_long, &spent);
    spent.ns *= part;
    spent.lack_ns *= part;
    spent.waited_ns *= part;
    mwa_blame(cause, bursts->most.from);
    cause->peer = bursts->most.to;
    cause->site = bursts->most.site;
    cause->is_of_caller = true;
    cause->count = bursts->count;
    cause->bytes = bursts->most.bytes / bursts->most.count;
    mwa_take_spent(judging, &spent, cause);
    return !is_mostly_lack(&spent);
}

/* Whether it takes part in moving messages: it neither polls nor probes, which is waiting. */
static bool moves(unsigned call)
{
    const enum mw_call_kind kind = mw_call_kind(call);

    return exchanges_messages(call) && kind != MW_KIND_PROBE && kind != MW_KIND_MPROBE;
}

/* Whether moving messages, long ones or short ones, takes much of the run, by calls that block, or
 * in what completes those that do not; how many there are, and of how many bytes on average. */
static bool are_messages_bound(const struct mwa_judging *judging, bool by_long,
                               struct mwa_cause *cause)
{
    const struct mwa_traffic *traffic = &judging->results->traffic;
    const struct mwa_calls calls = mwa_sum_calls(judging, moves, MWA_OF_MESSAGES_BESIDE_WAITS);

    if (!calls.most || calls.spent.ns < MWA_CALLS_BIND * (double)judging->run.run_ns) {
        return false;
    }
    cause->count = traffic->messages;
    cause->bytes = mwa_bytes_of(traffic);
    mwa_take_calls(judging, &calls, &calls.spent, cause);
    return mwa_are_long(&calls, cause->bytes) == by_long && !is_mostly_lack(&calls.spent);
}

bool mwa_judge_messages(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    return are_messages_bound(judging, true, cause);
}

/* Whether the row above of tiny ones has said what most of it is. */
static bool are_mostly_tiny(const struct mwa_judging *judging)
{
    const struct mwa_bursts *bursts = &judging->results->bursts;

    return (double)bursts->count >=
           MWA_CAUSE_MOST * (double)judging->results->traffic.messages;
}

/* It is not bytes that they take their time for, but how often there is one. */
bool mwa_judge_small_messages(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    return are_messages_bound(judging, false, cause) && cause->count >= MWA_CALLS_MANY &&
           !are_mostly_tiny(judging);
}

/* While a rank computes they may go on, for no longer than that. */
bool mwa_judge_completion(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const uint64_t useful = judging->computing.average_ns;
    const struct mwa_calls calls =
        mwa_sum_calls(judging, exchanges_messages, MWA_OF_OPERATIONS_BESIDE_WAITS);

    if (!calls.most || calls.spent.ns < MWA_CALLS_BIND * (double)judging->run.run_ns) {
        return false;
    }
    mwa_take_calls(judging, &calls, &calls.spent, cause);
    cause->up_to_ns = cause->up_to_ns < useful ? cause->up_to_ns : useful;
    return true;
}

#define FLOOD 100 /* messages that queue at a rank, on average */

bool mwa_judge_flood(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_queue *most = &judging->results->queueing.most;
    const struct mwa_profile *profile = &judging->results->profile;

    if (most->count == 0 || most->rank >= profile->rank_count ||
        profile->ranks[most->rank].run_ns == 0) {
        return false;
    }
    mwa_blame(cause, most->rank);
    cause->site = most->site;
    cause->is_of_caller = true;
    cause->count = most->total_ns / profile->ranks[most->rank].run_ns;
    cause->bytes = most->bytes / most->count;
    return cause->count >= FLOOD;
}

/* --- faults --------------------------------------------------------------------------------- */

#define LEAKS 10u /* a handful that lives to the end is no fault */

/* Where most of the communicators of a finding were made. */
static uint32_t site_of_creation(const struct mwa_results *results,
                                 const struct mwa_comm_finding *finding)
{
    const struct mwa_comm_row *rows = results->comms.rows;
    uint32_t most = MWA_NONE;
    uint64_t most_count = 0;
    uint64_t count = 0;

    for (uint64_t i = 0; i < finding->count; i++) {
        const uint32_t site = rows[finding->comms[i]].created_site;

        count = i > 0 && rows[finding->comms[i - 1]].created_site == site ? count + 1 : 1;
        if (site != MWA_NONE && count > most_count) {
            most_count = count;
            most = site;
        }
    }
    return most;
}

/* Of several the one that is most often: who sends to whom, of those that are in it. */
bool mwa_judge_circle(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_mistakes *circles = &judging->results->send_circles;
    const struct mwa_mistake *most = circles->count > 0 ? &circles->list[0] : NULL;

    if (!most || !most->is_sure) {
        return false;
    }
    mwa_blame(cause, most->rank);
    if (most->other != most->rank) {
        mwa_blame(cause, most->other);
    }
    cause->site = most->site;
    cause->is_of_caller = true;
    cause->count = most->count;
    cause->bytes = most->bytes;
    return true;
}

/* Whether a file is there is asked by opening or deleting it: that it is not is an answer. */
static bool is_answer(const struct mwa_trace *trace, const struct mwa_call_error *error)
{
    const char *name = mwa_error_class_name(trace, error->error_class);

    return name && (strcmp(name, "MPI_ERR_NO_SUCH_FILE") == 0 ||
                    strcmp(name, "MPI_ERR_FILE_EXISTS") == 0);
}

/* Of several the one that is most often. Of what ended the run there is no more to be said than
 * analyzer/analysis/hang does. */
bool mwa_judge_errors(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_call_errors *errors = &judging->results->call_errors;
    const struct mwa_call_error *worst = NULL;

    for (uint64_t i = 0; i < errors->count; i++) {
        const struct mwa_call_error *error = &errors->list[i];

        if (!error->is_fatal && !is_answer(judging->results->trace, error)) {
            worst = worst ? worst : error;
            cause->operations += error->count;
        }
    }
    if (!worst) {
        return false;
    }
    cause->site = worst->place;
    cause->count = worst->count;
    cause->error_class = worst->error_class;
    if (worst->rank != MWA_NONE) {
        mwa_blame(cause, worst->rank);
    }
    return true;
}

bool mwa_judge_comm_leak(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_comm_findings *findings = &judging->results->comm_findings;

    for (uint32_t i = 0; i < findings->count; i++) {
        if (findings->list[i].kind == MWA_COMM_LEAKED) {
            cause->count = findings->list[i].count;
            cause->site = site_of_creation(judging->results, &findings->list[i]);
            cause->is_of_caller = true;
        }
    }
    return cause->count >= LEAKS;
}

/* What was freed while it was active is not told by events, but the calls are. */
bool mwa_judge_request_leak(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_results *results = judging->results;
    const struct mwa_call_row *freed = row_of(&results->profile, MW_CALL_MPI_Request_free);
    const uint64_t count = results->unfinished.count;

    if (count <= (freed ? freed->count : 0) || !mwa_is_complete(results) ||
        mwa_trace_has_gaps(results->trace) ||
        mwa_trace_left_out(results->trace) & 1u << MW_GROUP_P2P) {
        return false;
    }
    mwa_blame(cause, results->unfinished.rank);
    cause->operations = freed ? freed->count : 0;
    cause->count = count - cause->operations;
    cause->site = results->unfinished.site;
    cause->is_of_caller = true;
    return true;
}

/* How long a run was that was ended inside of calls, or behind the last record, is not known. */
bool mwa_judge_init(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    cause->time_ns = judging->init_ns;
    return judging->results->profile.open_calls == 0 && !judging->results->trace->ends_early &&
           cause->time_ns > judging->run.longest_run_ns;
}
