/* Events are read here for those who watch elsewhere, as long as they do: they wish for it again
 * and again. */
#include "analyzer/live/live_here.h"

#include <unistd.h>

#include "analyzer/live/live_screen.h"

#define SECOND 1000000000u
#define PERCENT_OF_SECOND 10000000u /* ns */
#define END_SECONDS 10u /* that the last events may take to be read and told */

void mwa_live_here_wish(struct mwa_live_here *here, uint32_t flags)
{
    for (unsigned i = 0; i < 2; i++) {
        here->wished[i] = flags >> i & 1 ? mwa_live_time() : here->wished[i];
    }
}

/* After which a host is not waited for. */
static uint64_t silence_of(uint32_t seconds)
{
    return (3 * (uint64_t)seconds + 2) * SECOND;
}

enum mw_status mwa_live_here_take(struct mwa_live_here *here, uint32_t from, const void *message,
                                  size_t bytes, uint32_t seconds, struct mw_diagnostic *diagnostic)
{
    struct mw_diagnostic wrong = {0};
    struct mw_live_head head;
    struct mw_live_wish wish;
    struct mw_live_batch batch;
    struct mw_cursor items;

    if (mw_live_message_read(message, bytes, &head, &items, &wrong) != MW_OK) {
        return MW_OK;
    }
    if (head.kind == MW_LIVE_WISH && mw_live_message_next(&items, head.kind, &wish)) {
        mwa_live_here_wish(here, wish.flags);
        return MW_OK;
    }
    if (head.kind != MW_LIVE_CALLS || !here->peers || !here->detail || !here->has_waits ||
        head.nonce != here->live.run->nonce ||
        !mw_live_message_next(&items, head.kind, &batch)) {
        return MW_OK;
    }
    mwa_live_peers_take(here->peers, from, &batch, &items, mwa_live_detail_hear, here->detail);
    return mwa_live_peers_send(here->peers, here->live.run, false, silence_of(seconds),
                               diagnostic);
}

static uint32_t wish_of(const struct mwa_live_here *here, uint32_t seconds)
{
    const uint64_t now = mwa_live_time();
    uint32_t wish = 0;

    for (unsigned i = 0; i < 2; i++) {
        const bool holds = here->wished[i] > 0 && now - here->wished[i] <
                                   MW_LIVE_WISH_LOOKS * (uint64_t)seconds * SECOND;

        wish |= holds ? 1u << i : 0;
    }
    return wish;
}

static bool make_detail(struct mwa_live_here *here, bool with_waits)
{
    if (with_waits && !here->has_waits) {
        mwa_live_detail_destroy(here->detail);
        here->detail = NULL;
        here->has_waits = true;
    }
    if (!here->detail) {
        here->detail = mwa_live_detail_create(
            &here->live, here->has_waits ? MWA_LIVE_WAITING : MWA_LIVE_RESULTS);
        if (here->detail && here->peers) {
            mwa_live_detail_meet(here->detail, here->peers);
        }
    }
    return here->detail;
}

static enum mw_status tell_detail(struct mwa_live_here *here, uint32_t wish, uint32_t seconds,
                                  struct mw_diagnostic *diagnostic)
{
    const uint64_t share = (uint64_t)seconds * MWA_LIVE_READING_PERCENT * PERCENT_OF_SECOND;
    enum mw_status status;

    if (!make_detail(here, wish & MW_LIVE_WISH_WAITS)) {
        return mw_no_memory(diagnostic, NULL, "to read what the run does");
    }
    status = mwa_live_detail_read(here->detail, &here->live,
                                  mwa_live_is_running(&here->live) ? share : 0, diagnostic);
    for (uint32_t i = 0; here->peers && i < mwa_live_peers_count(here->peers); i++) {
        mwa_live_peers_take(here->peers, i, NULL, NULL, mwa_live_detail_hear, here->detail);
    }
    if (status == MW_OK && here->peers && here->has_waits) {
        status = mwa_live_peers_send(here->peers, here->live.run, true, silence_of(seconds),
                                     diagnostic);
    }
    if (status == MW_OK && !mwa_live_detail_look(here->detail)) {
        status = mw_no_memory(diagnostic, NULL, "to read what the run does");
    }
    return status == MW_OK ? mwa_live_tell_detail(&here->live, here->detail, &here->telling,
                                                  diagnostic)
                           : status;
}

/* Whether nothing more is to be told of a run that has ended. */
static bool is_told(struct mwa_live_here *here, uint32_t wish)
{
    if (mwa_live_is_running(&here->live)) {
        here->ended = 0;
        return false;
    }
    here->ended = here->ended > 0 ? here->ended : mwa_live_time();
    return !wish || !here->detail || mwa_live_detail_is_done(here->detail) ||
           mwa_live_time() - here->ended > END_SECONDS * (uint64_t)SECOND;
}

enum mw_status mwa_live_here_look(struct mwa_live_here *here, const char **names, uint32_t seconds,
                                  bool *has_ended, struct mw_diagnostic *diagnostic)
{
    const uint32_t wish = wish_of(here, seconds);
    enum mw_status status;

    /* NAME.run goes when the archive is there. */
    *has_ended = here->was_named && access(names[0], F_OK) != 0;
    here->was_named = here->was_named || access(names[0], F_OK) == 0;
    if (!here->is_there) {
        here->is_there = mwa_live_begin(&here->live, names, diagnostic) == MW_OK;
        if (!here->is_there) {
            mwa_live_fini(&here->live);
            return mwa_live_tell(NULL, &here->telling, diagnostic);
        }
        here->lines = mwa_live_lines_create();
    }
    status = mwa_live_look(&here->live, diagnostic);
    if (status == MW_OK && here->lines) {
        mwa_live_lines_look(here->lines, &here->live, false);
    }
    if (status == MW_OK) {
        status = mwa_live_tell(&here->live, &here->telling, diagnostic);
    }
    if (status == MW_OK && wish) {
        status = tell_detail(here, wish, seconds, diagnostic);
    }
    *has_ended = is_told(here, wish);
    return status;
}

void mwa_live_here_end(struct mwa_live_here *here)
{
    mwa_live_detail_destroy(here->detail);
    here->detail = NULL;
    if (here->is_there) {
        mwa_live_lines_destroy(here->lines);
        here->lines = NULL;
        mwa_live_fini(&here->live);
        here->is_there = false;
    }
}
