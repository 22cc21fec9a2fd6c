/*
 * What ranks spend time on in calls of MPI-IO. Of all threads, as the tables of calls are. MPI does
 * not say of collective ones whether ranks wait in them for each other: that they do is seen where
 * a rank computes longer, and the others are in such calls for as much longer.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/causes/cause_judges.h"
#include "analyzer/analysis/time/tally.h"
#include "formats/base/order.h"

#define ALIKE           0.1 /* of useful time: it is as late as the one that computes longest */
#define FLUSHES_OF_FILE 2u  /* by each that has opened it, at most: it is flushed seldom */

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

/* A number that is the same for all that is open on one file; what is on none that is known has its
 * own. */
static uint32_t file_key(const struct mwa_trace *trace, uint32_t object)
{
    const uint32_t file = trace->metrics.objects[object].file;

    return file == MWA_NONE ? ~object : file;
}

uint32_t mwa_file_of_most(const struct mwa_results *results, uint32_t site)
{
    const struct mwa_file_times *times = &results->file_times;
    struct mwa_tally files = { 0 };
    uint64_t all_ns = 0;
    uint32_t most = MWA_NONE;
    bool is_done = true;

    for (uint64_t i = 0; i < times->count && is_done; i++) {
        const struct mwa_file_time *row = &times->rows[i];

        if (row->site == site && row->object != MWA_NONE) {
            all_ns += row->time_ns;
            is_done = mwa_tally_add(&files, file_key(results->trace, row->object), row->time_ns);
        }
    }
    for (uint64_t i = 0; i < times->count && is_done && most == MWA_NONE; i++) {
        const struct mwa_file_time *row = &times->rows[i];

        if (row->site == site && row->object != MWA_NONE &&
            (double)mwa_tally_get(&files, file_key(results->trace, row->object)) >=
                MWA_CAUSE_MOST * (double)all_ns) {
            most = row->object;
        }
    }
    mwa_tally_fini(&files);
    return most;
}

/* --- ranks that others wait for in collective calls ----------------------------------------- */

/* The time of each rank in collective calls on files; null: no memory. For free. */
static uint64_t *together_of_ranks(const struct mwa_results *results)
{
    uint64_t *together = calloc(results->trace->rank_count + 1, sizeof *together);

    for (uint64_t i = 0; together && i < results->file_times.count; i++) {
        const struct mwa_file_time *row = &results->file_times.rows[i];
        const struct mwa_region *region = region_at(results->trace, row->site);

        if (row->rank != MWA_NONE && region && kind_of(region) == FILE_TOGETHER) {
            together[row->rank] += row->time_ns;
        }
    }
    return together;
}

/* Of those that compute longer in all, the one that does longest; null: there is none. */
static const struct mwa_rank_row *longest_of(const struct mwa_judging *judging)
{
    const struct mwa_profile *profile = &judging->results->profile;
    const struct mwa_rank_row *longest = NULL;

    for (uint64_t i = 0; i < profile->rank_count; i++) {
        const struct mwa_rank_row *row = &profile->ranks[i];

        if (judging->suspects[i].excess_ns > 0 &&
            (!longest || row->useful_ns > longest->useful_ns)) {
            longest = row;
        }
    }
    return longest;
}

/* How much longer the others compute less, and are in collective calls on files. */
struct uneven {
    uint64_t less_ns;
    uint64_t longer_ns; /* each no more than it computes less */
    uint64_t waiters;
};

/* Blames the ranks that compute longest, and adds up the others. */
static struct uneven look_at_others(const struct mwa_judging *judging, const uint64_t *together,
                                    const struct mwa_rank_row *longest, struct mwa_cause *cause)
{
    const struct mwa_profile *profile = &judging->results->profile;
    struct uneven uneven = { .waiters = 0 };

    mwa_blame(cause, longest->rank);
    for (uint64_t i = 0; i < profile->rank_count; i++) {
        const struct mwa_rank_row *row = &profile->ranks[i];
        const uint64_t more = together[row->rank];
        const uint64_t less = together[longest->rank];
        uint64_t apart;

        if (row == longest || row->useful_ns > longest->useful_ns) {
            continue;
        }
        apart = longest->useful_ns - row->useful_ns;
        if (judging->suspects[i].excess_ns > 0 &&
            (double)apart <= ALIKE * (double)longest->useful_ns) {
            mwa_blame(cause, row->rank);
        } else if (row->has_events) {
            uneven.less_ns += apart;
            uneven.longer_ns += more <= less ? 0 : more - less < apart ? more - less : apart;
            uneven.waiters += more > less;
        }
    }
    return uneven;
}

/* Names the place, and the file there, where others than the blamed rank are longest. */
static void name_place(const struct mwa_judging *judging, uint32_t blamed, struct mwa_cause *cause)
{
    const struct mwa_file_times *times = &judging->results->file_times;
    uint64_t most = 0;

    for (uint64_t i = 0; i < times->count; i++) {
        const struct mwa_file_time *row = &times->rows[i];
        const struct mwa_region *region = region_at(judging->results->trace, row->site);

        if (row->rank != MWA_NONE && row->rank != blamed && row->time_ns > most && region &&
            kind_of(region) == FILE_TOGETHER) {
            most = row->time_ns;
            cause->site = row->site;
        }
    }
    cause->object = mwa_file_of_most(judging->results, cause->site);
}

bool mwa_judge_file_uneven(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_rank_row *longest = longest_of(judging);
    uint64_t *together = longest ? together_of_ranks(judging->results) : NULL;
    struct uneven uneven;

    if (!together) {
        return false;
    }
    uneven = look_at_others(judging, together, longest, cause);
    free(together);
    name_place(judging, longest->rank, cause);
    cause->excess = mwa_ratio((double)judging->suspects[longest->rank].excess_ns,
                              (double)judging->computing.average_ns);
    cause->time_ns = uneven.longer_ns;
    cause->up_to_ns = uneven.waiters > 0 ? uneven.longer_ns / uneven.waiters : 0;
    return uneven.waiters > 0 && 2 * cause->rank_count <= judging->run.ranks &&
           (double)uneven.longer_ns >= MWA_CAUSE_MOST * (double)uneven.less_ns;
}

/* --- what the calls themselves take ----------------------------------------------------------- */

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

/* Finds the place with most of the time, and its file; the times of each kind of calls, of which
 * there are FILE_CALLS. False: no memory. */
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
        mwa_add_spent(&spent, &times_of[region ? kind_of(region) : FILE_ALONE]);
        is_done = mwa_tally_add(&sites, row->site, (uint64_t)spent.ns);
    }
    for (uint64_t i = 0; i < times->count && is_done; i++) {
        const struct mwa_file_time *row = &times->rows[i];
        const uint64_t at_site = mwa_tally_get(&sites, row->site);

        if (row->site != MWA_NONE && (at_site > most || cause->site == MWA_NONE)) {
            most = at_site;
            cause->site = row->site;
        }
    }
    mwa_tally_fini(&sites);
    cause->object = mwa_file_of_most(judging->results, cause->site);
    return is_done && cause->site != MWA_NONE;
}

/* How many calls there are at the cause's place, and of how much, if they write or read. */
static void count_pieces(const struct mwa_results *results, struct mwa_cause *cause)
{
    const struct mwa_site_profile *sites = &results->sites;
    const uint32_t site = mwa_trace_place(results->trace, cause->site);

    for (uint64_t i = 0; i < sites->place_count; i++) {
        const struct mwa_site_row *sum = &sites->places[i].sum;

        if (sum->site == site && sum->count > 0) {
            cause->count = sum->count;
            cause->bytes = (sum->bytes_sent + sum->bytes_received + sum->count / 2) / sum->count;
        }
    }
}

/*
 * Whether it is file I/O, and most of one kind of it in one place. Flushes alone are what it costs
 * where it is flushes; else it is all of them. But what is written between flushes may take longer
 * because of these, so that all of it is what could be saved at most.
 */
static bool is_of_files(const struct mwa_judging *judging, enum file_call kind,
                        struct mwa_cause *cause)
{
    struct mwa_spent times_of[FILE_CALLS] = { { .ns = 0 } };
    struct mwa_spent all = { .ns = 0 };
    struct mwa_cause one = { .site = MWA_NONE };
    struct mwa_cause uneven = { .site = MWA_NONE };

    if (!find_files(judging, times_of, cause) ||
        kind_of(region_at(judging->results->trace, cause->site)) != kind) {
        return false;
    }
    for (unsigned i = 0; i < FILE_CALLS; i++) {
        mwa_add_spent(&times_of[i], &all);
    }
    if (mwa_judge_file_uneven(judging, &uneven)) {
        all.ns -= all.ns < (double)uneven.time_ns ? all.ns : (double)uneven.time_ns;
    }
    mwa_take_spent(judging, &all, cause);
    if (kind == FILE_FLUSHES) {
        const uint64_t up_to_ns = cause->up_to_ns;

        mwa_take_spent(judging, &times_of[kind], cause);
        cause->own_ns = cause->up_to_ns;
        cause->up_to_ns = up_to_ns;
    }
    count_pieces(judging->results, cause);
    return !(mwa_judge_file_one_rank(judging, &one) && mwa_matters(judging, (double)one.up_to_ns));
}

static bool is_flush(const struct mwa_results *results, const struct mwa_file_time *row)
{
    const struct mwa_region *region = region_at(results->trace, row->site);

    return region && kind_of(region) == FILE_FLUSHES;
}

/* Those of a rank and an open file one behind the other, those of files that are not known last. */
static int by_file(const void *one, const void *other)
{
    const struct mwa_file_time *a = one;
    const struct mwa_file_time *b = other;

    return mw_order(a->object, b->object) ?: mw_order(a->rank, b->rank);
}

/* How often files were opened, by all ranks together. */
static uint64_t count_opened(const struct mwa_profile *profile)
{
    uint64_t opened = 0;

    for (uint64_t i = 0; i < profile->call_count; i++) {
        if (profile->calls[i].region->call == MW_CALL_MPI_File_open) {
            opened += profile->calls[i].count;
        }
    }
    return opened;
}

/* What of the flushes' time is in those of files that are flushed so seldom; they are put in
 * order. */
static uint64_t sum_seldom(struct mwa_file_time *flushes, uint64_t count, uint64_t opened)
{
    uint64_t seldom_ns = 0;

    qsort(flushes, count, sizeof *flushes, by_file);
    for (uint64_t i = 0, next; i < count; i = next) {
        const bool is_known = flushes[i].object != MWA_NONE;
        uint64_t calls = 0, time_ns = 0;

        for (next = i; next < count && flushes[next].object == flushes[i].object &&
                       (!is_known || flushes[next].rank == flushes[i].rank);
             next++) {
            calls += flushes[next].count;
            time_ns += flushes[next].time_ns;
        }
        seldom_ns += calls <= FLUSHES_OF_FILE * (is_known ? 1 : opened) ? time_ns : 0;
    }
    return seldom_ns;
}

/* Whether most of the time for flushes is in those that who writes a file can't do without: one
 * behind what describes it, as libraries of files make one, and one at its end, wherever they are
 * called. Of files that are not known: of as many as were opened. False without memory. */
static bool are_seldom(const struct mwa_results *results)
{
    const struct mwa_file_times *times = &results->file_times;
    struct mwa_file_time *flushes = calloc(times->count + 1, sizeof *flushes);
    uint64_t count = 0, all_ns = 0, seldom_ns = 0;

    for (uint64_t i = 0; flushes && i < times->count; i++) {
        if (is_flush(results, &times->rows[i])) {
            flushes[count++] = times->rows[i];
            all_ns += times->rows[i].time_ns;
        }
    }
    if (count > 0) {
        seldom_ns = sum_seldom(flushes, count, count_opened(&results->profile));
    }
    free(flushes);
    return count > 0 && (double)seldom_ns >= MWA_CAUSE_MOST * (double)all_ns;
}

bool mwa_judge_file_sync(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    return is_of_files(judging, FILE_FLUSHES, cause) &&
           !are_seldom(judging->results);
}

bool mwa_judge_file_flush(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    return is_of_files(judging, FILE_FLUSHES, cause) &&
           are_seldom(judging->results);
}

bool mwa_judge_file_independent(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    return is_of_files(judging, FILE_ALONE, cause);
}

bool mwa_judge_file_collective(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    return is_of_files(judging, FILE_TOGETHER, cause);
}
