/* Who has no core, sleeps, reads or writes files can't be helped by a change of its messages. */
#include "analyzer/analysis/causes/cause_judges.h"
#include "analyzer/analysis/causes/part_of_run.h"

#include <stdlib.h>

#define MOST     0.5  /* of what a rank was off its core: that is what it is about */
#define LOOKS    10u  /* calls that poll, of a rank that sleeps in between; */
#define VAIN     2u   /* for each message that it gets, so many */
#define AS_IDLE  0.25 /* of the sleep of the rank that sleeps most: others are as idle as it is */
#define IDLE     0.2  /* of that: what else it does is too little to be waited for */
#define MAIN     0.1  /* of what a rank calls: the main thread does not do it */
#define MANY     1000u /* messages, */
#define SYSTEM_SHARE 0.2 /* of what a rank is on a core outside of MPI: the kernel matters, … */
#define FAULTS_SHARE 0.1 /* … where it is page faults */
#define WRITE_NS 4u   /* of a byte to a file, at most: in the kernel */
#define MEASURED 1.05 /* of the time that cores have: how exact times of threads are */

bool mwa_judge_cores(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_cores *cores = &judging->results->cores;

    if (!mwa_has(judging->results, MWA_NEED_CORES) || cores->lack == MWA_CORES_ENOUGH) {
        return false;
    }
    cause->count = cores->ranks;
    cause->share = cores->lost;
    if (cores->is_known) {
        cause->up_to_ns = (uint64_t)(cores->lost * (double)judging->run.longest_run_ns);
    }
    return true;
}

static uint64_t without_core_ns(const struct mwa_judging *judging, const struct mwa_rank_row *row)
{
    return mwa_rank_lost_for_cores_ns(&judging->results->waits, row);
}

static uint64_t writing_ns(const struct mwa_judging *judging, const struct mwa_rank_row *row)
{
    (void)judging;
    return mwa_writing_counts_ns(&row->running);
}

bool mwa_judge_output(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_rank_running *running;

    if (!mwa_blame_for(judging, writing_ns, cause)) {
        return false;
    }
    running = &judging->results->profile.ranks[cause->ranks[0]].running;
    cause->bytes = running->written;
    mwa_name_most(cause, running->writing_before, running->written_before, running->written);
    return true;
}

static uint64_t reading_ns(const struct mwa_judging *judging, const struct mwa_rank_row *row)
{
    (void)judging;
    return row->running.reading_ns;
}

bool mwa_judge_input(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_rank_running *running;

    if (!mwa_blame_for(judging, reading_ns, cause)) {
        return false;
    }
    running = &judging->results->profile.ranks[cause->ranks[0]].running;
    cause->bytes = running->read;
    mwa_name_most(cause, running->reading_before, running->read_before, running->read);
    return true;
}

static bool is_by_faults(const struct mwa_rank_running *running)
{
    return (double)running->faulting_ns >= MOST * (double)running->system_ns;
}

/*
 * How long a rank was in the kernel outside of MPI: less than a fifth of its time on a core may be
 * interrupts, which the kernel counts with it, unless there are page faults for it; and where it
 * writes to files, that is told.
 */
static uint64_t system_ns(const struct mwa_judging *judging, const struct mwa_rank_row *row)
{
    const struct mwa_rank_running *running = &row->running;
    const double system = (double)running->system_ns;
    const double on_core = (double)(row->outside_ns - running->outside_ns);

    (void)judging;
    return system < (is_by_faults(running) ? FAULTS_SHARE : SYSTEM_SHARE) * on_core ||
                   (double)(WRITE_NS * running->written) >= MOST * system
               ? 0
               : running->system_ns;
}

bool mwa_judge_system_time(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_rank_running *running;

    if (!mwa_blame_for(judging, system_ns, cause)) {
        return false;
    }
    running = &judging->results->profile.ranks[cause->ranks[0]].running;
    cause->count = is_by_faults(running) ? running->minor_faults : 0;
    mwa_name_most(cause, running->system_before, running->system_before_ns, cause->time_ns);
    return true;
}

/* From whom most of the messages to a rank are; MWA_NONE: there is no such. */
static uint32_t peer_of(const struct mwa_judging *judging, uint32_t rank)
{
    const struct mwa_traffic *traffic = &judging->results->traffic;
    uint64_t most = 0;
    uint32_t from = MWA_NONE;

    for (uint64_t i = 0; i < traffic->pair_count; i++) {
        if (traffic->pairs[i].to == rank && traffic->pairs[i].count > most) {
            most = traffic->pairs[i].count;
            from = traffic->pairs[i].from;
        }
    }
    return (double)most >= MWA_CAUSE_ONE * (double)judging->suspects[rank].received ? from
                                                                                   : MWA_NONE;
}

/* How often a rank looks for what may have come. */
static uint64_t looks_of(const struct mwa_profile *profile, uint64_t rank)
{
    uint64_t looks = 0;

    for (uint64_t i = 0; i < profile->call_count; i++) {
        looks += mw_call_polls(profile->calls[i].region->call)
                     ? profile->called[rank * profile->call_count + i]
                     : 0;
    }
    return looks;
}

/*
 * Of a rank that sleeps between calls that poll, of one place or of several: mpi4py.futures'
 * workers do, up to a millisecond each time, and so make too few calls to be polling. Who sleeps
 * for another reason comes to such a call, too, and finds something.
 */
static uint64_t asleep_polling_ns(const struct mwa_judging *judging,
                                  const struct mwa_rank_row *row)
{
    const uint64_t asleep = mwa_asleep_ns(&row->running);
    uint64_t looks;

    if (row->running.asleep_polling_ns == 0 ||
        (double)row->running.asleep_polling_ns < MOST * (double)asleep) {
        return 0;
    }
    looks = looks_of(&judging->results->profile, row->rank);
    return looks >= LOOKS && looks >= VAIN * judging->suspects[row->rank].received ? asleep : 0;
}

/* How many messages brought the first of the ranks so little to do that it slept for longer. */
static uint64_t of_little(const struct mwa_judging *judging, const struct mwa_cause *cause)
{
    const struct mwa_rank_row *row = &judging->results->profile.ranks[cause->ranks[0]];
    const uint64_t received = judging->suspects[row->rank].received;

    return received >= MANY && row->useful_ns < cause->time_ns ? received : 0;
}

/* What others waited for the rank, if it is one, and nearly all that it is outside of MPI is sleep:
 * then it has slept when something came. */
static uint64_t held_ns(const struct mwa_judging *judging, const struct mwa_cause *cause)
{
    const struct mwa_rank_row *row = &judging->results->profile.ranks[cause->ranks[0]];

    return cause->rank_count == 1 &&
                   (double)(row->outside_ns - cause->time_ns) <= IDLE * (double)cause->time_ns &&
                   mwa_matters(judging, (double)mwa_per_waiter(judging, cause))
               ? cause->short_ns + cause->long_ns
               : 0;
}

bool mwa_judge_asleep_polling(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    /* Who works, and sleeps a little between two pieces, is not what the one waits for by sleeping
     * that has less to do. */
    if (!mwa_blame_those(judging, asleep_polling_ns, AS_IDLE, cause)) {
        return false;
    }
    cause->site = judging->results->profile.ranks[cause->ranks[0]].running.polled_before;
    cause->count = of_little(judging, cause);
    cause->held_ns = held_ns(judging, cause);
    for (uint64_t i = 0; i < cause->listed; i++) {
        const uint32_t peer = peer_of(judging, cause->ranks[i]);

        cause->peer = i == 0 || peer == cause->peer ? peer : MWA_NONE;
    }
    return true;
}

/* The other threads of a rank, all together; null: none called MPI, or had a region. */
static const struct mwa_location_group *others_of(const struct mwa_judging *judging, uint32_t rank)
{
    const struct mwa_location_imbalance *all = &judging->results->location_imbalance;

    for (uint64_t i = 0; i < all->group_count; i++) {
        if (all->groups[i].rank == rank && all->groups[i].type == MWA_LOCATION_THREAD) {
            return &all->groups[i];
        }
    }
    return NULL;
}

static uint64_t in_mpi_ns(const struct mwa_location_group *group)
{
    uint64_t ns = 0;

    for (unsigned state = MWA_STATE_USEFUL + 1; state < MWA_STATES; state++) {
        ns += group->ns[state];
    }
    return ns;
}

static int by_rank(const void *rank, const void *cell)
{
    const uint64_t one = *(const uint32_t *)rank;
    const uint64_t other = ((const struct mwa_region_cell *)cell)->rank;

    return (one > other) - (one < other);
}

/* How often the main thread of a rank called a function. */
static uint64_t visits_of(const struct mwa_regions *regions, uint32_t region, uint32_t rank)
{
    uint64_t count = 0;
    const struct mwa_region_cell *cells = mwa_regions_of(regions, region, &count);
    const struct mwa_region_cell *found =
        count > 0 ? bsearch(&rank, cells, count, sizeof *cells, by_rank) : NULL;

    return found ? found->visits : 0;
}

/*
 * Whether other threads of a rank exchange what it does, and look for it, as the one that
 * mpi4py.futures' master has: a thread that only keeps the MPI going starts nothing.
 */
static bool others_serve(const struct mwa_judging *judging, uint32_t rank)
{
    const struct mwa_results *results = judging->results;
    const struct mwa_profile *profile = &results->profile;
    uint64_t own = 0, made = 0, looks = 0;

    for (uint64_t i = 0; i < profile->call_count; i++) {
        const struct mwa_region *region = profile->calls[i].region;
        const uint64_t called = profile->called[rank * profile->call_count + i];
        const uint64_t by_main = visits_of(&results->regions,
                                           (uint32_t)(region - results->trace->regions), rank);

        if (mw_call_polls(region->call)) {
            looks += called > by_main ? called - by_main : 0;
        } else {
            own += by_main;
            made += called;
        }
    }
    return looks >= LOOKS && looks >= VAIN * judging->suspects[rank].received &&
           (double)own <= MAIN * (double)made;
}

/*
 * How long a main thread slept before a call, where it was for other threads of the rank, which
 * call MPI meanwhile: what these wait for is told of themselves. Before MPI_Finalize nobody else
 * waits, either; elsewhere they have to serve it.
 */
static uint64_t joining_ns(const struct mwa_judging *judging, const struct mwa_rank_row *row)
{
    const struct mwa_trace *trace = judging->results->trace;
    const struct mwa_rank_running *running = &row->running;
    const struct mwa_location_group *others = others_of(judging, row->rank);
    const double most = MOST * (double)running->asleep_before_ns;

    if (!others || running->asleep_before_ns == 0) {
        return 0;
    }
    return (trace->regions[trace->sites[running->asleep_before].region].kind ==
                MWA_REGION_FINALIZE &&
            (double)in_mpi_ns(others) >= most) ||
                   ((double)others->total_ns >= most && others_serve(judging, row->rank))
               ? running->asleep_before_ns
               : 0;
}

static uint64_t asleep_else_ns(const struct mwa_judging *judging, const struct mwa_rank_row *row)
{
    return asleep_polling_ns(judging, row) > 0
               ? 0
               : mwa_asleep_ns(&row->running) - joining_ns(judging, row);
}

/* Who sleeps and delays nobody is told all the same, behind all else that matters. */
bool mwa_judge_not_running(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const uint64_t least = (uint64_t)mwa_too_little_ns(judging) + 1;
    const struct mwa_rank_running *running;
    uint64_t without, counts;

    if (!mwa_blame_those(judging, asleep_else_ns, 0, cause)) {
        return false;
    }
    running = &judging->results->profile.ranks[cause->ranks[0]].running;
    mwa_name_most(cause, running->asleep_before, running->asleep_before_ns, cause->time_ns);
    without = mwa_without_ns(judging, cause, asleep_else_ns, true);
    counts = without > least ? without : least;
    cause->up_to_ns = without < cause->time_ns ? without : cause->time_ns;
    cause->own_ns = counts < cause->time_ns ? counts : cause->time_ns;
    return true;
}

/*
 * Whether it must be their own threads that the rank had no core for, and those of ranks that may
 * run on the same cores: while one waits for a core, none of these is idle, and too little of their
 * time is left, when that of the ranks and their threads is taken off, for half to be others'.
 * Where they ran for longer than these cores have, they ran on others.
 */
static bool is_crowded_by_own(const struct mwa_judging *judging, uint32_t rank)
{
    const struct mwa_profile *profile = &judging->results->profile;
    const struct mwa_rank_row *row = &profile->ranks[rank];
    const double cores = mwa_cores_of(judging->results->trace, rank);
    const double all = cores * (double)row->run_ns;
    const double lost = (double)(row->running.outside_no_core_ns + row->running.inside_no_core_ns);
    double ran = 0;
    bool is_any = false;

    for (uint32_t i = 0; i < profile->rank_count; i++) {
        const struct mwa_rank_row *other = &profile->ranks[i];
        const struct mwa_rank_running *running = &other->running;

        if (mwa_cores_are_shared(judging->results->trace, rank, i)) {
            if (!running->tells_threads) {
                return false;
            }
            ran += (double)(other->run_ns - running->outside_ns - running->inside_ns) +
                   (double)running->threads_ns;
            is_any |= running->threads_ns >= MOST * lost;
        }
    }
    return is_any && ran <= MEASURED * all && all - ran <= MOST * cores * lost;
}

static bool are_crowded_by_own(const struct mwa_judging *judging, const struct mwa_cause *cause)
{
    for (uint64_t i = 0; i < cause->listed; i++) {
        if (!is_crowded_by_own(judging, cause->ranks[i])) {
            return false;
        }
    }
    return true;
}

static bool judge_without_core(const struct mwa_judging *judging, bool by_own,
                               struct mwa_cause *cause)
{
    struct mwa_cause ignored = { .rank_count = 0 };
    const struct mwa_rank_running *running;

    if (mwa_judge_cores(judging, &ignored) ||
        !mwa_blame_those(judging, without_core_ns, 0, cause) ||
        are_crowded_by_own(judging, cause) != by_own) {
        return false;
    }
    running = &judging->results->profile.ranks[cause->ranks[0]].running;
    if (running->outside_no_core_ns >= MOST * (double)cause->time_ns &&
        running->outside_no_core_ns >= MOST * (double)running->outside_ns) {
        mwa_name_most(cause, running->before, running->before_ns, running->outside_ns);
    }
    return true;
}

bool mwa_judge_own_threads(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    return judge_without_core(judging, true, cause);
}

bool mwa_judge_no_core(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    return judge_without_core(judging, false, cause);
}

/* Of other threads of a rank: in no region, or asleep where only that is known. */
static uint64_t idle_of(const struct mwa_location_group *group)
{
    return group->ns[MWA_LOCATION_IDLE] + (group->tells_idle ? 0 : group->slept_ns);
}

/* If idle threads did their part of what the rank does, it would be done so much earlier. */
bool mwa_judge_threads(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_location_imbalance *all = &judging->results->location_imbalance;
    double idle = 0;
    double whole = 0;
    double saved = 0;

    for (uint64_t i = 0; i < all->group_count; i++) {
        const struct mwa_location_group *group = &all->groups[i];
        const double own = (double)idle_of(group);

        if (group->type != MWA_LOCATION_THREAD || others_serve(judging, group->rank)) {
            continue;
        }
        idle += own;
        whole += (double)group->total_ns;
        saved += own / (double)(group->locations + 1);
        if (mwa_ratio(own, (double)group->total_ns) >= MOST) {
            mwa_blame(cause, group->rank);
        }
    }
    cause->time_ns = (uint64_t)idle;
    cause->share = mwa_ratio(idle, whole);
    cause->up_to_ns = (uint64_t)(saved / (double)judging->run.ranks);
    return cause->rank_count > 0 && cause->share >= MOST;
}
