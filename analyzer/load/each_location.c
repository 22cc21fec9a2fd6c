/* One thread is a case of several. */
#include "analyzer/load/each_location.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define EVENTS_PER_THREAD 200000u /* less is read sooner than the archive is opened again */

/* What the workers have in common. */
struct visits {
    mwa_location_visit *visit;
    void *user;
    uint64_t count;
    _Atomic uint32_t next; /* location */
    atomic_bool have_failed;
};

struct worker {
    struct visits *visits;
    struct mwa_input *input;
    uint32_t number;
    enum mw_status status;
    uint32_t location; /* the last one it took */
    struct mw_diagnostic diagnostic;
    pthread_t thread;
    bool is_started;
};

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct visits *visits = worker->visits;

    while (worker->status == MW_OK && !atomic_load(&visits->have_failed)) {
        worker->location = atomic_fetch_add(&visits->next, 1);
        if (worker->location >= visits->count) {
            break;
        }
        worker->status = visits->visit(visits->user, worker->number, worker->input,
                                       worker->location, &worker->diagnostic);
    }
    if (worker->status != MW_OK) {
        atomic_store(&visits->have_failed, true);
    }
    return NULL;
}

static void start(struct worker *worker, struct mwa_input *input)
{
    worker->is_started = mwa_input_share(input, &worker->input, NULL) == MW_OK &&
                         pthread_create(&worker->thread, NULL, work, worker) == 0;
}

static enum mw_status first_failure(const struct worker *workers, uint32_t count,
                                    struct mw_diagnostic *diagnostic)
{
    const struct worker *first = NULL;

    for (uint32_t i = 0; i < count; i++) {
        if (workers[i].status != MW_OK && (!first || workers[i].location < first->location)) {
            first = &workers[i];
        }
    }
    if (!first) {
        return MW_OK;
    }
    if (diagnostic) {
        *diagnostic = first->diagnostic;
    }
    return first->status;
}

enum mw_status mwa_each_location_beside(struct mwa_input *input, uint32_t threads,
                                        const struct mwa_beside *beside,
                                        mwa_location_visit *visit, void *user,
                                        struct mw_diagnostic *diagnostic)
{
    struct visits visits = { .visit = visit,
                             .user = user,
                             .count = mwa_input_trace(input)->location_count };
    struct worker *workers = calloc(threads, sizeof *workers);
    enum mw_status status;

    if (!workers) {
        return mw_no_memory(diagnostic, NULL, "for threads");
    }
    for (uint32_t i = 0; i < threads; i++) {
        workers[i].visits = &visits;
        workers[i].number = i;
        if (i > 0) {
            start(&workers[i], input);
        }
    }
    workers[0].input = input;
    if (beside) {
        beside->work(beside->user);
    }
    work(&workers[0]);
    for (uint32_t i = 1; i < threads; i++) {
        if (workers[i].is_started) {
            pthread_join(workers[i].thread, NULL);
        }
        mwa_input_close(workers[i].input);
    }
    status = first_failure(workers, threads, diagnostic);
    free(workers);
    return status;
}

enum mw_status mwa_each_location(struct mwa_input *input, uint32_t threads,
                                 mwa_location_visit *visit, void *user,
                                 struct mw_diagnostic *diagnostic)
{
    return mwa_each_location_beside(input, threads, NULL, visit, user, diagnostic);
}

/* For so many things to do, each of which is one thread's. */
static uint32_t worth_it(const struct mwa_input *input, uint64_t things)
{
    uint64_t count = mwa_input_threads(input);
    const uint64_t events = mwa_defined_events(mwa_input_trace(input));

    if (count > things) {
        count = things;
    }
    if (count > events / EVENTS_PER_THREAD) {
        count = events / EVENTS_PER_THREAD;
    }
    return count > 0 ? (uint32_t)count : 1;
}

uint32_t mwa_threads_worth_it(const struct mwa_input *input)
{
    return worth_it(input, mwa_input_trace(input)->location_count);
}

uint32_t mwa_threads_worth_it_beside(const struct mwa_input *input)
{
    return worth_it(input, mwa_input_trace(input)->location_count + 1);
}
