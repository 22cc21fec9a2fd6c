/*
 * A step is a word, so that most take two or three bytes: those with the same register follow each
 * other, and it is named once. Each record names it anew, and can be looked at by itself.
 */
#include "analyzer/analysis/efficiency/tape.h"

#include <stdlib.h>

#include "analyzer/analysis/record_log.h"
#include "analyzer/model/map.h"
#include "analyzer/team/packing.h"

#define CHOOSE         0u /* the operation: operand is the register of those behind it */
#define OPERATION_BITS 4u
#define NONE           UINT64_MAX

_Static_assert(1u << OPERATION_BITS == MWA_TAPE_OPERATIONS, "an operation has its bits");

struct mwa_tape {
    struct mwa_record_log *log;
    uint64_t words[MWA_RECORD_WORDS]; /* of the next record */
    uint32_t count;
    uint64_t chosen; /* by the last of these; NONE: no register is */
    uint64_t registers;
    uint64_t *free; /* those that were given back */
    uint64_t free_count;
    uint64_t free_capacity;
};

struct mwa_tape *mwa_tape_create(uint64_t given)
{
    struct mwa_tape *tape = calloc(1, sizeof *tape);

    if (tape) {
        tape->log = mwa_record_log_create();
        tape->chosen = NONE;
        tape->registers = given;
    }
    if (tape && !tape->log) {
        mwa_tape_destroy(tape);
        return NULL;
    }
    return tape;
}

void mwa_tape_destroy(struct mwa_tape *tape)
{
    if (tape) {
        mwa_record_log_destroy(tape->log);
        free(tape->free);
        free(tape);
    }
}

uint64_t mwa_tape_take(struct mwa_tape *tape)
{
    return tape->free_count > 0 ? tape->free[--tape->free_count] : tape->registers++;
}

void mwa_tape_give(struct mwa_tape *tape, uint64_t taken)
{
    if (mwa_grow(&tape->free, &tape->free_capacity, tape->free_count + 1, sizeof *tape->free)) {
        tape->free[tape->free_count++] = taken; /* else nobody takes it again */
    }
}

uint64_t mwa_tape_registers(const struct mwa_tape *tape)
{
    return tape->registers;
}

static enum mw_status end_record(struct mwa_tape *tape)
{
    const uint32_t count = tape->count;

    tape->count = 0;
    tape->chosen = NONE;
    return count > 0 ? mwa_record_log_add(tape->log, tape->words, count) : MW_OK;
}

enum mw_status mwa_tape_write(struct mwa_tape *tape, uint64_t at, unsigned operation,
                              uint64_t operand)
{
    if (tape->count + 2 > MWA_RECORD_WORDS && end_record(tape) != MW_OK) {
        return MW_ERROR_MEMORY;
    }
    if (at != tape->chosen) {
        tape->chosen = at;
        tape->words[tape->count++] = at << OPERATION_BITS | CHOOSE;
    }
    tape->words[tape->count++] = operand << OPERATION_BITS | operation;
    return MW_OK;
}

/* --- read ------------------------------------------------------------------------------------- */

struct reading {
    uint64_t registers;
    mwa_tape_step step;
    void *user;
};

/* Takes a record (a function for the log). */
static bool take_record(void *user, const uint64_t *words, uint32_t count)
{
    const struct reading *reading = user;
    uint64_t at = NONE;
    bool is_one = true;

    for (uint32_t i = 0; i < count && is_one; i++) {
        const unsigned operation = (unsigned)(words[i] % MWA_TAPE_OPERATIONS);
        const uint64_t operand = words[i] >> OPERATION_BITS;

        if (operation == CHOOSE) {
            at = operand;
            is_one = at < reading->registers;
        } else {
            is_one = at != NONE && reading->step(reading->user, at, operation, operand);
        }
    }
    return is_one;
}

enum mw_status mwa_tape_play(struct mwa_tape *tape, mwa_tape_step step, void *user)
{
    struct reading reading = { tape->registers, step, user };
    const enum mw_status status = end_record(tape);

    return status == MW_OK ? mwa_record_log_visit_all(tape->log, take_record, &reading) : status;
}

/* --- for another process ---------------------------------------------------------------------- */

void mwa_tape_pack(struct mwa_tape *tape, struct mw_buffer *to)
{
    mw_buffer_u64(to, tape ? tape->registers : 0);
    if (tape) {
        to->failed |= end_record(tape) != MW_OK;
        mwa_record_log_pack(tape->log, to);
    }
}

enum mw_status mwa_tape_unpack(struct mwa_tape **made, struct mw_cursor *from, uint64_t given,
                               uint64_t *registers, mwa_tape_step check, void *user)
{
    struct reading reading = { .step = check, .user = user };
    char bytes[sizeof(uint64_t)];

    *made = NULL;
    if (!mw_cursor_take(from, bytes, sizeof bytes)) {
        return MW_ERROR_FORMAT;
    }
    *registers = reading.registers = mw_get_u64(bytes);
    if (reading.registers == 0) {
        return MW_OK;
    }
    if (reading.registers < given) {
        return MW_ERROR_FORMAT;
    }
    *made = mwa_tape_create(reading.registers);
    return *made ? mwa_record_log_unpack((*made)->log, from, take_record, &reading)
                 : MW_ERROR_MEMORY;
}
