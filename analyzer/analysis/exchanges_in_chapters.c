/* Chapters share nothing while they are followed, but for definitions, which nobody changes. */
#include "analyzer/analysis/exchanges_in_chapters.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "analyzer/analysis/exchanges.h"

/* One chapter. */
struct part {
    struct mwa_chapter chapter;
    struct mwa_input *input;
    struct mwa_region_paths paths;
    struct mwa_follower follower;
    void *visited; /* the visitor's */
    struct mwa_matching_result matching;
    struct mwa_exchange_result exchange;
    enum mw_status status;
    struct mw_diagnostic diagnostic;
};

struct parts {
    const struct mwa_pass *pass;
    const struct mwa_wanted_exchange *wanted;
    uint32_t wanted_count;
    const struct mwa_scope *scope;
    const struct mwa_chapter_visitor *visitor;
    struct part *list;
    uint32_t count;
    _Atomic uint32_t next;    /* that nobody has begun with */
    _Atomic bool has_failed;
};

bool mwa_can_be_in_chapters(const struct mwa_wanted_exchange *wanted, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!wanted[i].analysis->append) {
            return false;
        }
    }
    return count > 0;
}

/* --- one chapter ------------------------------------------------------------------------------ */

static enum mw_status follow(const struct parts *parts, struct part *part)
{
    struct mwa_scope scope = *parts->scope;
    struct mwa_pass pass = *parts->pass;
    struct mwa_pass_result ignored;
    enum mw_status status = MW_OK;

    if (parts->visitor) {
        status = parts->visitor->begin(parts->visitor->user, &part->visited);
        scope.visit = parts->visitor->visit;
        scope.user = part->visited;
    }
    if (status != MW_OK) {
        return mw_no_memory(&part->diagnostic, NULL, "for waits");
    }
    scope.chapter = (uint32_t)(part - parts->list);
    pass.input = part->input;
    pass.paths = part == parts->list || !pass.paths ? pass.paths : &part->paths;
    pass.chapter = &part->chapter;
    status = mwa_follower_begin(&part->follower, part->input, parts->wanted,
                                 parts->wanted_count, &scope, &part->diagnostic);
    return status == MW_OK ? mwa_follower_run(&part->follower, &pass, NULL, &ignored,
                                               &part->diagnostic)
                           : status;
}

/* Follows chapters that nobody has begun with. A pthread's function. */
static void *work(void *argument)
{
    struct parts *parts = argument;
    uint32_t next;

    while (!atomic_load(&parts->has_failed) &&
           (next = atomic_fetch_add(&parts->next, 1)) < parts->count) {
        struct part *part = &parts->list[next];

        part->status = follow(parts, part);
        if (part->status != MW_OK) {
            atomic_store(&parts->has_failed, true);
        }
    }
    return NULL;
}

/* Where there are fewer threads to be had, those that there are do all. */
static void work_together(struct parts *parts, uint32_t threads)
{
    pthread_t *others = calloc(threads, sizeof *others);
    uint32_t started = 0;

    while (others && started + 1 < threads &&
           pthread_create(&others[started], NULL, work, parts) == 0) {
        started++;
    }
    work(parts);
    for (uint32_t i = 0; i < started; i++) {
        pthread_join(others[i], NULL);
    }
    free(others);
}

/* --- all of them ------------------------------------------------------------------------------ */

static enum mw_status open_all(struct parts *parts, const struct mwa_chapters *chapters,
                               struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < parts->count && status == MW_OK; i++) {
        struct part *part = &parts->list[i];

        part->chapter.start = i > 0 ? chapters->starts[i - 1] : NULL;
        part->chapter.next = i + 1 < parts->count ? chapters->starts[i] : NULL;
        status = mwa_input_share(parts->pass->input, &part->input, diagnostic);
        if (status == MW_OK) {
            mwa_input_begin_at(part->input, part->chapter.start);
        }
    }
    return status;
}

/* Whether a chapter has lost something for want of memory: what is lost is a matter of rounds. */
static bool has_given_up(const struct parts *parts)
{
    for (uint32_t i = 0; i < parts->count; i++) {
        const struct mwa_exchange *exchange = parts->list[i].follower.exchange;

        if (exchange && mwa_exchange_has_given_up(exchange)) {
            return true;
        }
    }
    return false;
}

/* What chapters have to know of those before them, per rank. */
struct before {
    uint64_t *sent;  /* messages begun */
    uint8_t *paused; /* whether recording was */
};

/* Says of a chapter what its thread left to be said. */
static enum mw_status tell_rest(struct part *part, struct before *before)
{
    mwa_exchange_carry(part->follower.exchange, before->paused);
    mwa_exchange_paused(part->follower.exchange, before->paused);
    return mwa_follower_tell_rest(&part->follower, &part->matching, &part->exchange,
                                   &part->diagnostic);
}

/* Adds a chapter to those before it. */
static enum mw_status append(struct parts *parts, uint32_t number, struct before *before,
                             struct mwa_results *results)
{
    struct part *part = &parts->list[number];
    const struct mwa_seam seam = { .sent = before->sent, .paths = parts->pass->paths };
    const uint64_t ranks = mwa_input_trace(part->input)->rank_count;
    enum mw_status status = tell_rest(part, before);

    if (status == MW_OK && number > 0) {
        status = mwa_follower_append(&parts->list[0].follower, &part->follower, &seam,
                                      &part->diagnostic);
    }
    if (status == MW_OK && parts->visitor) {
        status = parts->visitor->add(parts->visitor->user, part->visited);
    }
    if (status == MW_OK) {
        status = mwa_matching_result_add(&results->matching, &part->matching);
    }
    mwa_exchange_result_add(&results->exchange, &part->exchange, number > 0 ? 1 : 0);
    for (uint64_t i = 0; i < ranks; i++) {
        before->sent[i] += mwa_exchange_sent(part->follower.exchange)[i];
    }
    return status;
}

static enum mw_status append_all(struct parts *parts, struct mwa_results *results,
                                 struct mw_diagnostic *diagnostic)
{
    const uint64_t ranks = results->trace->rank_count;
    struct before before = { .sent = calloc(ranks + 1, sizeof *before.sent),
                             .paused = calloc(ranks + 1, sizeof *before.paused) };
    enum mw_status status = before.sent && before.paused
                                ? MW_OK
                                : mw_no_memory(diagnostic, NULL, "for messages");

    for (uint32_t i = 0; i < parts->count && status == MW_OK; i++) {
        status = parts->list[i].status;
        if (status == MW_OK) {
            status = append(parts, i, &before, results);
        }
        if (status != MW_OK && diagnostic) {
            *diagnostic = parts->list[i].diagnostic;
        }
    }
    free(before.sent);
    free(before.paused);
    return status == MW_OK ? mwa_follower_finish(&parts->list[0].follower, diagnostic) : status;
}

static void free_all(struct parts *parts)
{
    for (uint32_t i = 0; parts->list && i < parts->count; i++) {
        struct part *part = &parts->list[i];

        mwa_follower_end(&part->follower);
        if (parts->visitor) {
            parts->visitor->end(part->visited);
        }
        mwa_matching_result_fini(&part->matching);
        mwa_input_close(part->input);
        mwa_region_paths_fini(&part->paths);
    }
    free(parts->list);
}

enum mw_status mwa_exchanges_run_in_chapters(const struct mwa_pass *pass,
                                             const struct mwa_chapters *chapters,
                                             const struct mwa_wanted_exchange *wanted,
                                             uint32_t count, const struct mwa_scope *scope,
                                             const struct mwa_chapter_visitor *visitor,
                                             struct mwa_results *results,
                                             struct mw_diagnostic *diagnostic)
{
    const uint32_t threads = mwa_input_threads(pass->input);
    struct parts parts = { .pass = pass,
                           .wanted = wanted,
                           .wanted_count = count,
                           .scope = scope,
                           .visitor = visitor,
                           .list = calloc(chapters->count, sizeof *parts.list),
                           .count = chapters->count };
    enum mw_status status = parts.list ? open_all(&parts, chapters, diagnostic)
                                       : mw_no_memory(diagnostic, NULL, "for chapters");
    struct mwa_pass whole = *pass;
    bool is_lossy = false;

    if (status == MW_OK) {
        work_together(&parts, threads < parts.count ? threads : parts.count);
        is_lossy = !parts.has_failed && has_given_up(&parts);
        status = is_lossy ? MW_OK : append_all(&parts, results, diagnostic);
    }
    free_all(&parts);
    return is_lossy ? mwa_exchanges_run(&whole, wanted, count, scope, NULL, results, diagnostic)
                    : status;
}
