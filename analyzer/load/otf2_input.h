#ifndef MWA_LOAD_OTF2_INPUT_H
#define MWA_LOAD_OTF2_INPUT_H

#include <otf2/otf2.h>

#include "analyzer/load/event_record.h"
#include "analyzer/load/input.h"
#include "analyzer/load/record_reader.h"

/* An input for those who take OTF2's own records: the readers, checks, what copies an archive. */

/* libotf2's reader of the archive, which belongs to input, no joint one. */
OTF2_Reader *mwa_input_otf2(const struct mwa_input *input);

/*
 * Another reader of libotf2's, to be closed by OTF2_Reader_Close, which can read the events and
 * local definitions of the location (an index of input's own trace, which is no joint one) and of
 * no other: libotf2 looks for a location among all that it was told of, one after the other, so
 * that being told of 100,000 takes it half a minute.
 *
 * \return MW_OK; else, with *reader null: MW_ERROR_FORMAT, MW_ERROR_SYSTEM, MW_ERROR_MEMORY.
 */
enum mw_status mwa_input_select(const struct mwa_input *input, uint32_t location,
                                OTF2_Reader **reader,
                                struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* The input that has the location: input, or of joint ones that one, and what is its *part. */
struct mwa_joint_part;
struct mwa_input *mwa_input_of(struct mwa_input *input, uint32_t location,
                               const struct mwa_joint_part **part);

/* Where reader is, while what it has just read is visited. */
struct mwa_record_mark mwa_event_reader_mark(const struct mwa_event_reader *reader);

/* Tells listener of the blocks that reader comes to from now on, and of the one that it is at. */
void mwa_event_reader_watch(struct mwa_event_reader *reader,
                            const struct mwa_block_listener *listener);

/*
 * The logical clock of the location (an index of its own trace) of input, which is no joint one,
 * and what is to be added to its times before that is asked, modulo 2^64; null: there is none.
 */
const struct mwa_logical_clock *mwa_input_clock(const struct mwa_input *input, uint32_t location,
                                                uint64_t *shift);

/*
 * So many more events have been read of the archive by input, or by one that shares its
 * definitions: tells who wants to know. False: it is given up.
 */
bool mwa_input_note_events(struct mwa_input *input, uint64_t count);

/*
 * Reads all events of the location (an index of the trace) of input, which is no joint one, by
 * libotf2's own reader, for those who copy records by it or compare with it: callbacks get user;
 * times need not ascend. Not beside other readers of the location.
 *
 * \return MW_OK and *count, how many events there were; a callback may have stopped them.
 * \return MW_ERROR_FORMAT, MW_ERROR_SYSTEM, MW_ERROR_MEMORY.
 */
enum mw_status mwa_input_scan(struct mwa_input *input, uint32_t location,
                              const OTF2_EvtReaderCallbacks *callbacks, void *user,
                              uint64_t *count, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Makes of what such a callback gets what else is read: *to grows as it has to (capacity of them
 * allocated) and is to be freed. False: no memory.
 */
bool mwa_attributes_copy(const OTF2_AttributeList *from, struct mwa_attributes *to,
                         uint64_t *capacity);

/*
 * Tells that in a file events are not in the order of their times, near event number count:
 * MW_ERROR_FORMAT.
 */
enum mw_status mwa_fail_backwards(const char *place, uint64_t offset, uint64_t count,
                                  const struct mwa_location *location,
                                  struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
