/*
 * A profile's parts are of one location, read by several of which each began where the one before
 * ended, or of several locations: the first know what the others can't, that a run has begun.
 */
#include "analyzer/analysis/time/profile_partial.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/team/packing.h"

void mwa_profile_begin_run(struct mwa_profile_partial *partial, uint64_t time)
{
    partial->facts.run_begun = true;
    partial->facts.run_begin = time;
    partial->selected = 0;
    memset(partial->facts.states, 0, sizeof partial->facts.states);
    for (uint32_t i = 0; i < partial->trace->mpi_region_count; i++) {
        partial->calls[i].in_run = 0;
    }
}

bool mwa_profile_need_ranks(struct mwa_profile_partial *partial, uint64_t first, uint64_t count)
{
    if (!partial->ranks) {
        partial->ranks = calloc(count ? count : 1, sizeof *partial->ranks);
        partial->rank_first = first;
        partial->rank_count = partial->ranks ? count : 0;
    }
    return partial->ranks != NULL;
}

enum mw_status mwa_profile_merge(void *into_data, const void *from_data)
{
    struct mwa_profile_partial *into = into_data;
    const struct mwa_profile_partial *from = from_data;
    const struct mwa_profile_facts *add = &from->facts;
    struct mwa_profile_facts *to = &into->facts;

    to->events |= add->events;
    to->is_selected |= add->is_selected;
    to->is_cut |= add->is_cut;
    to->mpi_calls += add->mpi_calls;
    to->open_calls += add->open_calls;
    to->first = add->first < to->first ? add->first : to->first;
    to->last = add->last > to->last ? add->last : to->last;
    for (uint32_t i = 0; i < into->trace->mpi_region_count; i++) {
        mwa_call_sums_add(&into->calls[i], &from->calls[i]);
    }
    if (!from->ranks) {
        return MW_OK;
    }
    if (!mwa_profile_need_ranks(into, 0, into->trace->rank_count)) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < from->rank_count; i++) {
        if (!mwa_rank_sums_add(&into->ranks[from->rank_first + i], &from->ranks[i], into->trace)) {
            return MW_ERROR_MEMORY;
        }
    }
    return MW_OK;
}

/* --- parts of one location -------------------------------------------------------------------- */

/* What later has of the run. */
static void append_run(struct mwa_profile_partial *partial,
                       const struct mwa_profile_partial *later)
{
    if (later->facts.run_begun) {
        mwa_profile_begin_run(partial, later->facts.run_begin);
    }
    if (partial->facts.run_ended) {
        return;
    }
    for (uint32_t i = 0; i < partial->trace->mpi_region_count; i++) {
        partial->calls[i].in_run += later->calls[i].in_run;
    }
    for (unsigned state = 0; state < MWA_STATES; state++) {
        partial->facts.states[state] += later->facts.states[state];
    }
    partial->facts.run_ended = later->facts.run_ended;
    partial->facts.run_end = later->facts.run_end;
}

enum mw_status mwa_profile_append(void *data, void *later_data)
{
    struct mwa_profile_partial *partial = data;
    struct mwa_profile_partial *later = later_data;
    const struct mwa_profile_facts *add = &later->facts;
    struct mwa_profile_facts *to = &partial->facts;

    append_run(partial, later);
    to->events |= add->events;
    to->open_calls = add->open_calls; /* none is open between parts */
    to->first = add->first < to->first ? add->first : to->first;
    for (uint32_t i = 0; i < partial->trace->mpi_region_count; i++) {
        mwa_call_sums_add(&partial->calls[i], &later->calls[i]);
    }
    to->bytes_sent += add->bytes_sent;
    to->bytes_received += add->bytes_received;
    return partial->trace->metrics.has_running
               ? mwa_off_core_append(&partial->running, &later->running, partial->trace)
               : MW_OK;
}

/* --- travelling --------------------------------------------------------------------------- */

/* All but what ranks or samples have. */
static void pack_sums(const struct mwa_profile_partial *partial, struct mw_buffer *to)
{
    mw_buffer_append(to, &partial->facts, sizeof partial->facts);
    mwa_pack_array(to, partial->calls, partial->trace->mpi_region_count, sizeof *partial->calls);
}

static bool are_facts(const struct mwa_profile_facts *facts)
{
    return mwa_is_flag(&facts->events) && mwa_is_flag(&facts->is_selected) &&
           mwa_is_flag(&facts->is_cut) && mwa_is_flag(&facts->run_begun) &&
           mwa_is_flag(&facts->run_ended);
}

static enum mw_status unpack_sums(struct mwa_profile_partial *partial, struct mw_cursor *from)
{
    return mw_cursor_take(from, &partial->facts, sizeof partial->facts) &&
                   are_facts(&partial->facts)
               ? mwa_unpack_into(from, partial->calls, partial->trace->mpi_region_count,
                                 sizeof *partial->calls)
               : MW_ERROR_FORMAT;
}

void mwa_profile_pack_part(const void *data, struct mw_buffer *to)
{
    const struct mwa_profile_partial *partial = data;

    pack_sums(partial, to);
    mwa_off_core_pack(&partial->running, partial->trace, to);
}

enum mw_status mwa_profile_unpack_part(void *data, struct mw_cursor *from)
{
    struct mwa_profile_partial *partial = data;
    const enum mw_status status = unpack_sums(partial, from);

    return status == MW_OK ? mwa_off_core_unpack(&partial->running, partial->trace, from) : status;
}

void mwa_profile_pack(const void *data, struct mw_buffer *to)
{
    const struct mwa_profile_partial *partial = data;
    uint64_t count = 0;

    pack_sums(partial, to);
    for (uint64_t i = 0; i < partial->rank_count; i++) {
        count += partial->ranks[i].has_events;
    }
    mw_buffer_u64(to, count);
    for (uint64_t i = 0; i < partial->rank_count; i++) {
        const struct mwa_rank_sums *rank = &partial->ranks[i];

        if (rank->has_events) {
            mw_buffer_u64(to, partial->rank_first + i);
            mwa_rank_sums_pack(rank, partial->trace, to);
        }
    }
}

static enum mw_status unpack_rank(struct mwa_profile_partial *partial, struct mw_cursor *from)
{
    char number[8];

    return mw_cursor_take(from, number, sizeof number) && mw_get_u64(number) < partial->rank_count
               ? mwa_rank_sums_unpack(&partial->ranks[mw_get_u64(number)], partial->trace, from)
               : MW_ERROR_FORMAT;
}

enum mw_status mwa_profile_unpack(void *data, const struct mwa_moment *moment,
                                  struct mw_cursor *from)
{
    struct mwa_profile_partial *partial = data;
    enum mw_status status = unpack_sums(partial, from);
    char count[8];

    if (status == MW_OK && !mw_cursor_take(from, count, sizeof count)) {
        return MW_ERROR_FORMAT;
    }
    if (status == MW_OK && mw_get_u64(count) > 0 &&
        !mwa_profile_need_ranks(partial, 0, partial->trace->rank_count)) {
        status = MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; status == MW_OK && i < mw_get_u64(count); i++) {
        status = unpack_rank(partial, from);
    }
    return status;
}
