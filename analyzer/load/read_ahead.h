#ifndef MWA_LOAD_READ_AHEAD_H
#define MWA_LOAD_READ_AHEAD_H

#include "analyzer/load/input.h"
#include "formats/status.h"

/*
 * Events of many locations that one thread wants in turns, read ahead by other threads:
 * they inflate and decode while that thread, which has the streams, works on the events.
 * Each location is read by one thread, two batches of MWA_READ_AHEAD_EVENTS at most before
 * the events are wanted (some 40 KiB a location).
 */

#define MWA_READ_AHEAD_EVENTS 256u

struct mwa_read_ahead;
struct mwa_stream;

/*
 * Opens input for threads more threads.
 *
 * \return MW_OK and *ahead, to be freed with mwa_read_ahead_destroy before input.
 * \return MW_ERROR_MEMORY, or as mwa_input_share: better read without.
 */
enum mw_status mwa_read_ahead_create(struct mwa_input *input, uint32_t threads,
                                     struct mwa_read_ahead **ahead,
                                     struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Ends the threads, and frees all streams. Null is fine. */
void mwa_read_ahead_destroy(struct mwa_read_ahead *ahead);

/*
 * Opens the events of location (an index of the trace), which ahead owns. Only before
 * mwa_read_ahead_start. Returns as mwa_event_reader_open.
 */
enum mw_status mwa_read_ahead_open(struct mwa_read_ahead *ahead, uint32_t location,
                                   struct mwa_stream **stream,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Starts the threads. MW_OK, MW_ERROR_SYSTEM when there can be none. */
enum mw_status mwa_read_ahead_start(struct mwa_read_ahead *ahead,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Hands the next batch of the stream to sink, and waits for it if need be. Returns as
 * mwa_event_reader_read, MW_END with the last batch.
 */
enum mw_status mwa_stream_read(struct mwa_stream *stream, mwa_event_sink sink, void *user,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* OTF2 events that the batches handed out stand for. */
uint64_t mwa_stream_count(const struct mwa_stream *stream);

#endif
