#ifndef MWA_LOAD_INPUT_H
#define MWA_LOAD_INPUT_H

#include <stdatomic.h>

#include "analyzer/load/files.h"
#include "analyzer/model/event.h"
#include "analyzer/model/trace.h"
#include "formats/base/status.h"

/*
 * An archive opened for reading: its files, its definitions, and readers of its events,
 * one per location. An input and its readers belong to one thread; other threads share its
 * definitions through inputs of their own.
 */

struct mwa_input;

/*
 * Opens the archive at path (see mwa_files_open) and reads its definitions and
 * mpiwatch.json. libotf2 prints nothing from then on.
 *
 * \return MW_OK and *input, to be freed with mwa_input_close.
 * \return MW_ERROR_SYSTEM, MW_ERROR_MEMORY, MW_ERROR_FORMAT, MW_ERROR_VERSION.
 */
enum mw_status mwa_input_open(const char *path, struct mwa_input **input,
                              struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_input_close(struct mwa_input *input);

/*
 * Looks up lines that the archive does not tell in files of the directory (debug_lines.h), before
 * anything else is done with input, which has its own definitions.
 *
 * \return as mwa_debug_lines_find.
 */
enum mw_status mwa_input_find_lines(struct mwa_input *input, const char *directory,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Opens input's archive once more, for another thread: with readers of its own, and the
 * definitions of input, which must be closed later.
 *
 * \return as mwa_input_open.
 */
enum mw_status mwa_input_share(struct mwa_input *input, struct mwa_input **share,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Reads count archives of jobs that met as one (analyzer/load/joint.h): their inputs, opened by
 * these paths, which belong to *joint from then on. It has no files of its own.
 *
 * \return MW_OK and *joint, to be freed with mwa_input_close, with inputs.
 * \return MW_ERROR_USAGE: nothing tells what they have in common. MW_ERROR_MEMORY.
 */
enum mw_status mwa_input_join(struct mwa_input *const *inputs, uint32_t count,
                              struct mwa_input **joint,
                              struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * From here on all times of input, and of those that share it, are moved by clocks, which has one
 * for each location of its trace, or by what becomes of them while nobody reads. They must outlive
 * it. Where times count from and where the trace ends follow from what they are now: to be called
 * with empty ones, and again when they are whole. Before anything is shared.
 *
 * \return MW_OK; as mwa_input_share; MW_ERROR_MEMORY. It is to be closed then.
 */
enum mw_status mwa_input_use_clocks(struct mwa_input *input,
                                    const struct mwa_logical_clocks *clocks,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Opens the archive at path, whose trace is known, once more, with readers and definitions of its
 * own; times are moved as those of trace.
 *
 * \return as mwa_input_open.
 */
enum mw_status mwa_input_open_again(const struct mwa_trace *trace, const char *path,
                                    struct mwa_input **input,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * From here on readers of input, which is no joint one, and of those that will share it begin at
 * start (analyzer/load/reading_start.h), which must outlive them: the calls that are open there are
 * entered first, when they were. Null: at the beginning.
 */
struct mwa_reading_start;
void mwa_input_begin_at(struct mwa_input *input, const struct mwa_reading_start *start);
const struct mwa_reading_start *mwa_input_begins_at(const struct mwa_input *input);

/*
 * From here on readers of input, and of those that share it, begin where all ranks have begun, if
 * its trace is that of a ring (analyzer/load/common_begin.h), and is no joint one; where that is
 * becomes the trace's begun. Before anything is shared.
 *
 * \return as mwa_common_begin_find.
 */
enum mw_status mwa_input_begin_together(struct mwa_input *input,
                                        struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Whether readers that begin later take less time for it (mwa_files_can_begin_late), of all
 * locations; not of a joint one. */
bool mwa_input_can_begin_late(const struct mwa_input *input);

/* Where readers of the location (an index of the trace) begin; null: at its beginning. */
struct mwa_location_start;
const struct mwa_location_start *mwa_input_start(const struct mwa_input *input, uint32_t location);

/* What was found of where records begin (analyzer/exchange/tails.h): the input that was opened has
 * it from then on, for all that share it. Null: nothing was found so far. */
struct mwa_beginnings;
void mwa_input_keep_beginnings(struct mwa_input *input, struct mwa_beginnings *beginnings);
const struct mwa_beginnings *mwa_input_beginnings(const struct mwa_input *input);

/* How many threads may read the input at a time; 1 unless told. 0 is 1. */
void mwa_input_set_threads(struct mwa_input *input, uint32_t threads);
uint32_t mwa_input_threads(const struct mwa_input *input);

/*
 * From here on readers of input, which is no joint one, and of those that will share it, fail with
 * MW_ERROR_PEER as soon as *is_given_up, which any thread may set and which must outlive them.
 */
void mwa_input_give_up_if(struct mwa_input *input, const atomic_bool *is_given_up);

/* Is told, every few thousand events, how many have been read by all readers ever opened. */
typedef void (*mwa_progress)(void *user, uint64_t events);

/* Sets who is told, by the thread that has the input; null: nobody. */
void mwa_input_set_progress(struct mwa_input *input, mwa_progress progress, void *user);

const struct mwa_trace *mwa_input_trace(const struct mwa_input *input);
/* Null: it is joint. */
struct mwa_files *mwa_input_files(struct mwa_input *input);

/* Receives an event, which lives until it returns. What it returns other than MW_OK stops. */
typedef enum mw_status (*mwa_event_visit)(void *user, const struct mwa_event *event);

struct mwa_event_reader;

/*
 * Opens the events of a location (an index of the trace) for one pass from where input begins;
 * at most one reader per location and input at a time. Memory: some 300 KiB.
 *
 * \return MW_OK and *reader, to be freed with mwa_event_reader_close before input.
 * \return MW_ERROR_SYSTEM, MW_ERROR_MEMORY, MW_ERROR_FORMAT.
 */
enum mw_status mwa_event_reader_open(struct mwa_input *input, uint32_t location,
                                     struct mwa_event_reader **reader,
                                     struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_event_reader_close(struct mwa_event_reader *reader);

struct mwa_block_entry;

/*
 * Goes on at a block of the location (block_states.h), instead of the event that is next.
 *
 * \return MW_OK; as mwa_record_reader_seek, and reader is of no more use then.
 */
enum mw_status mwa_event_reader_seek(struct mwa_event_reader *reader,
                                     const struct mwa_block_entry *entry,
                                     struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Hands up to count events to visit, in their order, their times ascending.
 *
 * \return MW_OK; MW_END when the location has no more (some may have been handed out).
 * \return what visit returned other than MW_OK.
 * \return MW_ERROR_FORMAT when times go backwards, a region is entered that is not defined, or
 * a record is not as it should be; MW_ERROR_SYSTEM; MW_ERROR_PEER when input is given up.
 */
enum mw_status mwa_event_reader_read(struct mwa_event_reader *reader, uint64_t count,
                                     mwa_event_visit visit, void *user,
                                     struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * The same, but of count events those alone are handed out that enter or leave a region: what all
 * others refer to is not looked at, nor whether their times ascend.
 */
enum mw_status mwa_event_reader_read_calls(struct mwa_event_reader *reader, uint64_t count,
                                           mwa_event_visit visit, void *user,
                                           struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* By how many ticks logical clocks moved the event that was handed out last. */
uint64_t mwa_event_reader_moved(const struct mwa_event_reader *reader);

/* OTF2 events up to the last one read, also those that the model has no kind for and visit never
 * saw, and those before a block that was gone to. */
uint64_t mwa_event_reader_count(const struct mwa_event_reader *reader);

#endif
