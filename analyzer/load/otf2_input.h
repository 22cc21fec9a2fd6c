#ifndef MWA_LOAD_OTF2_INPUT_H
#define MWA_LOAD_OTF2_INPUT_H

#include <otf2/otf2.h>

#include "analyzer/load/input.h"

/* An input for those who take OTF2's own records: the readers, checks, what copies an archive. */

/* libotf2's reader of the archive, which belongs to input, no joint one. */
OTF2_Reader *mwa_input_otf2(const struct mwa_input *input);

/* What makes events of records (event_callbacks.h), made when first asked for; null: no memory. */
const OTF2_EvtReaderCallbacks *mwa_input_callbacks(struct mwa_input *input);

/* The input that has the location: input, or of joint ones that one, and what is its *part. */
struct mwa_joint_part;
struct mwa_input *mwa_input_of(struct mwa_input *input, uint32_t location,
                               const struct mwa_joint_part **part);

/*
 * So many more events have been read of the archive by input, or by one that shares its
 * definitions: tells who wants to know.
 */
void mwa_input_note_events(struct mwa_input *input, uint64_t count);

/*
 * Reads all events of reader's location with other callbacks than its own, which get user;
 * times need not ascend. To be called before any event was read.
 *
 * \return MW_OK. MW_ERROR_FORMAT, MW_ERROR_SYSTEM, MW_ERROR_MEMORY.
 */
enum mw_status mwa_event_reader_scan(struct mwa_event_reader *reader,
                                     const OTF2_EvtReaderCallbacks *callbacks, void *user,
                                     struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Tells that the event read last is before the one before it: MW_ERROR_FORMAT. */
enum mw_status mwa_event_reader_fail_backwards(const struct mwa_event_reader *reader,
                                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
