/* A chapter that ends at a lull is told with all that the next one may ask for. */
#include "analyzer/analysis/delay/delay_state.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/team/packing.h"

/* --- lulls ------------------------------------------------------------------------------------ */

struct packed_early {
    uint64_t wait, selected;
    uint64_t waited;
    uint32_t rank, cause;
    uint32_t cause_site;
    uint32_t count;
};

static void pack_early(const struct mwa_delay_early *early, struct mw_buffer *to)
{
    const struct packed_early packed = { .wait = early->wait.wait,
                                         .selected = early->wait.selected,
                                         .waited = early->waited,
                                         .rank = early->wait.rank,
                                         .cause = early->wait.cause,
                                         .cause_site = early->wait.cause_site,
                                         .count = early->count };

    mwa_pack_array(to, &packed, 1, sizeof packed);
    mwa_pack_array(to, early->waits, UINT64_C(2) * early->count, sizeof *early->waits);
    mwa_pack_array(to, early->waiter->ticks, early->waiter->count, sizeof *early->waiter->ticks);
    mwa_pack_array(to, early->cause->ticks, early->cause->count, sizeof *early->cause->ticks);
}

static enum mw_status unpack_mark(struct mwa_activities *activities, struct mw_cursor *from,
                                  struct mwa_mark **mark)
{
    const struct mwa_mark seen = { 0 };
    uint64_t *ticks = NULL;
    uint64_t count = 0;
    enum mw_status status = mwa_unpack_array(from, &ticks, &count, sizeof *ticks);

    if (status == MW_OK && count > MWA_ACTIVITIES) {
        status = MW_ERROR_FORMAT;
    }
    if (status == MW_OK) {
        *mark = mwa_activities_make_mark(activities, &seen, ticks, (uint32_t)count);
        status = *mark ? MW_OK : MW_ERROR_MEMORY;
    }
    free(ticks);
    return status;
}

static bool is_sound(const struct mwa_delay *delay, const struct packed_early *packed)
{
    const struct mwa_trace *trace = delay->trace;

    return packed->rank < trace->rank_count && packed->cause < trace->rank_count &&
           packed->selected <= packed->wait && packed->count <= MWA_ACTIVITIES &&
           (packed->cause_site == MWA_NONE || packed->cause_site < trace->site_count);
}

/* The next one, for which there is room. */
static enum mw_status unpack_early(struct mwa_delay *delay, struct mw_cursor *from)
{
    struct packed_early packed = { 0 };
    struct mwa_delay_early *early;
    enum mw_status status = mwa_unpack_into(from, &packed, 1, sizeof packed);

    if (status != MW_OK || !is_sound(delay, &packed)) {
        return MW_ERROR_FORMAT;
    }
    early = calloc(1, sizeof *early + UINT64_C(2) * packed.count * sizeof *early->waits);
    if (!early) {
        return MW_ERROR_MEMORY;
    }
    delay->early[delay->early_count++] = early;
    early->wait = (struct mwa_delay_wait){ .wait = packed.wait,
                                           .selected = packed.selected,
                                           .rank = packed.rank,
                                           .cause = packed.cause,
                                           .cause_site = packed.cause_site };
    early->waited = packed.waited;
    early->count = packed.count;
    status = mwa_unpack_into(from, early->waits, UINT64_C(2) * early->count,
                             sizeof *early->waits);
    if (status == MW_OK) {
        status = unpack_mark(delay->activities, from, &early->waiter);
    }
    return status == MW_OK ? unpack_mark(delay->activities, from, &early->cause) : status;
}

/* What is asked for at a lull; nothing else of this is told. */
static void pack_lull(struct mwa_delay *delay, struct mw_buffer *to)
{
    const uint64_t told[] = { delay->begins_at_lull, delay->ends_at_lull, delay->early_count };
    const uint64_t ranks = delay->trace->rank_count;

    mwa_pack_array(to, told, 3, sizeof *told);
    if (!delay->begins_at_lull && !delay->ends_at_lull) {
        return;
    }
    mwa_activities_pack_lull(delay->activities, to);
    mwa_pack_array(to, delay->waited, ranks, sizeof *delay->waited);
    for (uint64_t i = 0; i < ranks; i++) {
        mwa_pack_array(to, delay->waits[i], delay->waits[i] ? MWA_ACTIVITIES : 0,
                       sizeof **delay->waits);
    }
    for (uint64_t i = 0; i < delay->early_count; i++) {
        pack_early(delay->early[i], to);
    }
    mwa_meetings_pack(delay->meetings, to);
}

static enum mw_status unpack_waits(struct mwa_delay *delay, struct mw_cursor *from)
{
    const uint64_t ranks = delay->trace->rank_count;
    enum mw_status status = mwa_unpack_into(from, delay->waited, ranks, sizeof *delay->waited);

    for (uint64_t i = 0; i < ranks && status == MW_OK; i++) {
        uint64_t count = 0;

        status = mwa_unpack_array(from, &delay->waits[i], &count, sizeof **delay->waits);
        if (status == MW_OK && count == 0) {
            free(delay->waits[i]);
            delay->waits[i] = NULL;
        } else if (status == MW_OK && count != MWA_ACTIVITIES) {
            status = MW_ERROR_FORMAT;
        }
    }
    return status;
}

static enum mw_status unpack_lull(struct mwa_delay *delay, struct mw_cursor *from)
{
    uint64_t told[3] = { 0 };
    enum mw_status status = mwa_unpack_into(from, told, 3, sizeof *told);

    if (status != MW_OK || told[0] > 1 || told[1] > 1 || told[2] > from->left ||
        (told[2] > 0 && !told[0])) { /* only at a lull is a wait put off */
        return MW_ERROR_FORMAT;
    }
    delay->begins_at_lull = told[0] > 0;
    delay->ends_at_lull = told[1] > 0;
    if (!delay->begins_at_lull && !delay->ends_at_lull) {
        return MW_OK;
    }
    if (!mwa_grow(&delay->early, &delay->early_capacity, told[2] + 1,
                  sizeof(struct mwa_delay_early *))) {
        return MW_ERROR_MEMORY;
    }
    status = mwa_activities_unpack_lull(delay->activities, from);
    if (status == MW_OK) {
        status = unpack_waits(delay, from);
    }
    for (uint64_t i = 0; i < told[2] && status == MW_OK; i++) {
        status = unpack_early(delay, from);
    }
    return status == MW_OK ? mwa_meetings_unpack(delay->meetings, delay->activities, from)
                           : status;
}

/* --- all of it -------------------------------------------------------------------------------- */

/* Numbers of waits are not told: they are counted where their records are taken out. */
void mwa_delay_pack(struct mwa_delay *delay, struct mw_buffer *to)
{
    to->failed |= mwa_delay_log_all(delay) != MW_OK;
    if (delay->begins_at_lull || delay->ends_at_lull) { /* which may number activities */
        to->failed |= mwa_activities_finish(delay->activities) != MW_OK;
    }
    mwa_activities_pack(delay->activities, to);
    pack_lull(delay, to);
    mwa_pack_array(to, &delay->chapter_count, 1, sizeof delay->chapter_count);
    for (uint64_t i = 0; i < delay->chapter_count; i++) {
        mwa_pack_array(to, delay->chapters[i].numbers, MWA_ACTIVITIES,
                       sizeof *delay->chapters[i].numbers);
        mwa_record_log_pack(delay->chapters[i].log, to);
    }
}

/* Counts a record that was taken out. Those of waits that were put off are in the first chapter. */
static bool count_record(void *user, const uint64_t *words, uint32_t count)
{
    struct mwa_delay *delay = user;
    const bool is_early =
        count == 1 && words[0] < delay->early_count && delay->chapter_count == 1;
    const bool is_record = is_early || mwa_delay_is_record(delay->trace, words, count);

    if (is_record) {
        delay->logged[is_early ? delay->early[words[0]]->wait.rank : words[MWA_DELAY_RANK]]++;
    }
    return is_record;
}

static enum mw_status unpack_chapter(struct mwa_delay *delay, struct mwa_delay_chapter *chapter,
                                     struct mw_cursor *from)
{
    enum mw_status status =
        mwa_unpack_into(from, chapter->numbers, MWA_ACTIVITIES, sizeof *chapter->numbers);

    memcpy(chapter->before, delay->logged, delay->trace->rank_count * sizeof *delay->logged);
    return status == MW_OK ? mwa_record_log_unpack(chapter->log, from, count_record, delay)
                           : status;
}

enum mw_status mwa_delay_unpack(struct mwa_delay *delay, struct mw_cursor *from)
{
    uint64_t count = 0;
    enum mw_status status = mwa_activities_unpack(delay->activities, from);

    if (status == MW_OK) {
        status = unpack_lull(delay, from);
    }
    if (status == MW_OK) {
        status = mwa_unpack_into(from, &count, 1, sizeof count);
    }
    for (uint64_t i = 0; i < count && status == MW_OK; i++) {
        struct mwa_delay_chapter *chapter =
            i == 0 ? delay->chapters : mwa_delay_begin_chapter(delay);

        status = chapter ? unpack_chapter(delay, chapter, from) : MW_ERROR_MEMORY;
    }
    return status;
}
