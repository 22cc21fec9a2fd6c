#ifndef MW_FORMATS_SPOOL_SPOOL_READER_H
#define MW_FORMATS_SPOOL_SPOOL_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/base/status.h"
#include "formats/spool/spool.h"

struct mw_spool_reader;

/* One call with its members, which stand back to back in members[0 .. member_bytes). */
struct mw_spool_call {
    struct mw_call_record record;
    const char *members;
    size_t member_bytes;
    uint64_t offset; /* in the file: of the record, or of the block that it is packed in */
    uint32_t site;   /* set by mw_known_sift */
    const struct mw_now *now; /* of an open call: what it waits for; null: not known. Valid as long
                                 as the reader */
};

/*
 * Opens a spool and checks its header: what is read is what there was at this moment, also while
 * the process goes on. Memory: four windows and the members of one call; nothing is trusted that
 * the file says.
 *
 * \return MW_OK and *reader, to be freed with mw_spool_reader_destroy.
 * \return MW_ERROR_SYSTEM, MW_ERROR_MEMORY.
 * \return MW_ERROR_FORMAT: not a spool. MW_ERROR_VERSION: of another version, byte
 * order or table of calls.
 */
enum mw_status mw_spool_reader_create(const char *path, struct mw_spool_reader **reader,
                                      struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mw_spool_reader_destroy(struct mw_spool_reader *reader);

/* The file's header; valid as long as the reader. */
const struct mw_spool_header *mw_spool_reader_header(const struct mw_spool_reader *reader);

/* How many calls a ring has lost to later ones; 0 for other spools. */
uint64_t mw_spool_reader_overwritten(const struct mw_spool_reader *reader);

/*
 * Reads the next call. call->members stays valid until the next call of a function
 * with this reader. state is MW_STATE_OPEN in the last record of a thread that died
 * in a call.
 *
 * \return MW_OK, MW_END after the last committed record.
 * \return MW_ERROR_FORMAT with the offset when records contradict the layout;
 * MW_ERROR_SYSTEM, MW_ERROR_MEMORY.
 */
enum mw_status mw_spool_reader_next(struct mw_spool_reader *reader, struct mw_spool_call *call,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Whether records of other calls follow those of the call that was returned last. Of a process that
 * runs what does not may still be written. */
bool mw_spool_reader_has_more(const struct mw_spool_reader *reader);

/* Whether the call that was returned last is a poll, and the next one, the last there is, a poll
 * under way that may become a part of it: of a process that runs it may still be written. */
bool mw_spool_reader_may_grow(const struct mw_spool_reader *reader);

/*
 * Looks at the file again, as far as its process has come by now: the next call is the one that was
 * returned last (the one before it, if that one may have grown by it), or, if *overwritten is above
 * 0, the first behind so many that a ring has lost meanwhile. The file may have been removed. What
 * is pending is told each time.
 *
 * \return MW_OK; as mw_spool_windows_again; MW_ERROR_FORMAT also: it is not there any more.
 */
enum mw_status mw_spool_reader_again(struct mw_spool_reader *reader, uint64_t *overwritten,
                                     struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Walks over the members of a call: pass null to get the first one.
 *
 * \return the member, null after the last.
 */
static inline const struct mw_member *mw_spool_call_member(const struct mw_spool_call *call,
                                                           const struct mw_member *previous)
{
    const char *next = previous ? (const char *)previous + previous->words * (size_t)8
                                : call->members;

    return next < call->members + call->member_bytes
               ? (const struct mw_member *)(const void *)next
               : NULL;
}

/* The value of the call's member of type, which is a struct mw_value_member; false: it has none. */
bool mw_spool_call_value(const struct mw_spool_call *call, unsigned type, uint64_t *value);

#endif
