#include "analyzer/render/waits.h"

#include <inttypes.h>

#include "analyzer/render/clean.h"
#include "analyzer/render/delays.h"
#include "analyzer/render/summary.h"
#include "analyzer/render/units.h"
#include "analyzer/render/values.h"

/* --- text --------------------------------------------------------------------------------- */

/* The region or communicator of list's greatest element, "" if there is none. */
static const char *call_with_most(const struct mwa_results *results,
                                  const struct mwa_wait_row *row)
{
    uint32_t call = mwa_waits_most(row->call_ns, results->waits.call_count);

    return call == MWA_NONE ? ""
                            : results->trace->regions[results->trace->mpi_regions[call]].name;
}

static const char *comm_name(const struct mwa_trace *trace, uint32_t comm)
{
    return comm == MWA_NONE || !trace->comms[comm].name[0] ? "-" : trace->comms[comm].name;
}

/* "3  12.3 ms", or "-" */
static void put_rank(const struct mwa_results *results, const uint64_t *list, FILE *out)
{
    uint32_t rank = mwa_waits_most(list, results->waits.rank_count);
    char text[MWA_UNITS_BYTES];

    if (rank == MWA_NONE) {
        fprintf(out, " %17s", "-");
    } else {
        fprintf(out, " %6" PRIu32 " %10s", rank, mwa_time_text(list[rank], text));
    }
}

static void put_pattern(const struct mwa_results *results, enum mwa_wait_pattern pattern,
                        uint64_t whole, FILE *out)
{
    static const char mark[] = { [MWA_WAIT_COUNTS] = ' ',
                                 [MWA_WAIT_PART] = ' ',
                                 [MWA_WAIT_COMPLETION] = '+',
                                 [MWA_WAIT_OUTSIDE] = '*' };
    const struct mwa_wait_row *row = &results->waits.rows[pattern];
    bool is_part = mwa_wait_role(pattern) == MWA_WAIT_PART;
    char text[3][MWA_UNITS_BYTES];

    fprintf(out, "%s%-*s%c %9s %6s %7s", is_part ? "  " : "", is_part ? 19 : 21,
            mwa_wait_title(pattern), mark[mwa_wait_role(pattern)],
            mwa_time_text(row->total_ns, text[0]), mwa_share_text(row->total_ns, whole, text[1]),
            mwa_count_text(row->instances, text[2]));
    put_rank(results, row->rank_ns, out);
    put_rank(results, row->cause_ns, out);
    fprintf(out, "  ");
    mwa_put_clean(call_with_most(results, row), out);
    putc('\n', out);
}

static bool comes_first(const struct mwa_wait *one, const struct mwa_wait *other)
{
    return one->wait != other->wait ? one->wait > other->wait : one->time < other->time;
}

/* The pattern whose next worst wait, behind those shown of each, is the longest of all. */
static enum mwa_wait_pattern next_worst(const struct mwa_waits *waits, const uint32_t *shown)
{
    enum mwa_wait_pattern best = MWA_WAIT_PATTERNS;

    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        const struct mwa_wait_row *row = &waits->rows[i];

        if (mwa_wait_role(i) == MWA_WAIT_COUNTS && shown[i] < row->worst_count &&
            (best == MWA_WAIT_PATTERNS ||
             comes_first(&row->worst[shown[i]], &waits->rows[best].worst[shown[best]]))) {
            best = i;
        }
    }
    return best;
}

static void put_worst(const struct mwa_results *results, uint32_t top, FILE *out)
{
    uint32_t shown[MWA_WAIT_PATTERNS] = { 0 };
    enum mwa_wait_pattern pattern;
    char text[2][MWA_UNITS_BYTES];

    for (uint32_t i = 0; i < top; i++) {
        const struct mwa_wait *wait;

        pattern = next_worst(&results->waits, shown);
        if (pattern == MWA_WAIT_PATTERNS) {
            break;
        }
        if (i == 0) {
            fprintf(out, "\n%10s %10s %6s %8s  %-21s %s\n", "longest at", "waited", "rank",
                    "for rank", "pattern", "in, on");
        }
        wait = &results->waits.rows[pattern].worst[shown[pattern]++];
        fprintf(out, "%10s %10s %6" PRIu32 " ", mwa_time_text(wait->time, text[0]),
                mwa_time_text(wait->wait, text[1]), wait->rank);
        if (wait->cause == MWA_NONE) {
            fprintf(out, "%8s", "-");
        } else {
            fprintf(out, "%8" PRIu32, wait->cause);
        }
        fprintf(out, "  %-21s ", mwa_wait_title(pattern));
        mwa_put_clean(wait->call->name, out);
        fputs(", ", out);
        mwa_put_clean(comm_name(results->trace, wait->comm), out);
        putc('\n', out);
    }
}

/* What the numbers leave out, if anything. */
static void put_doubts(const struct mwa_results *results, FILE *out)
{
    const struct mwa_waits *waits = &results->waits;
    const struct mwa_exchange_result *exchange = &results->exchange;
    const struct mwa_matching_result *matching = &results->matching;
    const struct {
        uint64_t count;
        const char *what;
    } doubts[] = {
        { matching->unmatched_sends + matching->unmatched_receives,
          "messages have one end only: no waits of them" },
        { exchange->collectives_incomplete, "collective operations lack members: left out" },
        { waits->uncertain, "collective operations left out: ranks with losses are out of step" },
        { waits->neighbors_unknown,
          "neighbourhood operations left out: the neighbours are not known" },
        { waits->violations, "waits cut off where clocks disagree" },
    };

    for (size_t i = 0; i < sizeof doubts / sizeof doubts[0]; i++) {
        if (doubts[i].count > 0) {
            fprintf(out, "note: %" PRIu64 " %s\n", doubts[i].count, doubts[i].what);
        }
    }
}

void mwa_text_waits(const struct mwa_results *results, uint32_t top, FILE *out)
{
    const struct mwa_waits *waits = &results->waits;
    bool has_completion = false;
    bool has_outside = false;
    struct mwa_run_summary run;
    char text[2][MWA_UNITS_BYTES];

    mwa_summarize_run(&results->profile, &run);
    fprintf(out, "waiting takes %s, %s of the ranks' run",
            mwa_time_text(mwa_waits_total_ns(waits), text[0]),
            mwa_share_text(mwa_waits_total_ns(waits), run.run_ns, text[1]));
    if (mwa_waits_other_threads_ns(waits) > 0) {
        fprintf(out, "; %s of it in other threads than the main ones",
                mwa_time_text(mwa_waits_other_threads_ns(waits), text[0]));
    }
    putc('\n', out);
    fprintf(out, "%-28s %9s %6s %7s %6s %10s %6s %10s  %s\n", "pattern", "time", "of run",
            "waits", "rank", "waits most", "rank", "waited for", "mostly in");
    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        if (waits->rows[i].instances > 0) {
            put_pattern(results, i, run.run_ns, out);
            has_completion |= mwa_wait_role(i) == MWA_WAIT_COMPLETION;
            has_outside |= mwa_wait_role(i) == MWA_WAIT_OUTSIDE;
        }
    }
    if (has_completion || has_outside) {
        fprintf(out, "not in the sum:%s%s%s\n",
                has_completion ? " + the operation's own time" : "",
                has_completion && has_outside ? "," : "",
                has_outside ? " * outside of the run" : "");
    }
    mwa_text_delays(results, top, out);
    put_worst(results, top, out);
    put_doubts(results, out);
}

/* --- JSON --------------------------------------------------------------------------------- */

static json_t *ranks_json(const uint64_t *list, uint64_t count)
{
    json_t *array = json_array();

    for (uint64_t i = 0; i < count; i++) {
        json_array_append_new(array, mwa_json_number(list ? list[i] : 0));
    }
    return array;
}

static json_t *calls_json(const struct mwa_results *results, const struct mwa_wait_row *row)
{
    const struct mwa_trace *trace = results->trace;
    json_t *array = json_array();

    for (uint64_t i = 0; row->call_ns && i < results->waits.call_count; i++) {
        if (row->call_ns[i] > 0) {
            json_t *object = json_object();

            json_object_set_new(object, "call",
                                mwa_json_text(trace->regions[trace->mpi_regions[i]].name));
            json_object_set_new(object, "wait_ns", mwa_json_number(row->call_ns[i]));
            json_array_append_new(array, object);
        }
    }
    return array;
}

/* A communicator's name and identity, null for none. */
static void set_comm(json_t *object, const struct mwa_trace *trace, uint32_t comm)
{
    json_object_set_new(object, "comm",
                        mwa_json_text(comm == MWA_NONE ? NULL : trace->comms[comm].name));
    json_object_set_new(object, "comm_uid", mwa_json_comm_uid(trace, comm));
}

static json_t *comms_json(const struct mwa_results *results, const struct mwa_wait_row *row)
{
    json_t *array = json_array();

    for (uint64_t i = 0; row->comm_ns && i < results->waits.comm_count; i++) {
        if (row->comm_ns[i] > 0) {
            json_t *object = json_object();

            set_comm(object, results->trace, (uint32_t)i);
            json_object_set_new(object, "wait_ns", mwa_json_number(row->comm_ns[i]));
            json_array_append_new(array, object);
        }
    }
    return array;
}

static json_t *worst_json(const struct mwa_results *results, const struct mwa_wait_row *row)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < row->worst_count; i++) {
        const struct mwa_wait *wait = &row->worst[i];
        json_t *object = json_object();

        json_object_set_new(object, "t_ns", mwa_json_number(wait->time));
        json_object_set_new(object, "rank", mwa_json_number(wait->rank));
        json_object_set_new(object, "cause_rank",
                            wait->cause == MWA_NONE ? json_null() : mwa_json_number(wait->cause));
        json_object_set_new(object, "wait_ns", mwa_json_number(wait->wait));
        json_object_set_new(object, "call", mwa_json_text(wait->call->name));
        set_comm(object, results->trace, wait->comm);
        json_array_append_new(array, object);
    }
    return array;
}

static double share_of(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static json_t *pattern_json(const struct mwa_results *results, enum mwa_wait_pattern pattern,
                            uint64_t whole)
{
    static const char *const roles[] = { [MWA_WAIT_COUNTS] = "wait",
                                         [MWA_WAIT_PART] = "part",
                                         [MWA_WAIT_COMPLETION] = "completion",
                                         [MWA_WAIT_OUTSIDE] = "outside" };
    const struct mwa_wait_row *row = &results->waits.rows[pattern];
    json_t *object = json_object();

    json_object_set_new(object, "name", json_string(mwa_wait_name(pattern)));
    json_object_set_new(object, "total_ns", mwa_json_number(row->total_ns));
    json_object_set_new(object, "share", json_real(share_of(row->total_ns, whole)));
    json_object_set_new(object, "instances", mwa_json_number(row->instances));
    json_object_set_new(object, "per_rank_ns",
                        ranks_json(row->rank_ns, results->waits.rank_count));
    json_object_set_new(object, "worst", worst_json(results, row));
    json_object_set_new(object, "role", json_string(roles[mwa_wait_role(pattern)]));
    json_object_set_new(object, "synchronizations", mwa_json_number(row->synchronizations));
    json_object_set_new(object, "caused_by_rank_ns",
                        ranks_json(row->cause_ns, results->waits.rank_count));
    json_object_set_new(object, "per_call", calls_json(results, row));
    json_object_set_new(object, "per_comm", comms_json(results, row));
    return object;
}

json_t *mwa_json_waits(const struct mwa_results *results)
{
    const struct mwa_waits *waits = &results->waits;
    json_t *object = json_object();
    json_t *array = json_array();
    struct mwa_run_summary run;
    uint64_t total = mwa_waits_total_ns(waits);

    mwa_summarize_run(&results->profile, &run);
    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        json_array_append_new(array, pattern_json(results, i, run.run_ns));
    }
    json_object_set_new(object, "schema", json_string("mpiwatch-waits/1"));
    json_object_set_new(object, "patterns", array);
    json_object_set_new(object, "total_ns", mwa_json_number(total));
    json_object_set_new(object, "share", json_real(share_of(total, run.run_ns)));
    json_object_set_new(object, "other_threads_ns",
                        mwa_json_number(mwa_waits_other_threads_ns(waits)));
    json_object_set_new(object, "ranks_run_ns", mwa_json_number(run.run_ns));
    json_object_set_new(object, "delays", mwa_json_delays(results));
    json_object_set_new(object, "clock_violations", mwa_json_number(waits->violations));
    json_object_set_new(object, "clock_violation_max_ns",
                        mwa_json_number(waits->violation_max_ns));
    json_object_set_new(object, "messages_unmatched",
                        mwa_json_number(results->matching.unmatched_sends +
                                        results->matching.unmatched_receives));
    json_object_set_new(object, "collectives_incomplete",
                        mwa_json_number(results->exchange.collectives_incomplete));
    json_object_set_new(object, "collectives_uncertain", mwa_json_number(waits->uncertain));
    json_object_set_new(object, "neighbors_unknown", mwa_json_number(waits->neighbors_unknown));
    json_object_set_new(object, "calls_unresolved",
                        mwa_json_number(results->exchange.calls_unresolved));
    return object;
}

/* --- CSV ---------------------------------------------------------------------------------- */

void mwa_csv_waits(const struct mwa_results *results, FILE *out)
{
    const struct mwa_waits *waits = &results->waits;

    fprintf(out, "name,rank,wait_ns,caused_ns\n");
    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        const struct mwa_wait_row *row = &waits->rows[i];

        for (uint64_t rank = 0; row->rank_ns && rank < waits->rank_count; rank++) {
            if (row->rank_ns[rank] > 0 || row->cause_ns[rank] > 0) {
                fprintf(out, "%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", mwa_wait_name(i), rank,
                        row->rank_ns[rank], row->cause_ns[rank]);
            }
        }
    }
}
