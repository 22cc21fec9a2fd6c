#ifndef MWA_ANALYSIS_CAUSES_CAUSE_JUDGES_H
#define MWA_ANALYSIS_CAUSES_CAUSE_JUDGES_H

#include "analyzer/analysis/causes/causes.h"
#include "analyzer/analysis/results.h"
#include "analyzer/analysis/summary.h"

/*
 * The judges of causes.def, and what they share. A judge says whether its rule holds and then fills
 * cause, which comes with MWA_NONE and 0. What it costs is compared afterwards, by
 * MWA_CAUSE_MATTERS.
 */

#define MWA_CAUSE_MATTERS 0.05 /* of the longest run: what could be saved at most */
#define MWA_CAUSE_START   0.001 /* likewise, of what MPI_Init takes: else nobody would see it */
#define MWA_CAUSE_ONE     0.7  /* of a cost: one rank has it, and not several by turns */
#define MWA_CAUSE_MOST    0.5
#define MWA_CAUSE_LITTLE  0.1  /* of what the other of two ranks computes: it could do more */
#define MWA_CAUSE_IN_TURN 0.4 /* of all waiting, where ranks go on one after the other: who is
                                 behind waits for that, who is before for its end, in what then
                                 follows */
#define MWA_OFF_MATTERS   0.05 /* of a rank's run off its core outside of MPI */

/* What a rank's computing has cost others, before which call most of that, and what it gets. */
struct mwa_suspect {
    double short_ns;
    double long_ns;
    uint64_t excess_ns; /* of its useful time over the average; 0: not enough to speak of */
    uint64_t off_ns;    /* outside of MPI without running: others may have waited for it, little as
                           it may be of the run */
    bool is_off;        /* that matters by itself */
    uint32_t site;      /* what others waited for with most of the cost, when it had computed */
    uint64_t site_ns;
    uint32_t longest;   /* before what it is outside of MPI for longer than ranks on average, for
                           most of that; MWA_NONE: nothing, or not known */
    bool is_spread;     /* it is nothing, since it is so before the calls of several places */
    uint64_t received; /* messages that were sent to it */
    uint64_t in_openmp; /* samples of it outside of MPI, in OpenMP's runtime */
    uint32_t team;   /* its threads that call no MPI and share its work, … */
    double team_ns;  /* … for how long these were there while it was outside of MPI, together … */
    double idle_ns;  /* … and without work */
};

struct mwa_judging {
    const struct mwa_results *results;
    struct mwa_run_summary run;
    struct mwa_spread computing; /* mwa_computing_ns */
    uint64_t init_ns; /* that a rank takes for MPI_Init on average */
    int64_t end_ns;   /* of the run of the rank that ends last, … */
    double ended_ns;  /* … before which the others had ended for so long, together */
    struct mwa_suspect *suspects; /* per rank */
    double *waited_for; /* per region: what others waited as ranks were longer in it, ns */
};

static inline double mwa_ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/* Whether a delay in a region is one of computing: in a function of the program, or in none. */
static inline bool mwa_is_computing(const struct mwa_trace *trace, uint32_t region)
{
    return region == trace->region_count ||
           (region < trace->region_count && trace->regions[region].kind == MWA_REGION_USER);
}

/* So many ns are not yet worth a word. */
static inline double mwa_too_little_ns(const struct mwa_judging *judging)
{
    const double of_run = MWA_CAUSE_MATTERS * (double)judging->run.longest_run_ns;
    const double of_start = MWA_CAUSE_START * (double)judging->init_ns;

    return of_run > of_start ? of_run : of_start;
}

/* Whether that many are. */
static inline bool mwa_matters(const struct mwa_judging *judging, double ns)
{
    return ns > mwa_too_little_ns(judging);
}

/* How long a rank had ended when the last one did: nobody is told to wait there. */
static inline double mwa_ended_before(const struct mwa_judging *judging,
                                      const struct mwa_rank_row *row)
{
    return (double)((uint64_t)judging->end_ns - (uint64_t)mwa_run_end_ns(row));
}

/*
 * Whether nearly all waiting may be of one time that each rank waited, also for messages: so it is
 * where a pipeline fills and empties, which each rank waits for as long, before or behind.
 */
bool mwa_waits_once(const struct mwa_judging *judging);

/* Adds a rank that causes it. */
static inline void mwa_blame(struct mwa_cause *cause, uint32_t rank)
{
    if (cause->listed < MWA_CAUSE_RANKS) {
        cause->ranks[cause->listed++] = rank;
    }
    cause->rank_count++;
}

/* Time in calls, ns, of all ranks together. */
struct mwa_spent {
    double ns;
    double lack_ns; /* not in it: what the lack of cores explains */
    double waited_ns; /* nor this: what others waited as ranks were longer in them than they */
};

/*
 * Adds what is left of the time, ns, that ranks are busy in calls of a function (null: not known),
 * which took time, when that in calls that were never left is taken off, and the lack of cores: as
 * much as they had none there, or, where that is more, as long as at least one of the members that
 * meet had none, whom the others wait for, if each lacks it at moments of its own. Where nothing is
 * told of cores, nothing is taken off for them. What others waited as the function took time is
 * taken as the part of it that is left.
 */
void mwa_spend(const struct mwa_judging *judging, const struct mwa_region *region, double time,
               double busy, struct mwa_spent *spent);

/* The same of calls at a place, a site: of their time what is not waiting either. */
void mwa_spend_at(const struct mwa_judging *judging, uint32_t place, uint64_t time_ns,
                  struct mwa_spent *spent);

/* Adds what is spent elsewhere. */
void mwa_add_spent(const struct mwa_spent *spent, struct mwa_spent *to);

/*
 * What each of the others could wait less: those who wait for nobody gain nothing. As many are
 * taken to wait as their waiting makes up when each waits as long as the one that does most. No
 * more than that one does: those that are named may have waited for one another.
 */
uint64_t mwa_per_waiter(const struct mwa_judging *judging, const struct mwa_cause *cause);

/* How long the others had ended on average when one that is blamed did: they wait for nobody then,
 * but the run does. */
uint64_t mwa_ended_before_those(const struct mwa_judging *judging, const struct mwa_cause *cause);

/*
 * What ranks spend is what the cause costs: its time, share, and what could be saved. Each rank is
 * done earlier by what it spends less, or waits less for others that do, and the run by no more
 * than that of the one for which it is least: that is no more than what it is on average, of those
 * that have not ended as much earlier as it is.
 */
void mwa_take_spent(const struct mwa_judging *judging, const struct mwa_spent *spent,
                    struct mwa_cause *cause);

/* The file, as an object, on which most of the time at a place is spent, as far as files are known;
 * MWA_NONE: none of them, as where each step has one of its own, or no memory. */
uint32_t mwa_file_of_most(const struct mwa_results *results, uint32_t site);

/* Counts what the suspects have in_openmp. */
void mwa_count_in_openmp(const struct mwa_judging *judging);

/* Whether one rank is late to a message: then others may be late to what comes behind it. */
bool mwa_is_late_to_message(const struct mwa_judging *judging);

/* Whether a cause that holds may be none of the program's. */
bool mwa_is_doubtful(const struct mwa_judging *judging, const struct mwa_cause *cause);

#define CAUSE(constant, id, class, judge, ...)                                                     \
    bool judge(const struct mwa_judging *judging, struct mwa_cause *cause);
#include "analyzer/analysis/causes/causes.def"

#endif
