/* Chapters share nothing while they are followed, but for definitions, which nobody changes. */
#include "analyzer/analysis/exchanges_in_chapters.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "analyzer/analysis/chapter_part.h"
#include "analyzer/analysis/exchanges.h"
#include "analyzer/model/work_together.h"

/* The chapters of a run, of which this process follows those from first to end. */
struct parts {
    struct mwa_chapter_run run;
    struct mwa_chapter_part *list; /* by number */
    uint32_t count;
    uint32_t first, end;
    bool at_lulls;
    _Atomic uint32_t next;    /* that nobody has begun with */
    _Atomic bool has_failed;
};

/* --- by threads ------------------------------------------------------------------------------- */

/* Follows chapters that nobody has begun with. A function for mwa_work_together. */
static void *work(void *argument)
{
    struct parts *parts = argument;
    uint32_t next;

    while (!atomic_load(&parts->has_failed) &&
           (next = atomic_fetch_add(&parts->next, 1)) < parts->end) {
        struct mwa_chapter_part *part = &parts->list[next];

        mwa_chapter_part_follow(&parts->run, part);
        if (part->status != MW_OK) {
            atomic_store(&parts->has_failed, true);
        }
    }
    return NULL;
}

/* Follows all that are this process's; *failed_at: the first one, of those that failed. */
static enum mw_status follow_own(struct parts *parts, const struct mwa_chapters *chapters,
                                 uint64_t *failed_at, struct mw_diagnostic *diagnostic)
{
    const uint32_t threads = mwa_input_threads(parts->run.pass->input);
    const uint32_t count = parts->end - parts->first;
    enum mw_status status = MW_OK;

    for (uint32_t i = parts->first; i < parts->end && status == MW_OK; i++) {
        status = parts->list[i].status = mwa_chapter_part_open(&parts->run, chapters,
                                                               &parts->list[i]);
    }
    parts->next = parts->first;
    if (status == MW_OK && count > 0) {
        mwa_work_together(threads < count ? threads : count, work, parts);
    }
    for (uint32_t i = parts->first; i < parts->end; i++) {
        if (parts->list[i].status != MW_OK) {
            *failed_at = i;
            *diagnostic = parts->list[i].diagnostic;
            return parts->list[i].status;
        }
    }
    return status;
}

/*
 * Whether a chapter has lost something for want of memory, which is a matter of rounds, or an
 * analysis has something that it can't be put together with.
 */
static bool is_one_apart(const struct parts *parts)
{
    for (uint32_t i = parts->first; i < parts->end; i++) {
        if (!mwa_follower_can_be_appended(&parts->list[i].follower, i + 1 == parts->count)) {
            return true;
        }
    }
    return false;
}

/* Appends what another process's chapters remember (a function for mwa_team_give). */
static enum mw_status take_remembered(void *user, struct mw_cursor *from)
{
    struct mw_buffer *all = user;

    mw_buffer_append(all, from->next, from->left);
    from->left = 0;
    return all->failed ? MW_ERROR_MEMORY : MW_OK;
}

/* Whether what an analysis remembers of all chapters, which begin at lulls, is too much for one of
 * them: of a team the first process knows. */
static enum mw_status is_too_much(const struct parts *parts, uint32_t number, bool *is_too_much,
                                  struct mw_diagnostic *diagnostic)
{
    const struct mwa_exchange_analysis *analysis = parts->run.wanted[number].analysis;
    const struct mwa_team *team = parts->run.pass->team;
    const bool is_first = !team || mwa_team_is_first(team);
    struct mw_buffer own = { 0 }, others = { 0 };
    enum mw_status status = MW_OK;

    for (uint32_t i = parts->first; i < parts->end; i++) {
        analysis->remember(parts->list[i].follower.listeners[number].user, &own);
    }
    if (team) {
        status = mwa_team_give(team, is_first ? &others : &own, take_remembered, &own, diagnostic);
    }
    if (status == MW_OK && own.failed) {
        status = mw_no_memory(diagnostic, NULL, "for chapters");
    }
    if (status == MW_OK && is_first) {
        struct mw_cursor from = { own.data, own.bytes };

        status = analysis->is_too_much(&from, is_too_much);
    }
    mw_buffer_fini(&own);
    return status;
}

static enum mw_status are_too_much(const struct parts *parts, bool *are,
                                   struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < parts->run.wanted_count && status == MW_OK; i++) {
        bool is = false;

        if (parts->run.wanted[i].analysis->remember) {
            status = is_too_much(parts, i, &is, diagnostic);
        }
        *are |= is;
    }
    return parts->run.pass->team
               ? mwa_team_agree(parts->run.pass->team, status, parts->first, diagnostic)
               : status;
}

/* Says of this process's chapters what is left to be said. */
static enum mw_status tell_rest(struct parts *parts, uint8_t *paused,
                                struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = parts->first; i < parts->end && status == MW_OK; i++) {
        status = mwa_chapter_part_tell_rest(&parts->list[i], paused, diagnostic);
    }
    return status;
}

/* The first chapter of a process: they have about as many each, and the first process has one. */
static uint32_t first_of(uint64_t count, uint64_t process, uint64_t processes)
{
    return (uint32_t)((count * process + processes - 1) / processes);
}

/* --- all of them ------------------------------------------------------------------------------ */

/* What the first process puts together. */
struct whole {
    struct parts *parts;
    void **totals; /* of the analyses of events */
    struct mwa_results *results;
    uint64_t *sent; /* the messages that chapters so far have begun, per rank */
    uint32_t given; /* the chapter that another process hands on */
    bool is_lossy;  /* they can't be put together */
    struct mw_diagnostic *diagnostic;
};

/* Adds a chapter to those before it. */
static enum mw_status append(struct whole *whole, struct mwa_chapter_part *part)
{
    const struct mwa_chapter_run *run = &whole->parts->run;
    const struct mwa_seam seam = { .sent = whole->sent,
                                   .paths = run->pass->paths,
                                   .is_lull = whole->parts->at_lulls };
    enum mw_status status = MW_OK;

    if (part->number > 0) {
        status = mwa_follower_append(&whole->parts->list[0].follower, &part->follower, &seam,
                                      whole->diagnostic);
    }
    if (status == MW_OK && part->number > 0) {
        status = mwa_event_parts_append(&whole->parts->list[0].events, &part->events,
                                        whole->diagnostic);
    }
    if (status == MW_OK && run->visitor) {
        status = run->visitor->add(run->visitor->user, part->visited);
    }
    if (status == MW_OK) {
        status = mwa_matching_result_add(&whole->results->matching, &part->matching);
    }
    if (run->wanted_count > 0) {
        mwa_exchange_result_add(&whole->results->exchange, &part->exchange,
                                part->number > 0 && !seam.is_lull);
    }
    for (uint64_t i = 0; i < whole->results->trace->rank_count; i++) {
        whole->sent[i] += part->sent[i];
    }
    return status;
}

static enum mw_status append_own(struct whole *whole)
{
    const struct parts *parts = whole->parts;
    enum mw_status status = MW_OK;

    for (uint32_t i = parts->first; i < parts->end && status == MW_OK; i++) {
        status = append(whole, &parts->list[i]);
    }
    return status;
}

/* Adds the next one, which another process has followed (a function for mwa_team_give_one). */
static enum mw_status append_given(void *user, struct mw_cursor *from)
{
    struct whole *whole = user;
    struct parts *parts = whole->parts;
    struct mwa_chapter_part *part = &parts->list[whole->given];
    enum mw_status status =
        mwa_chapter_part_unpack(&parts->run, part, from, whole->diagnostic);

    if (status == MW_OK) {
        status = append(whole, part);
    }
    mwa_chapter_part_end(&parts->run, part);
    *part = (struct mwa_chapter_part){ 0 };
    return status;
}

/* Hands a chapter on to the first process, which has those before it; giver has followed it. */
static enum mw_status hand_on(struct whole *whole, const struct mwa_team *team, uint32_t giver)
{
    struct parts *parts = whole->parts;
    struct mwa_chapter_part *part = &parts->list[whole->given];
    struct mw_buffer packed = { 0 };
    enum mw_status status;

    if (team->transport.rank == giver) {
        mwa_chapter_part_pack(&parts->run, part, &packed);
        mwa_chapter_part_end(&parts->run, part);
        *part = (struct mwa_chapter_part){ 0 };
    }
    status = mwa_team_give_one(team, giver, &packed, append_given, whole, whole->diagnostic);
    mw_buffer_fini(&packed);
    return status == MW_ERROR_FORMAT
               ? mw_fail(whole->diagnostic, status, "", MW_DIAGNOSTIC_OFFSET_NONE,
                         "a process has handed on what is no chapter of this run")
               : status;
}

/* All others hand on theirs, one at a time, until one can't be handed on or added. */
static enum mw_status hand_on_all(struct whole *whole, const struct mwa_team *team)
{
    const uint32_t count = whole->parts->count;
    enum mw_status status = MW_OK;

    for (uint32_t giver = 1; giver < team->transport.size && status == MW_OK; giver++) {
        const uint32_t end = first_of(count, giver + UINT64_C(1), team->transport.size);

        whole->given = first_of(count, giver, team->transport.size);
        for (; whole->given < end && status == MW_OK; whole->given++) {
            status = hand_on(whole, team, giver);
            status = mwa_team_agree(team, status, 0, whole->diagnostic);
        }
    }
    return status;
}

/* Whose recording was paused before the chapters of this process. */
static enum mw_status find_pauses(struct parts *parts, const struct mwa_team *team, uint8_t *paused,
                                  uint64_t ranks, struct mw_diagnostic *diagnostic)
{
    for (uint32_t i = parts->first; i < parts->end; i++) {
        mwa_chapter_part_pauses(&parts->list[i], paused);
    }
    return mwa_team_before(team, paused, ranks, diagnostic);
}

/* Whether what was told last shows that this process's chapters can't be put together, or another
 * one's. */
static enum mw_status look_again(struct whole *whole, const struct mwa_team *team)
{
    enum mw_status status = MW_OK;

    whole->is_lossy = is_one_apart(whole->parts);
    if (whole->parts->at_lulls) {
        status = are_too_much(whole->parts, &whole->is_lossy, whole->diagnostic);
    }
    return status == MW_OK && team ? mwa_team_any(team, whole->is_lossy, &whole->is_lossy,
                                                  whole->diagnostic)
                                   : status;
}

/* All were followed: makes one of them, if it is not lossy. */
static enum mw_status put_together(struct whole *whole, uint8_t *paused,
                                   const struct mwa_team *team)
{
    struct parts *parts = whole->parts;
    const bool is_first = !team || mwa_team_is_first(team);
    const uint64_t ranks = whole->results->trace->rank_count;
    enum mw_status status =
        team ? find_pauses(parts, team, paused, ranks, whole->diagnostic) : MW_OK;

    if (status != MW_OK) {
        return status;
    }
    status = tell_rest(parts, paused, whole->diagnostic);
    if (team) {
        status = mwa_team_agree(team, status, parts->first, whole->diagnostic);
    }
    if (status == MW_OK) {
        status = look_again(whole, team);
    }
    if (status != MW_OK || whole->is_lossy) {
        return status;
    }
    status = is_first ? append_own(whole) : MW_OK;
    if (team) {
        status = mwa_team_agree(team, status, parts->first, whole->diagnostic);
        status = status == MW_OK ? hand_on_all(whole, team) : status;
    }
    if (status == MW_OK && is_first) {
        whole->results->pass = parts->list[0].events.result;
        status = mwa_event_parts_end(&parts->list[0].events, whole->totals, whole->diagnostic);
    }
    return status == MW_OK && is_first
               ? mwa_follower_finish(&parts->list[0].follower, whole->diagnostic)
               : status;
}

static enum mw_status make_whole(struct parts *parts, void **totals, struct mwa_results *results,
                                 bool *is_lossy, struct mw_diagnostic *diagnostic)
{
    const struct mwa_team *team = parts->run.pass->team;
    const uint64_t ranks = results->trace->rank_count;
    struct whole whole = { .parts = parts,
                           .totals = totals,
                           .results = results,
                           .sent = calloc(ranks + 1, sizeof *whole.sent),
                           .diagnostic = diagnostic };
    uint8_t *paused = calloc(ranks + 1, sizeof *paused);
    enum mw_status status =
        whole.sent && paused ? MW_OK : mw_no_memory(diagnostic, NULL, "for messages");

    if (team) {
        status = mwa_team_agree(team, status, parts->first, diagnostic);
    }
    if (status == MW_OK) {
        status = put_together(&whole, paused, team);
    }
    *is_lossy = whole.is_lossy;
    free(whole.sent);
    free(paused);
    return status;
}

static void choose_own(struct parts *parts, const struct mwa_team *team)
{
    const uint64_t processes = team ? team->transport.size : 1;
    const uint64_t process = team ? team->transport.rank : 0;

    parts->first = first_of(parts->count, process, processes);
    parts->end = first_of(parts->count, process + 1, processes);
    for (uint32_t i = 0; i < parts->count; i++) {
        parts->list[i].number = i;
    }
}

/* Follows all; *is_lossy: some can't be put together. */
static enum mw_status follow_all(struct parts *parts, const struct mwa_chapters *chapters,
                                 bool *is_lossy, struct mw_diagnostic *diagnostic)
{
    const struct mwa_team *team = parts->run.pass->team;
    struct mw_diagnostic unsaid = { 0 };
    uint64_t failed_at = 0;
    enum mw_status status = MW_ERROR_MEMORY;

    diagnostic = diagnostic ? diagnostic : &unsaid;
    if (parts->list) {
        choose_own(parts, team);
        status = follow_own(parts, chapters, &failed_at, diagnostic);
        *is_lossy = status == MW_OK && is_one_apart(parts);
    } else {
        status = mw_no_memory(diagnostic, NULL, "for chapters");
    }
    if (team) {
        status = mwa_team_agree(team, status, failed_at, diagnostic);
        status = status == MW_OK ? mwa_team_any(team, *is_lossy, is_lossy, diagnostic) : status;
    }
    return status;
}

static void free_all(struct parts *parts)
{
    for (uint32_t i = 0; parts->list && i < parts->count; i++) {
        mwa_chapter_part_end(&parts->run, &parts->list[i]);
    }
    free(parts->list);
}

enum mw_status mwa_exchanges_run_in_chapters(const struct mwa_pass *pass,
                                             const struct mwa_chapters *chapters,
                                             const struct mwa_wanted_exchange *wanted,
                                             uint32_t count, const struct mwa_scope *scope,
                                             const struct mwa_chapter_visitor *visitor,
                                             void **totals, struct mwa_results *results,
                                             struct mw_diagnostic *diagnostic)
{
    struct parts parts = { .run = { pass, wanted, count, scope, visitor },
                           .list = calloc(chapters->count, sizeof *parts.list),
                           .count = chapters->count,
                           .at_lulls = chapters->at_lulls };
    struct mwa_pass whole = *pass;
    bool is_lossy = false;
    enum mw_status status = follow_all(&parts, chapters, &is_lossy, diagnostic);

    if (status == MW_OK && !is_lossy) {
        status = make_whole(&parts, totals, results, &is_lossy, diagnostic);
    }
    results->chapters = is_lossy ? 1 : parts.count;
    results->chapters_differ = is_lossy;
    free_all(&parts);
    if (status != MW_OK || !is_lossy || (pass->team && !mwa_team_is_first(pass->team))) {
        return status;
    }
    whole.team = NULL;
    return mwa_exchanges_run(&whole, wanted, count, scope, totals, results, diagnostic);
}
