/*
 * Ranks are sorted by what they may share, so that those that do stand side by side: there may be
 * a hundred thousand of them.
 */
#include "analyzer/analysis/time/core_shortage.h"

#include <stdlib.h>
#include <string.h>

/* How many cores a list as "0-3,8" has. */
static uint64_t count_of(const char *list)
{
    uint64_t count = 0;

    while (*list) {
        char *end;
        unsigned long first = strtoul(list, &end, 10);
        unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;

        if (end == list || last < first) {
            break;
        }
        count += last - first + 1;
        list = end + (*end == ',');
    }
    return count;
}

/* A rank, and what it may share with others of its host. */
struct place {
    uint32_t rank;
    const char *host;
    const char *what; /* "" all of the host; null: not known */
    double cores;     /* 0: not known, or no limit */
};

static struct place place_of(const struct mwa_trace *trace, uint32_t rank,
                             enum mwa_cores_lack lack)
{
    const struct mwa_rank *of = &trace->ranks[rank];
    struct place place = { .rank = rank, .host = of->host };

    switch (lack) {
    case MWA_CORES_OF_HOST:
        place.what = "";
        place.cores = (double)of->cores;
        break;
    case MWA_CORES_OF_BINDING:
        place.what = of->affinity;
        place.cores = of->affinity ? (double)count_of(of->affinity) : 0;
        break;
    default:
        place.what = of->cgroup;
        place.cores = (double)of->cgroup_millicores / 1000;
    }
    return place;
}

static bool shares(const struct place *one, const struct place *other)
{
    return one->what && other->what && strcmp(one->host, other->host) == 0 &&
           strcmp(one->what, other->what) == 0;
}

double mwa_cores_of(const struct mwa_trace *trace, uint32_t rank)
{
    return place_of(trace, rank, MWA_CORES_OF_BINDING).cores;
}

bool mwa_cores_are_shared(const struct mwa_trace *trace, uint32_t rank, uint32_t other)
{
    const struct place one = place_of(trace, rank, MWA_CORES_OF_BINDING);
    const struct place two = place_of(trace, other, MWA_CORES_OF_BINDING);

    return shares(&one, &two);
}

static int by_what(const void *one, const void *other)
{
    const struct place *a = one;
    const struct place *b = other;

    return strcmp(a->host, b->host)
               ?: strcmp(a->what ? a->what : "", b->what ? b->what : "")
               ?: (a->rank > b->rank) - (a->rank < b->rank);
}

/* Probes wait, too, where it is not known for whom, and calls with ranks of other jobs may. */
uint64_t mwa_rank_mpi_beside_waiting_ns(const struct mwa_waits *waits,
                                        const struct mwa_rank_row *row)
{
    const uint64_t others = waits->other_threads_ns ? waits->other_threads_ns[row->rank] : 0;
    const uint64_t waited = mwa_waits_rank_ns(waits, row->rank) - others + row->probing_ns +
                            row->across_ns;

    return row->mpi_ns > waited ? row->mpi_ns - waited : 0;
}

/*
 * Inside of MPI a rank that waits may give its core away, or be without one, and loses nothing: at
 * most what it does not wait in its calls is lost there.
 */
uint64_t mwa_rank_lost_inside_ns(const struct mwa_waits *waits, const struct mwa_rank_row *row)
{
    const uint64_t busy = mwa_rank_mpi_beside_waiting_ns(waits, row);
    const uint64_t inside = row->running.is_known ? row->running.inside_no_core_ns : 0;

    return inside < busy ? inside : busy;
}

uint64_t mwa_rank_lost_for_cores_ns(const struct mwa_waits *waits, const struct mwa_rank_row *row)
{
    return row->running.is_known
               ? row->running.outside_no_core_ns + mwa_rank_lost_inside_ns(waits, row)
               : 0;
}

bool mwa_lost_for_cores(const struct mwa_profile *profile, const struct mwa_waits *waits,
                        uint64_t *ns)
{
    bool is_known = profile->rank_count > 0;

    *ns = 0;
    for (uint64_t i = 0; i < profile->rank_count; i++) {
        *ns += mwa_rank_lost_for_cores_ns(waits, &profile->ranks[i]);
        is_known &= profile->ranks[i].running.is_known;
    }
    return is_known;
}

/* Shares of their runs that ranks had no core, and lost by it. */
struct lack {
    bool is_known;
    double no_core;
    double lost;
};

static struct lack lack_of(const struct mwa_profile *profile, const struct mwa_waits *waits,
                           const struct place *places, uint64_t count)
{
    struct lack lack = { .is_known = true };
    double run = 0;

    for (uint64_t i = 0; i < count; i++) {
        const struct mwa_rank_row *row = &profile->ranks[places[i].rank];

        lack.is_known &= row->running.is_known;
        lack.no_core += (double)(row->running.outside_no_core_ns + row->running.inside_no_core_ns);
        lack.lost += (double)mwa_rank_lost_for_cores_ns(waits, row);
        run += (double)row->run_ns;
    }
    lack.no_core = run > 0 ? lack.no_core / run : 0;
    lack.lost = run > 0 ? lack.lost / run : 0;
    return lack;
}

/*
 * While a rank waits for a core none of them is idle, and on those that the ranks do not run on
 * somebody else does: other threads, or programs. A rank runs at most while it has a core.
 */
static double share_of_others(double ranks, double no_core, double cores)
{
    const double most = ranks * (1 - no_core) / cores;

    return most < 1 ? 1 - most : 0;
}

/* Whether these ranks, which share places[0]'s, lack cores; then it is told if most ranks do. */
static void judge(const struct mwa_profile *profile, const struct mwa_waits *waits,
                  const struct place *places, uint64_t count, enum mwa_cores_lack lack,
                  struct mwa_cores *cores)
{
    struct lack found;

    if (places[0].cores <= 0 || (double)count <= places[0].cores || count < 2 ||
        (lack == cores->lack && count <= cores->ranks)) {
        return;
    }
    found = lack_of(profile, waits, places, count);
    if (found.is_known && found.lost < MWA_CORES_MATTER) {
        return;
    }
    *cores = (struct mwa_cores){ .lack = lack,
                                 .ranks = (uint32_t)count,
                                 .first_rank = places[0].rank,
                                 .second_rank = places[1].rank,
                                 .cores = places[0].cores,
                                 .where = lack == MWA_CORES_OF_HOST ? places[0].host
                                                                    : places[0].what,
                                 .is_known = found.is_known,
                                 .no_core = found.no_core,
                                 .lost = found.lost,
                                 .others = found.is_known && lack != MWA_CORES_OF_LIMIT
                                               ? share_of_others((double)count, found.no_core,
                                                                 places[0].cores)
                                               : 0 };
}

enum mw_status mwa_cores_make(const struct mwa_trace *trace, const struct mwa_profile *profile,
                              const struct mwa_waits *waits, struct mwa_cores *cores)
{
    struct place *places = calloc(trace->rank_count + 1, sizeof *places);
    struct lack all;

    *cores = (struct mwa_cores){ .lack = MWA_CORES_ENOUGH };
    if (!places) {
        return MW_ERROR_MEMORY;
    }
    for (enum mwa_cores_lack lack = MWA_CORES_OF_HOST;
         lack <= MWA_CORES_OF_LIMIT && cores->lack == MWA_CORES_ENOUGH; lack++) {
        for (uint32_t i = 0; i < trace->rank_count; i++) {
            places[i] = place_of(trace, i, lack);
        }
        qsort(places, trace->rank_count, sizeof *places, by_what);
        for (uint64_t from = 0, to; from < trace->rank_count; from = to) {
            for (to = from + 1; to < trace->rank_count && shares(&places[from], &places[to]);) {
                to++;
            }
            judge(profile, waits, &places[from], to - from, lack, cores);
        }
    }
    all = lack_of(profile, waits, places, trace->rank_count);
    cores->all_known = trace->rank_count > 0 && all.is_known;
    cores->all_lost = all.lost;
    free(places);
    return MW_OK;
}
