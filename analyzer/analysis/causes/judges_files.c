/* What ranks spend time on in calls of MPI-IO. Of all threads, as the tables of calls are. */
#include <string.h>

#include "analyzer/analysis/causes/cause_judges.h"
#include "analyzer/analysis/time/tally.h"

enum file_call { FILE_FLUSHES, FILE_ALONE, FILE_TOGETHER, FILE_CALLS };

/* Collective by the standard, whatever their names: nobody can call them alone. */
static bool is_file_collective(const struct mwa_region *region)
{
    switch (mw_call_kind(region->call)) {
    case MW_KIND_FILE_OPEN:
    case MW_KIND_FILE_CLOSE:
    case MW_KIND_FILE_VIEW:
    case MW_KIND_FILE_SEEK_SHARED:
        return true;
    default:
        return region->call == MW_CALL_MPI_File_set_size ||
               region->call == MW_CALL_MPI_File_preallocate ||
               region->call == MW_CALL_MPI_File_set_atomicity ||
               region->call == MW_CALL_MPI_File_set_info ||
               strstr(region->name, "_all") || strstr(region->name, "_ordered");
    }
}

static enum file_call kind_of(const struct mwa_region *region)
{
    if (mw_call_kind(region->call) == MW_KIND_FILE_SYNC) {
        return FILE_FLUSHES;
    }
    return is_file_collective(region) ? FILE_TOGETHER : FILE_ALONE;
}

/* The function of calls at a place; null: not known. */
static const struct mwa_region *region_at(const struct mwa_trace *trace, uint32_t site)
{
    return site == MWA_NONE ? NULL : &trace->regions[trace->sites[site].region];
}

/* Whether files are opened again and again: then those calls are none of the rules here. */
static bool are_reopened(const struct mwa_judging *judging)
{
    struct mwa_cause reopened = { .site = MWA_NONE };

    return mwa_judge_files_remade(judging, &reopened) &&
           mwa_matters(judging, (double)reopened.up_to_ns);
}

static bool opens_or_closes(const struct mwa_region *region)
{
    return region && (mw_call_kind(region->call) == MW_KIND_FILE_OPEN ||
                      mw_call_kind(region->call) == MW_KIND_FILE_CLOSE);
}

static void add_spent(const struct mwa_spent *spent, struct mwa_spent *to)
{
    to->ns += spent->ns;
    to->lack_ns += spent->lack_ns;
}

/* Finds the place with most of the time, and a file there; the times of each kind of calls, of
 * which there are FILE_CALLS. False: no memory. */
static bool find_files(const struct mwa_judging *judging, struct mwa_spent *times_of,
                       struct mwa_cause *cause)
{
    const struct mwa_file_times *times = &judging->results->file_times;
    const bool reopened = are_reopened(judging);
    struct mwa_tally sites = { 0 };
    uint64_t most = 0;
    bool is_done = true;

    for (uint64_t i = 0; i < times->count && is_done; i++) {
        const struct mwa_file_time *row = &times->rows[i];
        const struct mwa_region *region = region_at(judging->results->trace, row->site);
        struct mwa_spent spent = { .ns = 0 };

        if (reopened && opens_or_closes(region)) {
            continue;
        }
        mwa_spend(judging, region, (double)row->time_ns, (double)row->time_ns, &spent);
        add_spent(&spent, &times_of[region ? kind_of(region) : FILE_ALONE]);
        is_done = mwa_tally_add(&sites, row->site, (uint64_t)spent.ns);
    }
    for (uint64_t i = 0; i < times->count && is_done; i++) {
        const struct mwa_file_time *row = &times->rows[i];
        const uint64_t at_site = mwa_tally_get(&sites, row->site);

        if (row->site != MWA_NONE &&
            (at_site > most || (at_site == most && cause->object == MWA_NONE))) {
            most = at_site;
            cause->site = row->site;
            cause->object = row->object;
        }
    }
    mwa_tally_fini(&sites);
    return is_done && cause->site != MWA_NONE;
}

/* Whether it is file I/O, and most of one kind of it in one place. Flushes alone are what can be
 * saved where it is flushes; else it is all of them. */
static bool is_of_files(const struct mwa_judging *judging, enum file_call kind,
                        struct mwa_cause *cause)
{
    struct mwa_spent times_of[FILE_CALLS] = { { .ns = 0 } };
    struct mwa_cause one = { .site = MWA_NONE };

    if (!find_files(judging, times_of, cause) ||
        kind_of(region_at(judging->results->trace, cause->site)) != kind) {
        return false;
    }
    for (unsigned i = 0; i < FILE_CALLS && kind != FILE_FLUSHES; i++) {
        if (i != kind) {
            add_spent(&times_of[i], &times_of[kind]);
        }
    }
    mwa_take_spent(judging, &times_of[kind], cause);
    return !(mwa_judge_file_one_rank(judging, &one) && mwa_matters(judging, (double)one.up_to_ns));
}

bool mwa_judge_file_sync(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    return is_of_files(judging, FILE_FLUSHES, cause);
}

bool mwa_judge_file_independent(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    return is_of_files(judging, FILE_ALONE, cause);
}

bool mwa_judge_file_collective(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    return is_of_files(judging, FILE_TOGETHER, cause);
}
