#ifndef MWA_ANALYSIS_RECORD_LOG_H
#define MWA_ANALYSIS_RECORD_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/base/buffer.h"
#include "formats/base/status.h"

/*
 * Records that are written in order and read from the last to the first, or all of them in that
 * order. Beyond a few blocks they are in a file without a name in ${TMPDIR:-/tmp}; where that can't
 * be written they stay in memory. Not thread-safe.
 */

#define MWA_RECORD_WORDS 256u /* the longest record */

struct mwa_record_log;

struct mwa_record_log *mwa_record_log_create(void); /* null without memory */
void mwa_record_log_destroy(struct mwa_record_log *log); /* null is fine */

/* Adds a record of count words. \return MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_record_log_add(struct mwa_record_log *log, const uint64_t *words,
                                 uint32_t count) MW_MUST_CHECK;

/*
 * The record before the one that was read last, taken out of the log; *words is good until
 * the next call.
 *
 * \return MW_OK; MW_END: there is none; MW_ERROR_SYSTEM: the file can't be read.
 */
enum mw_status mwa_record_log_last(struct mwa_record_log *log, const uint64_t **words,
                                  uint32_t *count) MW_MUST_CHECK;

/* Takes a record; false: it is none. */
typedef bool (*mwa_record_log_visit)(void *user, const uint64_t *words, uint32_t count);

/*
 * Visits all records that are left, in the order in which they were added.
 *
 * \return MW_OK; MW_ERROR_MEMORY; MW_ERROR_SYSTEM: the file can't be read, or has something else;
 * MW_ERROR_FORMAT: visit says that one is none.
 */
enum mw_status mwa_record_log_visit_all(const struct mwa_record_log *log,
                                        mwa_record_log_visit visit, void *user) MW_MUST_CHECK;

/*
 * All records for another process (packing.h): pack appends them, and marks to failed, and unread,
 * if the file can't be read. unpack adds them to log, once visit was told of them, in any order.
 *
 * \return MW_OK; MW_ERROR_MEMORY; MW_ERROR_FORMAT: these are other bytes, or visit says so.
 */
void mwa_record_log_pack(const struct mwa_record_log *log, struct mw_buffer *to);
enum mw_status mwa_record_log_unpack(struct mwa_record_log *log, struct mw_cursor *from,
                                    mwa_record_log_visit visit, void *user) MW_MUST_CHECK;

#endif
