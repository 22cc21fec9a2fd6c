/*
 * A profile's parts are of one location, read by several of which each began where the one before
 * ended, or of several locations: the first know what the others can't, that a run has begun.
 */
#include "analyzer/analysis/time/profile_partial.h"

#include <stdlib.h>

#include "analyzer/team/packing.h"

void mwa_profile_begin_run(struct mwa_profile_partial *partial, uint64_t time)
{
    partial->run_begun = true;
    partial->run_begin = time;
    partial->selected = 0;
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

    into->events |= from->events;
    into->is_selected |= from->is_selected;
    into->is_cut |= from->is_cut;
    into->mpi_calls += from->mpi_calls;
    into->open_calls += from->open_calls;
    into->first = from->first < into->first ? from->first : into->first;
    into->last = from->last > into->last ? from->last : into->last;
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
    if (later->run_begun) {
        mwa_profile_begin_run(partial, later->run_begin);
    }
    if (partial->run_ended) {
        return;
    }
    for (uint32_t i = 0; i < partial->trace->mpi_region_count; i++) {
        partial->calls[i].in_run += later->calls[i].in_run;
    }
    partial->run_ended = later->run_ended;
    partial->run_end = later->run_end;
}

enum mw_status mwa_profile_append(void *data, void *later_data)
{
    struct mwa_profile_partial *partial = data;
    struct mwa_profile_partial *later = later_data;

    append_run(partial, later);
    partial->events |= later->events;
    partial->open_calls = later->open_calls; /* none is open between parts */
    partial->first = later->first < partial->first ? later->first : partial->first;
    for (uint32_t i = 0; i < partial->trace->mpi_region_count; i++) {
        mwa_call_sums_add(&partial->calls[i], &later->calls[i]);
    }
    partial->bytes_sent += later->bytes_sent;
    partial->bytes_received += later->bytes_received;
    return partial->trace->metrics.has_running
               ? mwa_off_core_append(&partial->running, &later->running, partial->trace)
               : MW_OK;
}

/* What of a part is not in arrays. */
struct part_head {
    bool events;
    bool run_begun;
    bool run_ended;
    uint64_t open_calls;
    uint64_t first;
    uint64_t run_begin;
    uint64_t run_end;
    uint64_t bytes_sent;
    uint64_t bytes_received;
};

void mwa_profile_pack_part(const void *data, struct mw_buffer *to)
{
    const struct mwa_profile_partial *partial = data;
    struct part_head head = { .events = partial->events,
                              .run_begun = partial->run_begun,
                              .run_ended = partial->run_ended,
                              .open_calls = partial->open_calls,
                              .first = partial->first,
                              .run_begin = partial->run_begin,
                              .run_end = partial->run_end,
                              .bytes_sent = partial->bytes_sent,
                              .bytes_received = partial->bytes_received };

    mw_buffer_append(to, &head, sizeof head);
    mwa_pack_array(to, partial->calls, partial->trace->mpi_region_count, sizeof *partial->calls);
    mwa_off_core_pack(&partial->running, partial->trace, to);
}

enum mw_status mwa_profile_unpack_part(void *data, struct mw_cursor *from)
{
    struct mwa_profile_partial *partial = data;
    struct part_head head;
    enum mw_status status;

    if (!mw_cursor_take(from, &head, sizeof head)) {
        return MW_ERROR_FORMAT;
    }
    partial->events = head.events;
    partial->run_begun = head.run_begun;
    partial->run_ended = head.run_ended;
    partial->open_calls = head.open_calls;
    partial->first = head.first;
    partial->run_begin = head.run_begin;
    partial->run_end = head.run_end;
    partial->bytes_sent = head.bytes_sent;
    partial->bytes_received = head.bytes_received;
    status = mwa_unpack_into(from, partial->calls, partial->trace->mpi_region_count,
                             sizeof *partial->calls);
    return status == MW_OK ? mwa_off_core_unpack(&partial->running, partial->trace, from) : status;
}

/* --- travelling --------------------------------------------------------------------------- */

/* What is not in arrays. */
struct head {
    bool events;
    bool is_selected;
    bool is_cut;
    uint64_t mpi_calls;
    uint64_t open_calls;
    uint64_t first;
    uint64_t last;
    uint64_t ranks; /* that have events: sums each, behind its number */
};

void mwa_profile_pack(const void *data, struct mw_buffer *to)
{
    const struct mwa_profile_partial *partial = data;
    const uint64_t count = partial->trace->mpi_region_count;
    struct head head = { .events = partial->events,
                         .is_selected = partial->is_selected,
                         .is_cut = partial->is_cut,
                         .mpi_calls = partial->mpi_calls,
                         .open_calls = partial->open_calls,
                         .first = partial->first,
                         .last = partial->last };

    for (uint64_t i = 0; i < partial->rank_count; i++) {
        head.ranks += partial->ranks[i].has_events;
    }
    mw_buffer_append(to, &head, sizeof head);
    mwa_pack_array(to, partial->calls, count, sizeof *partial->calls);
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
    struct head head;
    enum mw_status status;

    if (!mw_cursor_take(from, &head, sizeof head)) {
        return MW_ERROR_FORMAT;
    }
    partial->events = head.events;
    partial->is_selected = head.is_selected;
    partial->is_cut = head.is_cut;
    partial->mpi_calls = head.mpi_calls;
    partial->open_calls = head.open_calls;
    partial->first = head.first;
    partial->last = head.last;
    status = mwa_unpack_into(from, partial->calls, partial->trace->mpi_region_count,
                             sizeof *partial->calls);
    if (status == MW_OK && head.ranks > 0 &&
        !mwa_profile_need_ranks(partial, 0, partial->trace->rank_count)) {
        status = MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; status == MW_OK && i < head.ranks; i++) {
        status = unpack_rank(partial, from);
    }
    return status;
}
