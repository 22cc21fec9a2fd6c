/* To print an event takes a hundred times as long as to read it. */
#include "analyzer/cli/event_printers.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio_ext.h>
#include <stdlib.h>

#include "analyzer/load/event_batch.h"
#include "analyzer/model/text_stream.h"

#define BATCH             1024u
#define BATCHES_OF_THREAD 3u

enum state { EMPTY, FULL, TAKEN, PRINTED };

/* Events, and their text; whose they are the state says: the reader's, nobody's, a thread's, the
 * reader's. */
struct batch {
    enum state state;
    struct mwa_event_batch kept;
    char *text;
    size_t size;
    enum mw_status status;
};

struct mwa_event_printers {
    mwa_event_print *print;
    const void *user;
    FILE *out;
    struct batch *batches; /* a ring; null: who reads prints */
    uint32_t count;
    uint32_t filling;      /* by who reads */
    uint32_t room;         /* in that for so many more; 0: it has to be emptied */
    uint32_t next;         /* to be printed */
    pthread_t *threads;
    uint32_t thread_count;
    pthread_mutex_t lock; /* guards the batches' states, next and is_over */
    pthread_cond_t full;
    pthread_cond_t printed;
    bool is_over;
};

/* --- the threads ------------------------------------------------------------------------------ */

static enum mw_status print_all(const struct mwa_event_printers *printers, struct batch *batch)
{
    FILE *text = mwa_open_text(&batch->text, &batch->size);
    enum mw_status status = text ? MW_OK : MW_ERROR_MEMORY;

    if (!text) {
        return status;
    }
    (void)__fsetlocking(text, FSETLOCKING_BYCALLER);
    for (uint32_t i = 0; i < batch->kept.count && status == MW_OK; i++) {
        status = printers->print(printers->user, &batch->kept.events[i], text);
    }
    return fclose(text) == 0 ? status : MW_ERROR_MEMORY;
}

static void *run(void *argument)
{
    struct mwa_event_printers *printers = argument;

    pthread_mutex_lock(&printers->lock);
    for (;;) {
        struct batch *batch = &printers->batches[printers->next];

        if (batch->state != FULL) {
            if (printers->is_over) {
                break;
            }
            pthread_cond_wait(&printers->full, &printers->lock);
            continue;
        }
        batch->state = TAKEN;
        printers->next = (printers->next + 1) % printers->count;
        pthread_mutex_unlock(&printers->lock);
        batch->status = print_all(printers, batch);
        pthread_mutex_lock(&printers->lock);
        batch->state = PRINTED;
        pthread_cond_signal(&printers->printed);
    }
    pthread_mutex_unlock(&printers->lock);
    return NULL;
}

/* --- who reads -------------------------------------------------------------------------------- */

/* Puts what is printed of the batch, for which it waits, and has it empty. */
static enum mw_status put(struct mwa_event_printers *printers, struct batch *batch)
{
    enum mw_status status = MW_OK;
    bool is_printed;

    pthread_mutex_lock(&printers->lock);
    while (batch->state == FULL || batch->state == TAKEN) {
        pthread_cond_wait(&printers->printed, &printers->lock);
    }
    is_printed = batch->state == PRINTED;
    batch->state = EMPTY;
    pthread_mutex_unlock(&printers->lock);
    if (is_printed) {
        status = batch->status;
        if (batch->text) {
            fwrite(batch->text, 1, batch->size, printers->out);
        }
        free(batch->text);
        batch->text = NULL;
    }
    return status;
}

/* The batch that is being filled is full, or the last one. */
static void hand_on(struct mwa_event_printers *printers)
{
    struct batch *batch = &printers->batches[printers->filling];

    mwa_event_batch_end(&batch->kept);
    printers->filling = (printers->filling + 1) % printers->count;
    printers->room = 0;
    pthread_mutex_lock(&printers->lock);
    batch->state = FULL;
    pthread_cond_signal(&printers->full);
    pthread_mutex_unlock(&printers->lock);
}

enum mw_status mwa_event_printers_take(struct mwa_event_printers *printers,
                                       const struct mwa_event *event)
{
    struct batch *batch;
    enum mw_status status = MW_OK;

    if (!printers->batches) {
        return printers->print(printers->user, event, printers->out);
    }
    batch = &printers->batches[printers->filling];
    if (printers->room == 0) {
        status = put(printers, batch);
        if (status == MW_OK && !mwa_event_batch_begin(&batch->kept, BATCH)) {
            status = MW_ERROR_MEMORY;
        }
        printers->room = status == MW_OK ? BATCH : 0;
    }
    if (status == MW_OK) {
        status = mwa_event_batch_add(&batch->kept, event);
    }
    if (status == MW_OK && --printers->room == 0) {
        hand_on(printers);
    }
    return status;
}

struct mwa_event_printers *mwa_event_printers_start(uint32_t threads, mwa_event_print *print,
                                                    const void *user, FILE *out)
{
    struct mwa_event_printers *printers = calloc(1, sizeof *printers);

    if (!printers) {
        return NULL;
    }
    *printers = (struct mwa_event_printers){ .print = print, .user = user, .out = out };
    (void)__fsetlocking(out, FSETLOCKING_BYCALLER);
    pthread_mutex_init(&printers->lock, NULL);
    pthread_cond_init(&printers->full, NULL);
    pthread_cond_init(&printers->printed, NULL);
    printers->count = BATCHES_OF_THREAD * threads;
    printers->batches = threads > 0 ? calloc(printers->count, sizeof *printers->batches) : NULL;
    printers->threads = printers->batches ? calloc(threads, sizeof *printers->threads) : NULL;
    while (printers->threads && printers->thread_count < threads &&
           pthread_create(&printers->threads[printers->thread_count], NULL, run, printers) == 0) {
        printers->thread_count++;
    }
    if (printers->thread_count == 0) {
        free(printers->batches);
        printers->batches = NULL;
    }
    return printers;
}

enum mw_status mwa_event_printers_end(struct mwa_event_printers *printers)
{
    enum mw_status status = MW_OK;

    if (printers->room > 0) {
        hand_on(printers);
    }
    for (uint32_t i = 0; printers->batches && i < printers->count; i++) {
        struct batch *batch = &printers->batches[(printers->filling + i) % printers->count];
        const enum mw_status printed = put(printers, batch);

        status = status == MW_OK ? printed : status;
        mwa_event_batch_fini(&batch->kept);
    }
    pthread_mutex_lock(&printers->lock);
    printers->is_over = true;
    pthread_cond_broadcast(&printers->full);
    pthread_mutex_unlock(&printers->lock);
    for (uint32_t i = 0; i < printers->thread_count; i++) {
        pthread_join(printers->threads[i], NULL);
    }
    pthread_cond_destroy(&printers->printed);
    pthread_cond_destroy(&printers->full);
    pthread_mutex_destroy(&printers->lock);
    free(printers->batches);
    free(printers->threads);
    free(printers);
    return status;
}
