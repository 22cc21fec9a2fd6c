/* One sum over the table of calls: judges differ in what they ask of it. */
#include "analyzer/analysis/causes/calls_spent.h"

static uint64_t none(const struct mwa_waits *waits, uint32_t mpi_index)
{
    return 0;
}

/* How long ranks wait in all calls of a function. */
static uint64_t waited_in(const struct mwa_waits *waits, uint32_t mpi_index)
{
    uint64_t ns = 0;

    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        ns += mwa_wait_role(i) == MWA_WAIT_COUNTS && waits->rows[i].call_ns
                  ? waits->rows[i].call_ns[mpi_index]
                  : 0;
    }
    return ns;
}

/* What they waited there for others of collective operations, or may have. */
static uint64_t or_unmet(const struct mwa_waits *waits, uint32_t mpi_index, uint64_t waited)
{
    const uint64_t unmet = waits->unmet_ns ? waits->unmet_ns[mpi_index] : 0;

    return waited > unmet ? waited : unmet;
}

static uint64_t may_wait_in(const struct mwa_waits *waits, uint32_t mpi_index)
{
    return or_unmet(waits, mpi_index, waited_in(waits, mpi_index));
}

static uint64_t waits_for_messages(const struct mwa_waits *waits, uint32_t mpi_index)
{
    static const enum mwa_wait_pattern patterns[] = { MWA_WAIT_LATE_SENDER, MWA_WAIT_LATE_RECEIVER,
                                                      MWA_WAIT_LATE_PROGRESS };
    uint64_t ns = 0;

    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        const uint64_t *call_ns = waits->rows[patterns[i]].call_ns;

        ns += call_ns ? call_ns[mpi_index] : 0;
    }
    return ns;
}

static uint64_t may_wait_for_operations(const struct mwa_waits *waits, uint32_t mpi_index)
{
    return or_unmet(waits, mpi_index,
                    waited_in(waits, mpi_index) - waits_for_messages(waits, mpi_index));
}

/* What of the time in calls is asked for; MWA_USES: all of it. */
static enum mwa_use use_of(enum mwa_asked asked)
{
    switch (asked) {
    case MWA_OF_MESSAGES:
    case MWA_OF_MESSAGES_BESIDE_WAITS:
        return MWA_USE_MESSAGES;
    case MWA_OF_OPERATIONS_BESIDE_WAITS:
        return MWA_USE_OPERATIONS;
    default:
        return MWA_USES;
    }
}

/* Whether each call moves one message, or one each way, and is over when it has; or accesses a
 * window. */
static bool moves_one(unsigned call)
{
    switch (mw_call_kind(call)) {
    case MW_KIND_SEND:
    case MW_KIND_RECV:
    case MW_KIND_MRECV:
    case MW_KIND_SENDRECV:
    case MW_KIND_SENDRECV_REPLACE:
    case MW_KIND_ACCESS:
    case MW_KIND_RACCESS:
        return true;
    default:
        return false;
    }
}

/* Adds what is spent in calls of a function. */
static void add_row(const struct mwa_call_row *row, const struct mwa_spent *spent,
                    struct mwa_calls *calls)
{
    const uint64_t most =
        row->bytes_sent > row->bytes_received ? row->bytes_sent : row->bytes_received;

    calls->count += row->count;
    calls->time_ns += row->time_ns;
    mwa_add_spent(spent, &calls->spent);
    if (moves_one(row->region->call)) {
        mwa_add_spent(spent, most > row->count * MWA_LONG_BYTES ? &calls->in_long
                                                                : &calls->in_short);
    }
    if (spent->ns > calls->most_spent.ns) {
        calls->most = row;
        calls->most_spent = *spent;
    }
}

struct mwa_calls mwa_sum_calls(const struct mwa_judging *judging, bool (*is_one)(unsigned call),
                               enum mwa_asked asked)
{
    static uint64_t (*const waits[MWA_ASKED])(const struct mwa_waits *, uint32_t) = {
        [MWA_WHOLE] = none,
        [MWA_BESIDE_WAITS] = waited_in,
        [MWA_BESIDE_POSSIBLE_WAITS] = may_wait_in,
        [MWA_OF_MESSAGES] = none,
        [MWA_OF_MESSAGES_BESIDE_WAITS] = waits_for_messages,
        [MWA_OF_OPERATIONS_BESIDE_WAITS] = may_wait_for_operations
    };
    const struct mwa_results *results = judging->results;
    const enum mwa_use use = use_of(asked);
    struct mwa_calls calls = { .asked = asked };

    for (uint64_t i = 0; i < results->profile.call_count; i++) {
        const struct mwa_call_row *row = &results->profile.calls[i];
        const uint64_t time = use == MWA_USES ? row->time_ns : row->used_ns[use];
        struct mwa_spent spent = { .ns = 0 };
        uint64_t waited;

        if (!is_one(row->region->call)) {
            continue;
        }
        waited = waits[asked](&results->waits, row->region->mpi_index);
        mwa_spend(judging, row->region, (double)time, time > waited ? (double)(time - waited) : 0,
                  &spent);
        calls.beyond_ns += waited > time ? waited - time : 0;
        add_row(row, &spent, &calls);
    }
    return calls;
}

void mwa_take_calls(const struct mwa_judging *judging, const struct mwa_calls *calls,
                    const struct mwa_spent *spent, struct mwa_cause *cause)
{
    const struct mwa_results *results = judging->results;
    const enum mwa_use use = use_of(calls->asked);
    const struct mwa_place_row *place;

    cause->region = (uint32_t)(calls->most->region - results->trace->regions);
    place = use == MWA_USES
                ? mwa_hottest_place(results->trace, &results->sites, cause->region)
                : mwa_hottest_use(results->trace, &results->sites, cause->region, use);
    cause->site = place ? place->sum.site : MWA_NONE;
    mwa_take_spent(judging, spent, cause);
}

bool mwa_are_long(const struct mwa_calls *calls, uint64_t bytes)
{
    const double most = MWA_CAUSE_MOST * calls->spent.ns;

    return calls->in_long.ns >= most || (calls->in_short.ns < most && bytes > MWA_LONG_BYTES);
}
