/*
 * To wake a thread costs as much as to read a batch or two: one that has nothing to do is woken
 * for half of all streams together.
 */
#include "analyzer/load/read_ahead.h"

#include <pthread.h>
#include <stdlib.h>

#include "analyzer/load/event_batch.h"
#include "analyzer/load/otf2_input.h"
#include "analyzer/model/pool.h"
#include "analyzer/model/thread_limit.h"

#define BATCHES_MOST  4u       /* of a stream that are read ahead; fewer, but one … */
#define EVENTS_MOST   1048576u /* … where all of a thread would have more events than that */
#define EVENTS_WARMED 4u       /* that are fetched from the other thread's cache meanwhile */

/* Events, and what the reader says of them. */
struct batch {
    struct mwa_event_batch kept;
    uint64_t read; /* OTF2 events of the stream up to its end */
    enum mw_status status; /* of the read that ends it: MW_OK, MW_END, or a failure */
};

struct mwa_stream {
    struct decoder *decoder;
    struct mwa_event_reader *reader;
    struct mwa_stream_listener listener; /* its visit null: there is none */
    struct batch *filling;
    struct batch batches[BATCHES_MOST];
    uint32_t first;  /* the batch to be handed out next */
    uint32_t filled; /* batches that wait for that */
    bool is_through; /* the last batch has been read */
    bool is_busy;    /* in the queue, or being filled */
    uint64_t read;   /* as of the last batch that was handed out */
    struct mw_diagnostic *failure; /* of the last batch, to be freed; null: it has not failed, or
                                      there is no memory to say with what */
    struct mwa_stream *next;       /* in the queue */
    struct mwa_stream *other;      /* of the decoder */
};

/* A thread, its input, and the streams that want to be filled. The lock guards the queue, whether
 * somebody sleeps, and the streams' first, filled, is_through and is_busy. */
struct decoder {
    struct mwa_input *input;
    struct mwa_input *origin; /* whose archive it shares */
    struct mwa_thread_limit *limit;
    uint32_t batch;   /* events */
    uint32_t batches; /* of a stream that are read ahead */
    struct mwa_stream *streams;
    uint64_t count; /* of these */
    struct mwa_stream *oldest, *youngest;
    uint64_t queued;
    bool is_asleep;  /* the thread: nothing was queued */
    struct mw_diagnostic diagnostic; /* the thread's own, of the batch that it fills */
    const struct mwa_stream *awaited; /* who hands batches out waits for one of it; null: not */
    pthread_mutex_t lock;
    pthread_cond_t wanted;
    pthread_cond_t ready;
    pthread_t thread;
    bool is_started;
    bool stop;
};

struct mwa_read_ahead {
    struct decoder *decoders;
    uint32_t count;
    uint32_t next; /* decoder for the next location */
};

static enum mw_status keep_event(void *user, const struct mwa_event *event)
{
    struct mwa_stream *stream = user;
    const struct mwa_stream_listener *listener = &stream->listener;
    enum mw_status status = listener->visit ? listener->visit(listener->user, event) : MW_OK;

    if (status != MW_OK) {
        stream->decoder->diagnostic = *listener->diagnostic;
        return status;
    }
    return mwa_event_batch_add(&stream->filling->kept, event);
}

/* Keeps what the thread's diagnostic says for who reads the stream. Most streams never need it, and
 * there may be 100,000. */
static void keep_failure(struct mwa_stream *stream, enum mw_status status)
{
    struct mw_diagnostic *diagnostic = &stream->decoder->diagnostic;

    if (status == MW_ERROR_MEMORY && diagnostic->status == MW_OK) {
        (void)mw_no_memory(diagnostic, NULL, "to read events ahead");
    }
    stream->failure = malloc(sizeof *stream->failure);
    if (stream->failure) {
        *stream->failure = *diagnostic;
    }
}

static void fill(struct mwa_stream *stream, struct batch *batch)
{
    struct mw_diagnostic *diagnostic = &stream->decoder->diagnostic;
    const uint32_t count = stream->decoder->batch;

    stream->filling = batch;
    *diagnostic = (struct mw_diagnostic){ 0 };
    batch->status = mwa_event_batch_begin(&batch->kept, count)
                        ? mwa_event_reader_read(stream->reader, count, keep_event, stream,
                                                diagnostic)
                        : MW_ERROR_MEMORY;
    if (batch->status != MW_OK && batch->status != MW_END) {
        keep_failure(stream, batch->status);
    }
    batch->read = mwa_event_reader_count(stream->reader);
    mwa_event_batch_end(&batch->kept);
}

/* With the lock: lets the thread go on if it sleeps. */
static void wake(struct decoder *decoder)
{
    if (decoder->is_asleep) {
        decoder->is_asleep = false;
        pthread_cond_signal(&decoder->wanted);
    }
}

/* With the lock: stream waits to be filled, if it can be. */
static void enqueue(struct mwa_stream *stream)
{
    struct decoder *decoder = stream->decoder;

    if (stream->is_busy || stream->is_through || stream->filled == decoder->batches) {
        return;
    }
    stream->is_busy = true;
    stream->next = NULL;
    if (decoder->youngest) {
        decoder->youngest->next = stream;
    } else {
        decoder->oldest = stream;
    }
    decoder->youngest = stream;
    decoder->queued++;
    if (2 * decoder->queued >= decoder->count) {
        wake(decoder);
    }
}

/* With the lock: the stream that has waited longest, or null when the thread is to end. */
static struct mwa_stream *dequeue(struct decoder *decoder)
{
    struct mwa_stream *stream;

    while (!decoder->oldest && !decoder->stop) {
        decoder->is_asleep = true;
        pthread_cond_wait(&decoder->wanted, &decoder->lock);
    }
    stream = decoder->stop ? NULL : decoder->oldest;
    if (stream) {
        decoder->oldest = stream->next;
        decoder->queued--;
        if (!decoder->oldest) {
            decoder->youngest = NULL;
        }
    }
    return stream;
}

static void *decode(void *argument)
{
    struct decoder *decoder = argument;
    struct mwa_stream *stream;

    pthread_mutex_lock(&decoder->lock);
    while ((stream = dequeue(decoder)) != NULL) {
        const uint32_t at = (stream->first + stream->filled) % decoder->batches;
        struct batch *batch = &stream->batches[at];

        pthread_mutex_unlock(&decoder->lock);
        mwa_thread_limit_enter(decoder->limit);
        fill(stream, batch);
        mwa_thread_limit_leave(decoder->limit);
        if (batch->status != MW_OK) {
            mwa_event_reader_close(stream->reader);
            stream->reader = NULL;
        }
        pthread_mutex_lock(&decoder->lock);
        stream->filled++;
        stream->is_through = batch->status != MW_OK;
        stream->is_busy = false;
        enqueue(stream);
        if (decoder->awaited == stream) {
            decoder->awaited = NULL;
            pthread_cond_signal(&decoder->ready);
        }
    }
    pthread_mutex_unlock(&decoder->lock);
    return NULL;
}

/* With the lock, of the decoder of an empty stream: waits until it has a batch. */
static void await(struct mwa_stream *stream)
{
    struct decoder *decoder = stream->decoder;

    while (stream->filled == 0) {
        decoder->awaited = stream;
        wake(decoder);
        pthread_cond_wait(&decoder->ready, &decoder->lock);
    }
}

/* The oldest batch of the stream, for which it waits. */
static struct batch *next_batch(struct mwa_stream *stream)
{
    struct decoder *decoder = stream->decoder;
    bool waits;

    pthread_mutex_lock(&decoder->lock);
    waits = stream->filled == 0;
    if (waits) {
        mwa_thread_limit_leave(decoder->limit);
        await(stream);
    }
    pthread_mutex_unlock(&decoder->lock);
    if (waits) {
        mwa_thread_limit_enter(decoder->limit);
    }
    return &stream->batches[stream->first];
}

static enum mw_status hand_out(const struct mwa_event_batch *batch, mwa_event_visit visit,
                               void *user)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < batch->count && status == MW_OK; i++) {
        if (i + EVENTS_WARMED < batch->count) {
            mwa_pool_fetch(&batch->events[i + EVENTS_WARMED], sizeof *batch->events);
        }
        status = visit(user, &batch->events[i]);
    }
    return status;
}

/* Fills diagnostic, if it is not null, with what the stream has failed with. */
static enum mw_status tell_failure(const struct mwa_stream *stream, enum mw_status status,
                                   struct mw_diagnostic *diagnostic)
{
    if (!stream->failure) {
        return mw_no_memory(diagnostic, NULL, "to read events ahead");
    }
    if (diagnostic) {
        *diagnostic = *stream->failure;
    }
    return status;
}

enum mw_status mwa_stream_read(struct mwa_stream *stream, mwa_event_visit visit, void *user,
                               struct mw_diagnostic *diagnostic)
{
    struct decoder *decoder = stream->decoder;
    enum mw_status status;
    struct batch *batch;

    batch = next_batch(stream);
    status = hand_out(&batch->kept, visit, user);
    stream->read = batch->read;
    mwa_input_note_events(decoder->origin, 0);
    if (status == MW_OK) {
        status = batch->status;
        if (status != MW_OK && status != MW_END) {
            status = tell_failure(stream, status, diagnostic);
        }
    }
    pthread_mutex_lock(&decoder->lock);
    stream->first = (stream->first + 1) % decoder->batches;
    stream->filled--;
    enqueue(stream);
    pthread_mutex_unlock(&decoder->lock);
    return status;
}

uint64_t mwa_stream_count(const struct mwa_stream *stream)
{
    return stream->read;
}

enum mw_status mwa_read_ahead_create(struct mwa_input *input, uint32_t threads, uint32_t batch,
                                     struct mwa_thread_limit *limit,
                                     struct mwa_read_ahead **result,
                                     struct mw_diagnostic *diagnostic)
{
    struct mwa_read_ahead *ahead = calloc(1, sizeof *ahead);
    enum mw_status status = MW_OK;

    if (!ahead || !(ahead->decoders = calloc(threads, sizeof *ahead->decoders))) {
        free(ahead);
        return mw_no_memory(diagnostic, NULL, "for threads");
    }
    while (status == MW_OK && ahead->count < threads) {
        struct decoder *decoder = &ahead->decoders[ahead->count];

        decoder->origin = input;
        status = mwa_input_share(input, &decoder->input, diagnostic);
        if (status == MW_OK) {
            decoder->batch = batch;
            decoder->limit = limit;
            pthread_mutex_init(&decoder->lock, NULL);
            pthread_cond_init(&decoder->wanted, NULL);
            pthread_cond_init(&decoder->ready, NULL);
            ahead->count++;
        }
    }
    if (status != MW_OK) {
        mwa_read_ahead_destroy(ahead);
        return status;
    }
    *result = ahead;
    return MW_OK;
}

enum mw_status mwa_read_ahead_open(struct mwa_read_ahead *ahead, uint32_t location,
                                   const struct mwa_stream_listener *listener,
                                   struct mwa_stream **result,
                                   struct mw_diagnostic *diagnostic)
{
    struct decoder *decoder = &ahead->decoders[ahead->next++ % ahead->count];
    struct mwa_stream *stream = calloc(1, sizeof *stream);
    enum mw_status status;

    if (!stream) {
        return mw_no_memory(diagnostic, NULL, "to read a location ahead");
    }
    status = mwa_event_reader_open(decoder->input, location, &stream->reader, diagnostic);
    if (status != MW_OK) {
        free(stream);
        return status;
    }
    if (listener) {
        stream->listener = *listener;
    }
    stream->decoder = decoder;
    stream->other = decoder->streams;
    decoder->streams = stream;
    decoder->count++;
    *result = stream;
    return MW_OK;
}

/* How many batches of each of so many streams are read ahead. */
static uint32_t batches_of(uint64_t streams, uint32_t batch)
{
    const uint64_t fit = EVENTS_MOST / (streams * batch + 1);

    return fit < 1 ? 1 : fit > BATCHES_MOST ? BATCHES_MOST : (uint32_t)fit;
}

enum mw_status mwa_read_ahead_start(struct mwa_read_ahead *ahead,
                                    struct mw_diagnostic *diagnostic)
{
    for (uint32_t i = 0; i < ahead->count; i++) {
        struct decoder *decoder = &ahead->decoders[i];

        decoder->batches = batches_of(decoder->count, decoder->batch);
        for (struct mwa_stream *stream = decoder->streams; stream; stream = stream->other) {
            enqueue(stream);
        }
        decoder->is_started = pthread_create(&decoder->thread, NULL, decode, decoder) == 0;
        if (!decoder->is_started) {
            return mw_fail(diagnostic, MW_ERROR_SYSTEM, "", MW_DIAGNOSTIC_OFFSET_NONE,
                           "no more threads can be had; see -j");
        }
    }
    return MW_OK;
}

static void end_decoder(struct decoder *decoder)
{
    struct mwa_stream *next;

    if (decoder->is_started) {
        pthread_mutex_lock(&decoder->lock);
        decoder->stop = true;
        wake(decoder);
        pthread_mutex_unlock(&decoder->lock);
        pthread_join(decoder->thread, NULL);
    }
    for (struct mwa_stream *stream = decoder->streams; stream; stream = next) {
        next = stream->other;
        mwa_event_reader_close(stream->reader);
        free(stream->failure);
        for (unsigned i = 0; i < BATCHES_MOST; i++) {
            mwa_event_batch_fini(&stream->batches[i].kept);
        }
        free(stream);
    }
    mwa_input_close(decoder->input);
    pthread_mutex_destroy(&decoder->lock);
    pthread_cond_destroy(&decoder->wanted);
    pthread_cond_destroy(&decoder->ready);
}

void mwa_read_ahead_destroy(struct mwa_read_ahead *ahead)
{
    if (!ahead) {
        return;
    }
    for (uint32_t i = 0; i < ahead->count; i++) {
        end_decoder(&ahead->decoders[i]);
    }
    free(ahead->decoders);
    free(ahead);
}
