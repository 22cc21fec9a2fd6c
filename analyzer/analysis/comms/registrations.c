#include "analyzer/analysis/comms/registrations.h"

#include <stdlib.h>

#include "analyzer/team/packing.h"
#include "formats/base/order.h"

/* The life of the communicator on rank; null: nothing is known of it. */
static const struct mwa_comm_life *life_on(const struct mwa_comms *comms,
                                           const struct mwa_comm_row *row, uint32_t rank)
{
    for (uint64_t i = 0; i < row->life_count; i++) {
        const struct mwa_comm_life *life = &comms->lives[row->first_life + i];

        if (life->rank == rank) {
            return life;
        }
    }
    return NULL;
}

static struct mwa_registration interval_of(const struct mwa_trace *trace,
                                           const struct mwa_comms *comms,
                                           const struct mwa_comm_row *row,
                                           const struct mwa_registered *registered)
{
    const bool is_told = registered->to != UINT64_MAX;
    const struct mwa_comm_life *life = is_told ? NULL : life_on(comms, row, registered->rank);
    const bool is_freed = life && life->has_freed;

    return (struct mwa_registration){ .comm = row->comm,
                                      .rank = registered->rank,
                                      .name = registered->name,
                                      .from_ns = mwa_trace_since_begin(trace, registered->from),
                                      .has_end = is_told || is_freed,
                                      .to_ns = is_told ? mwa_trace_since_begin(trace,
                                                                               registered->to)
                                               : is_freed ? life->freed_ns
                                                          : 0 };
}

static enum mw_status add_word(struct mwa_words *words, const struct mwa_word *word)
{
    if (!mwa_grow(&words->list, &words->capacity, words->count + 1, sizeof *words->list)) {
        return MW_ERROR_MEMORY;
    }
    words->list[words->count++] = *word;
    return MW_OK;
}

enum mw_status mwa_words_take(struct mwa_words *words, const struct mwa_moment *moment)
{
    const struct mwa_event *event = moment->event;
    const struct mwa_word word = {
        .comm = event->of.mark.comm,
        .rank = moment->location->rank,
        .time = event->time,
        .name = event->kind == MWA_REGISTERED ? event->of.mark.text : NULL
    };

    if (word.comm == MWA_NONE || word.rank == MWA_NONE) {
        return MW_OK;
    }
    return add_word(words, &word);
}

enum mw_status mwa_words_merge(struct mwa_words *into, const struct mwa_words *from)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < from->count && status == MW_OK; i++) {
        status = add_word(into, &from->list[i]);
    }
    return status;
}

void mwa_words_fini(struct mwa_words *words)
{
    free(words->list);
    *words = (struct mwa_words){ 0 };
}

void mwa_words_pack(const struct mwa_words *words, const struct mwa_trace *trace,
                    struct mw_buffer *to)
{
    mwa_pack_array(to, words->list, words->count, sizeof *words->list);
    mwa_pack_texts(to, trace, words->list ? &words->list->name : NULL, words->count,
                   sizeof *words->list);
}

enum mw_status mwa_words_unpack(struct mwa_words *words, const struct mwa_trace *trace,
                                struct mw_cursor *from)
{
    enum mw_status status =
        mwa_unpack_array(from, &words->list, &words->count, sizeof *words->list);

    return status == MW_OK ? mwa_unpack_texts(from, trace, &words->list->name, words->count,
                                              sizeof *words->list)
                           : status;
}

static int by_time(const void *one, const void *other)
{
    const struct mwa_word *a = one;
    const struct mwa_word *b = other;

    return mw_order(a->comm, b->comm) ?: mw_order(a->rank, b->rank) ?: mw_order(a->time, b->time);
}

/* The intervals of one communicator, from its words, sorted; returns the position behind them. */
static uint64_t take_words(const struct mwa_trace *trace, struct mwa_comms *comms,
                           struct mwa_comm_row *row, const struct mwa_words *sorted, uint64_t at)
{
    for (; at < sorted->count && sorted->list[at].comm == row->comm; at++) {
        const struct mwa_word *word = &sorted->list[at];
        const struct mwa_word *next = at + 1 < sorted->count ? word + 1 : NULL;
        bool has_next = next && next->comm == word->comm && next->rank == word->rank;
        const struct mwa_registered registered = { .name = word->name,
                                                   .rank = word->rank,
                                                   .from = word->time,
                                                   .to = has_next ? next->time : UINT64_MAX };

        if (word->name && !trace->comms[row->comm].is_told) {
            comms->registrations[comms->registration_count++] =
                interval_of(trace, comms, row, &registered);
            row->registration_count++;
        }
    }
    return at;
}

static void take_told(const struct mwa_trace *trace, struct mwa_comms *comms,
                      struct mwa_comm_row *row)
{
    const struct mwa_comm *comm = &trace->comms[row->comm];

    for (uint64_t k = 0; k < comm->registered_count; k++) {
        comms->registrations[comms->registration_count++] =
            interval_of(trace, comms, row, &comm->registered[k]);
        row->registration_count++;
    }
}

enum mw_status mwa_registrations_make(const struct mwa_trace *trace, const struct mwa_words *words,
                                      struct mwa_comms *comms)
{
    struct mwa_words sorted = { 0 };
    uint64_t count = words->count;
    uint64_t at = 0;

    for (uint32_t i = 0; i < trace->comm_count; i++) {
        count += trace->comms[i].registered_count;
    }
    comms->registrations = calloc(count + 1, sizeof *comms->registrations);
    if (!comms->registrations || mwa_words_merge(&sorted, words) != MW_OK) {
        mwa_words_fini(&sorted);
        return MW_ERROR_MEMORY;
    }
    if (sorted.count > 0) {
        qsort(sorted.list, sorted.count, sizeof *sorted.list, by_time);
    }
    for (uint32_t i = 0; i < trace->comm_count; i++) {
        struct mwa_comm_row *row = &comms->rows[i];

        row->first_registration = comms->registration_count;
        take_told(trace, comms, row);
        at = take_words(trace, comms, row, &sorted, at);
    }
    mwa_words_fini(&sorted);
    return MW_OK;
}
