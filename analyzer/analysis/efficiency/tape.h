#ifndef MWA_ANALYSIS_EFFICIENCY_TAPE_H
#define MWA_ANALYSIS_EFFICIENCY_TAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/base/buffer.h"
#include "formats/base/status.h"

/*
 * Steps of a replay that were gone before it was known with which times: a chapter that begins at a
 * lull (analyzer/load/quiet_places.h) does not know what its ranks' clocks were there. What is done
 * with clocks, and in which order, does not depend on what they show. So it is written down, and
 * done when the chapter is appended to the one before it. Steps are done with registers, of which
 * the first ones are given (a rank's clock each), and others are taken and given back. The more
 * steps there are the more of them are in a file (analyzer/analysis/record_log.h). Not thread-safe.
 */

#define MWA_TAPE_OPERATIONS 16u /* of a user's own from 1 on; 0 is the tape's */
#define MWA_TAPE_MOST       (UINT64_MAX >> 4) /* the greatest operand */

struct mwa_tape;

/* So many registers are given, from 0 on. Null without memory. */
struct mwa_tape *mwa_tape_create(uint64_t given);
void mwa_tape_destroy(struct mwa_tape *tape); /* null is fine */

/* A register, which nobody else has till it is given back; what it has is left from others. */
uint64_t mwa_tape_take(struct mwa_tape *tape);
void mwa_tape_give(struct mwa_tape *tape, uint64_t taken);

/* How many registers there have been at a time. */
uint64_t mwa_tape_registers(const struct mwa_tape *tape);

/* Writes down that operation is done with at, a register, and operand, up to MWA_TAPE_MOST. MW_OK,
 * MW_ERROR_MEMORY. */
enum mw_status mwa_tape_write(struct mwa_tape *tape, uint64_t at, unsigned operation,
                              uint64_t operand) MW_MUST_CHECK;

/* Takes a step; at is one of the tape's registers. False: there is no such operation, or
 * operand. */
typedef bool (*mwa_tape_step)(void *user, uint64_t at, unsigned operation, uint64_t operand);

/* Has all steps done in their order, behind which nothing is written. MW_OK; MW_ERROR_MEMORY;
 * MW_ERROR_SYSTEM: the file can't be read; MW_ERROR_FORMAT: step says so. */
enum mw_status mwa_tape_play(struct mwa_tape *tape, mwa_tape_step step, void *user) MW_MUST_CHECK;

/*
 * A tape, null for none, for another process (analyzer/team/packing.h). pack appends it; without
 * memory to is marked failed, and unread where the file can't be read. unpack makes one of so many
 * given registers at least, null for none, sets *registers to how many there are, and shows each
 * step to check (see mwa_tape_step), in some order; *made is to be destroyed in any case. MW_OK,
 * MW_ERROR_MEMORY; MW_ERROR_FORMAT: these are other bytes, or check says so.
 */
void mwa_tape_pack(struct mwa_tape *tape, struct mw_buffer *to);
enum mw_status mwa_tape_unpack(struct mwa_tape **made, struct mw_cursor *from, uint64_t given,
                               uint64_t *registers, mwa_tape_step check,
                               void *user) MW_MUST_CHECK;

#endif
