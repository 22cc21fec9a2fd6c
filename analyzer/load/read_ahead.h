#ifndef MWA_LOAD_READ_AHEAD_H
#define MWA_LOAD_READ_AHEAD_H

#include "analyzer/load/input.h"
#include "formats/base/status.h"

/*
 * Events of many locations that one thread wants in turns, read ahead by other threads:
 * they inflate and decode, and do what else needs no order, while that thread, which has the
 * streams, works on the events. Each location is read by one thread, four batches at most before
 * the events are wanted.
 */

/*
 * Who sees the events of a stream first, in order, on the thread that reads them. What is in
 * diagnostic goes to who reads the stream when visit fails.
 */
struct mwa_stream_listener {
    mwa_event_visit visit;
    void *user;
    const struct mw_diagnostic *diagnostic;
};

struct mwa_thread_limit;
struct mwa_read_ahead;
struct mwa_stream;

/*
 * Opens input for threads more threads; batch is how many events of a location they read at
 * a time. They work within limit, as the caller does while it does not wait for them; it may be
 * null and has to be there until they have ended.
 *
 * \return MW_OK and *ahead, to be freed with mwa_read_ahead_destroy before input.
 * \return MW_ERROR_MEMORY, or as mwa_input_share: better read without.
 */
enum mw_status mwa_read_ahead_create(struct mwa_input *input, uint32_t threads, uint32_t batch,
                                     struct mwa_thread_limit *limit,
                                     struct mwa_read_ahead **ahead,
                                     struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Ends the threads, and frees all streams. Null is fine. */
void mwa_read_ahead_destroy(struct mwa_read_ahead *ahead);

/*
 * Opens the events of location (an index of the trace), which ahead owns; listener, which is
 * copied, may be null. Only before mwa_read_ahead_start. Returns as mwa_event_reader_open.
 */
enum mw_status mwa_read_ahead_open(struct mwa_read_ahead *ahead, uint32_t location,
                                   const struct mwa_stream_listener *listener,
                                   struct mwa_stream **stream,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Starts the threads. MW_OK, MW_ERROR_SYSTEM when there can be none. */
enum mw_status mwa_read_ahead_start(struct mwa_read_ahead *ahead,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Hands the next batch of the stream to visit, and waits for it if need be. Returns as
 * mwa_event_reader_read, MW_END with the last batch: the listener is told no more.
 */
enum mw_status mwa_stream_read(struct mwa_stream *stream, mwa_event_visit visit, void *user,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* OTF2 events that the batches handed out stand for. */
uint64_t mwa_stream_count(const struct mwa_stream *stream);

#endif
