/* What is known of cases while a chapter is followed, whom they wait for and how much longer they
 * take, is on the tape as it is: who plays it knows of no case but its number. */
#include "analyzer/analysis/efficiency/instants.h"

#include <stdlib.h>
#include <string.h>

enum step {
    SET = 1, /* to the operand, a register */
    BEHIND,  /* it, in the cases that the operand's last bits say */
    SPEND,   /* operand ticks in all cases */
    SPEND_IN, /* in the case that its last bits say */
    CLEAR,
    END
};

#define CASE_BITS 2u /* of a case's number */
#define MOST      (MWA_TAPE_MOST >> CASE_BITS)

_Static_assert(MWA_WHAT_IF_CASES == 1u << CASE_BITS, "each number is a case's");

static void write(struct mwa_instants *instants, const struct mwa_instant *instant,
                  enum step step, uint64_t operand)
{
    if (instants->status == MW_OK) {
        instants->status = mwa_tape_write(instants->tape, instant->written, step, operand);
    }
}

static unsigned all_of(const struct mwa_instants *instants)
{
    return (1u << instants->cases->count) - 1;
}

static void clear(struct mwa_instants *instants, struct mwa_instant *instant)
{
    if (!instant->is_set) {
        write(instants, instant, CLEAR, 0);
    }
    instant->is_set = true;
}

void mwa_instant_write_behind(struct mwa_instants *instants, const struct mwa_instant *instant,
                              struct mwa_instant *follower, unsigned cases)
{
    if (!follower->is_set && cases == all_of(instants)) {
        follower->is_set = true;
        write(instants, follower, SET, instant->written);
    } else if (cases > 0) {
        clear(instants, follower);
        write(instants, follower, BEHIND, instant->written << MWA_WHAT_IF_CASES | cases);
    }
}

void mwa_instant_write_ticks(struct mwa_instants *instants, struct mwa_instant *instant,
                             const uint64_t *ticks)
{
    const uint32_t count = instants->cases->count;
    uint64_t least = ticks[0];

    clear(instants, instant);
    for (uint32_t i = 1; i < count; i++) {
        least = ticks[i] < least ? ticks[i] : least;
    }
    for (uint64_t left = least, part; left > 0; left -= part) {
        part = left < MOST ? left : MOST;
        write(instants, instant, SPEND, part);
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint64_t left = ticks[i] - least, part; left > 0; left -= part) {
            part = left < MOST ? left : MOST;
            write(instants, instant, SPEND_IN, part << CASE_BITS | i);
        }
    }
}

void mwa_instant_write_end(struct mwa_instants *instants, const struct mwa_instant *instant)
{
    write(instants, instant, END, 0);
}

void mwa_instant_write_last(struct mwa_instants *instants, const struct mwa_instant *instant,
                            uint64_t register_given)
{
    const struct mwa_instant given = { .written = register_given };

    write(instants, &given, SET, instant->written);
}

/* --- played ----------------------------------------------------------------------------------- */

struct playing {
    struct mwa_instant_times *registers;
    uint64_t *ends;
};

static void put_behind(struct mwa_instant_times *times, const struct mwa_instant_times *before,
                       unsigned cases)
{
    for (unsigned i = 0; i < MWA_WHAT_IF_CASES; i++) {
        if ((cases >> i & 1) > 0 && before->at[i] > times->at[i]) {
            times->at[i] = before->at[i];
        }
    }
}

/* A function for mwa_tape_play. */
static bool take_step(void *user, uint64_t at, unsigned step, uint64_t operand)
{
    const struct playing *playing = user;
    struct mwa_instant_times *times = &playing->registers[at];

    switch ((enum step)step) {
    case SET:
        *times = playing->registers[operand];
        break;
    case BEHIND:
        put_behind(times, &playing->registers[operand >> MWA_WHAT_IF_CASES], (unsigned)operand);
        break;
    case SPEND:
        for (unsigned i = 0; i < MWA_WHAT_IF_CASES; i++) {
            times->at[i] += operand;
        }
        break;
    case SPEND_IN:
        times->at[operand % MWA_WHAT_IF_CASES] += operand >> CASE_BITS;
        break;
    case CLEAR:
        *times = (struct mwa_instant_times){ { 0 } };
        break;
    case END:
        for (unsigned i = 0; i < MWA_WHAT_IF_CASES; i++) {
            playing->ends[i] = times->at[i] > playing->ends[i] ? times->at[i] : playing->ends[i];
        }
        break;
    }
    return true;
}

enum mw_status mwa_instants_play(struct mwa_tape *tape, struct mwa_instant_times *given,
                                 uint64_t count, uint64_t *ends)
{
    struct playing playing = { calloc(mwa_tape_registers(tape), sizeof *playing.registers),
                               ends };
    enum mw_status status = MW_ERROR_MEMORY;

    if (playing.registers) {
        memcpy(playing.registers, given, count * sizeof *given);
        status = mwa_tape_play(tape, take_step, &playing);
        memcpy(given, playing.registers, count * sizeof *given);
    }
    free(playing.registers);
    return status;
}

/* --- by another process ----------------------------------------------------------------------- */

/* Whether there is such a step (a function for mwa_tape_unpack). */
static bool is_step(void *user, uint64_t at, unsigned step, uint64_t operand)
{
    const uint64_t *registers = user;

    switch (step) {
    case SET:
        return operand < *registers;
    case BEHIND:
        return operand >> MWA_WHAT_IF_CASES < *registers;
    case SPEND:
    case SPEND_IN:
    case CLEAR:
    case END:
        return true;
    default:
        return false;
    }
}

enum mw_status mwa_instants_tape_unpack(struct mwa_tape **made, uint64_t count,
                                        struct mw_cursor *from)
{
    uint64_t registers;

    return mwa_tape_unpack(made, from, count, &registers, is_step, &registers);
}
