/*
 * To come to a place takes reading the events between the block before it and the place, of each
 * location: by one process that would take longer the more there are to wait for it.
 */
#include "analyzer/analysis/chapters_found.h"

#include <stdlib.h>

#include <zlib.h>

#include "analyzer/analysis/chapters_told.h"
#include "analyzer/team/packing.h"
#include "analyzer/team/rank_share.h"

/* What a process looks for, with the others. */
struct finding {
    const struct mwa_team *team;
    struct mwa_input *input;
    const struct mwa_block_states *states; /* null: it knows of no places */
    const uint64_t *numbers;               /* of the places that are looked for … */
    uint32_t count;
    struct mwa_reading_start **starts;     /* … and what is found there */
    uint32_t given;                        /* the process whose share was taken last */
    bool is_asked;                         /* the others were told what to look for */
    enum mw_status status;
    struct mw_diagnostic *diagnostic;
};

/* A number that other places don't have; 0: one of these is none that is known. */
static uint64_t identity(const struct finding *finding)
{
    const uint64_t places =
        mwa_block_states_lulls(finding->states) > 0
            ? mwa_block_states_lulls(finding->states)
            : mwa_block_states_quiet_before(finding->states, UINT64_MAX);
    const uint64_t locations = mwa_input_trace(finding->input)->location_count;
    uLong sum = crc32(0, NULL, 0);

    for (uint32_t i = 0; i < finding->count; i++) {
        if (finding->numbers[i] >= places) {
            return 0;
        }
        for (uint32_t k = 0; k < locations; k++) {
            const struct mwa_quiet_place *place =
                mwa_block_states_quiet(finding->states, k, finding->numbers[i]);
            const uint64_t what[] = { k, place ? place->time : 0, place ? place->events : 0,
                                      place ? place->left : 0, place ? place->resting : 0 };

            sum = crc32(sum, (const Bytef *)what, sizeof what);
        }
    }
    return UINT64_C(1) << 32 | sum;
}

/* --- a share of the locations ----------------------------------------------------------------- */

/* Appends what was found of the locations in share. */
static void pack_share(const struct finding *finding, const bool *share, struct mw_buffer *to)
{
    const uint64_t locations = mwa_input_trace(finding->input)->location_count;

    for (uint32_t i = 0; i < finding->count; i++) {
        mw_buffer_u32(to, finding->starts[i] != NULL);
        for (uint64_t k = 0; finding->starts[i] && k < locations; k++) {
            if (share[k]) {
                mwa_location_start_pack(&finding->starts[i]->locations[k], to);
            }
        }
    }
}

static void drop_start(struct finding *finding, uint32_t i)
{
    mwa_reading_start_free(finding->starts[i]);
    finding->starts[i] = NULL;
}

/* Takes what another process has found of a place, in start; null: it is none, for a process. */
static enum mw_status take_start(const struct finding *finding, const bool *share,
                                 struct mwa_reading_start *start, struct mw_cursor *from)
{
    const struct mwa_trace *trace = mwa_input_trace(finding->input);
    enum mw_status status = MW_OK;

    for (uint64_t k = 0; k < trace->location_count && status == MW_OK; k++) {
        struct mwa_location_start ignored = { .is_there = false };
        struct mwa_location_start *location = start ? &start->locations[k] : &ignored;

        if (share[k]) {
            status = mwa_location_start_unpack(trace, location, from);
        }
        mwa_location_start_fini(&ignored);
    }
    return status;
}

static enum mw_status take_starts(struct finding *finding, const bool *share,
                                  struct mw_cursor *from)
{
    enum mw_status status = MW_OK;
    char found[4];

    for (uint32_t i = 0; i < finding->count && status == MW_OK; i++) {
        if (!mw_cursor_take(from, found, sizeof found)) {
            return MW_ERROR_FORMAT;
        }
        if (mw_get_u32(found)) {
            status = take_start(finding, share, finding->starts[i], from);
        } else {
            drop_start(finding, i);
        }
    }
    return status == MW_OK && from->left > 0 ? MW_ERROR_FORMAT : status;
}

/* Takes the share of the next process (a function for mwa_team_give). */
static enum mw_status take_share(void *user, struct mw_cursor *from)
{
    struct finding *finding = user;
    bool *share = mwa_rank_share(mwa_input_trace(finding->input), ++finding->given,
                                 finding->team->transport.size);
    enum mw_status status = share ? take_starts(finding, share, from) : MW_ERROR_MEMORY;

    free(share);
    return status;
}

/* Each reads its share, and the first process gets what all have found. */
static enum mw_status find_shares(struct finding *finding, const bool *share)
{
    struct mw_buffer packed = { 0 };
    enum mw_status status;

    mwa_reading_starts_at(finding->input, finding->states, finding->numbers, finding->count, share,
                          finding->starts);
    if (!mwa_team_is_first(finding->team)) {
        pack_share(finding, share, &packed);
    }
    status = mwa_team_give(finding->team, &packed, take_share, finding, finding->diagnostic);
    mw_buffer_fini(&packed);
    return status == MW_ERROR_FORMAT
               ? mw_fail(finding->diagnostic, status, "", MW_DIAGNOSTIC_OFFSET_NONE,
                         "a process has found places that are none of this run")
               : status;
}

/* All know what is looked for: by all of them, or if one can't by the first one. */
static void find(struct finding *finding, bool can)
{
    const struct mw_transport *transport = &finding->team->transport;
    const bool is_first = mwa_team_is_first(finding->team);
    bool *share =
        mwa_rank_share(mwa_input_trace(finding->input), transport->rank, transport->size);
    bool is_alone = false;

    finding->status =
        mwa_team_any(finding->team, !can || !share, &is_alone, finding->diagnostic);
    if (finding->status == MW_OK && !is_alone) {
        finding->status = find_shares(finding, share);
    } else if (finding->status == MW_OK && is_first) {
        mwa_reading_starts_at(finding->input, finding->states, finding->numbers, finding->count,
                              NULL, finding->starts);
    }
    for (uint32_t i = 0; finding->status != MW_OK && is_first && i < finding->count; i++) {
        drop_start(finding, i);
    }
    free(share);
}

/* --- the first process, and the others -------------------------------------------------------- */

/* Tells the others what is looked for: nothing, if there are no numbers. */
static enum mw_status ask(struct finding *finding)
{
    struct mw_buffer told = { 0 };
    enum mw_status status;

    finding->is_asked = true;
    mw_buffer_u64(&told, finding->count > 0 ? identity(finding) : 0);
    mwa_pack_array(&told, finding->numbers, finding->count, sizeof *finding->numbers);
    status = mwa_team_tell(finding->team, &told, finding->diagnostic);
    mw_buffer_fini(&told);
    return status;
}

/* Finds starts, of all locations (a function for mwa_chapters_find). */
static void find_with_others(void *user, const uint64_t *numbers, uint32_t count,
                             struct mwa_reading_start **starts)
{
    struct finding *finding = user;

    finding->numbers = numbers;
    finding->count = count;
    finding->starts = starts;
    finding->status = ask(finding);
    if (finding->status == MW_OK) {
        find(finding, true);
    }
}

/* What another process does for the first one. */
static void help(struct finding *finding)
{
    struct mw_buffer told = { 0 };
    struct mw_cursor from;
    uint64_t *numbers = NULL;
    uint64_t count = 0;
    char bytes[8] = { 0 };
    bool can;

    finding->status = mwa_team_tell(finding->team, &told, finding->diagnostic);
    from = (struct mw_cursor){ told.data, told.bytes };
    can = mw_cursor_take(&from, bytes, sizeof bytes) &&
          mwa_unpack_array(&from, &numbers, &count, sizeof *numbers) == MW_OK;
    finding->numbers = numbers;
    finding->count = (uint32_t)count;
    finding->starts = calloc(count + 1, sizeof(struct mwa_reading_start *));
    can = can && finding->starts && finding->states && identity(finding) == mw_get_u64(bytes);
    if (finding->status == MW_OK && mw_get_u64(bytes) != 0) {
        find(finding, can);
    }
    for (uint32_t i = 0; finding->starts && i < finding->count; i++) {
        mwa_reading_start_free(finding->starts[i]);
    }
    free(finding->starts);
    free(numbers);
    mw_buffer_fini(&told);
}

enum mw_status mwa_chapters_find_together(const struct mwa_team *team, struct mwa_input *input,
                                          const struct mwa_block_states *states, uint32_t most,
                                          struct mwa_chapters **chapters,
                                          struct mw_diagnostic *diagnostic)
{
    struct finding finding = {
        .team = team, .input = input, .states = states, .diagnostic = diagnostic
    };
    const struct mwa_starts_finder finder = { find_with_others, &finding };

    *chapters = NULL;
    if (mwa_team_is_first(team)) {
        *chapters = mwa_chapters_find(input, states, most, &finder);
        finding.status = finding.is_asked ? finding.status : ask(&finding);
    } else {
        help(&finding);
    }
    finding.status = mwa_team_agree(team, finding.status, 0, diagnostic);
    return finding.status == MW_OK
               ? mwa_chapters_tell(team, mwa_input_trace(input), chapters, diagnostic)
               : finding.status;
}
