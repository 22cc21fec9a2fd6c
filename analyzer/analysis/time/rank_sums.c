/* A rank's locations end at any time, of which its main thread is one. */
#include "analyzer/analysis/time/rank_sums.h"

#include <stdlib.h>

#include "analyzer/team/packing.h"

void mwa_rank_sums_fini(struct mwa_rank_sums *sums)
{
    free(sums->by_call);
    *sums = (struct mwa_rank_sums){ 0 };
}

bool mwa_rank_sums_need_calls(struct mwa_rank_sums *sums, const struct mwa_trace *trace)
{
    const uint32_t count = trace->mpi_region_count;

    if (!sums->by_call) {
        sums->by_call = calloc(count ? count : 1, sizeof *sums->by_call);
    }
    return sums->by_call != NULL;
}

bool mwa_rank_sums_add(struct mwa_rank_sums *to, const struct mwa_rank_sums *from,
                       const struct mwa_trace *trace)
{
    if (!from->has_events) {
        return true;
    }
    to->run_begin = to->has_events && to->run_begin < from->run_begin ? to->run_begin
                                                                        : from->run_begin;
    to->has_events = true;
    to->run += from->run;
    to->mpi += from->mpi;
    for (unsigned i = 0; i < MWA_STATES; i++) {
        to->states[i] += from->states[i];
    }
    to->probing += from->probing;
    to->across += from->across;
    to->selected += from->selected;
    if (from->running.is_told) {
        to->running = from->running; /* there is one main thread of a rank */
    }
    to->calls += from->calls;
    to->callers += from->callers;
    to->bytes_sent += from->bytes_sent;
    to->bytes_received += from->bytes_received;
    if (!mwa_rank_sums_need_calls(to, trace)) {
        return false;
    }
    for (uint32_t i = 0; from->by_call && i < trace->mpi_region_count; i++) {
        to->by_call[i].count += from->by_call[i].count;
        to->by_call[i].time += from->by_call[i].time;
    }
    return true;
}

void mwa_rank_sums_pack(const struct mwa_rank_sums *sums, const struct mwa_trace *trace,
                        struct mw_buffer *to)
{
    struct mwa_rank_sums plain = *sums;

    plain.by_call = NULL;
    mw_buffer_append(to, &plain, sizeof plain);
    mwa_pack_array(to, sums->by_call, trace->mpi_region_count, sizeof *sums->by_call);
}

enum mw_status mwa_rank_sums_unpack(struct mwa_rank_sums *sums, const struct mwa_trace *trace,
                                    struct mw_cursor *from)
{
    mwa_rank_sums_fini(sums);
    if (!mw_cursor_take(from, sums, sizeof *sums)) {
        return MW_ERROR_FORMAT;
    }
    sums->by_call = NULL;
    if (!mwa_is_flag(&sums->has_events) || !mwa_off_core_are_sums(&sums->running, trace)) {
        return MW_ERROR_FORMAT;
    }
    if (!mwa_rank_sums_need_calls(sums, trace)) {
        return MW_ERROR_MEMORY;
    }
    return mwa_unpack_into(from, sums->by_call, trace->mpi_region_count, sizeof *sums->by_call);
}
