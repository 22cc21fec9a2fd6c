/* Each of the things that are done with clocks is here once as it is done, and once as a step. */
#include "analyzer/analysis/efficiency/ideal_tape.h"

#include <stdlib.h>

enum step {
    COMPUTE = 1, /* for operand ticks */
    KEEP,        /* in the operand, a register */
    RECEIVE,     /* from the operand, a register */
    WAIT,        /* for it */
    CLEAR,
    ENTER,       /* the operand, a region */
    LEAVE,       /* operand: whether its time counts */
    END
};

static enum mw_status write(struct mwa_ideal_track *track, enum step step, uint64_t operand)
{
    const enum mw_status status = track->tape ? mwa_ideal_write_up(track) : MW_OK;

    return track->tape && status == MW_OK
               ? mwa_tape_write(track->tape, track->number, step, operand)
               : status;
}

enum mw_status mwa_ideal_write_up(struct mwa_ideal_track *track)
{
    enum mw_status status = MW_OK;

    while (track->unwritten > 0 && status == MW_OK) {
        const uint64_t ticks =
            track->unwritten < MWA_TAPE_MOST ? track->unwritten : MWA_TAPE_MOST;

        status = mwa_tape_write(track->tape, track->number, COMPUTE, ticks);
        track->unwritten -= ticks;
    }
    return status;
}

enum mw_status mwa_ideal_keep(struct mwa_ideal_track *track, struct mwa_words *kept)
{
    *kept = track->clocks;
    if (!track->tape) {
        return MW_OK;
    }
    *kept = (struct mwa_words){ .first = mwa_tape_take(track->tape) };
    return write(track, KEEP, kept->first);
}

void mwa_ideal_forget(struct mwa_tape *tape, struct mwa_words kept)
{
    if (tape && kept.first > 0) {
        mwa_tape_give(tape, kept.first);
    }
}

enum mw_status mwa_ideal_gather(struct mwa_tape *tape, struct mwa_words kept,
                                struct mwa_words *gathered)
{
    enum mw_status status = MW_OK;

    if (!tape) {
        *gathered = mwa_greatest(*gathered, kept);
        return MW_OK;
    }
    if (kept.first == 0) {
        return MW_OK;
    }
    if (gathered->first == 0) {
        gathered->first = mwa_tape_take(tape);
        status = mwa_tape_write(tape, gathered->first, CLEAR, 0);
    }
    return status == MW_OK ? mwa_tape_write(tape, gathered->first, WAIT, kept.first) : status;
}

enum mw_status mwa_ideal_receive(struct mwa_ideal_track *track, struct mwa_words kept)
{
    if (track->tape) {
        return kept.first > 0 ? write(track, RECEIVE, kept.first) : MW_OK;
    }
    track->clocks.first = mwa_greatest(track->clocks, kept).first;
    return MW_OK;
}

enum mw_status mwa_ideal_wait(struct mwa_ideal_track *track, struct mwa_words gathered)
{
    if (track->tape) {
        return gathered.first > 0 ? write(track, WAIT, gathered.first) : MW_OK;
    }
    track->clocks = mwa_greatest(track->clocks, gathered);
    return MW_OK;
}

enum mw_status mwa_ideal_enter(struct mwa_ideal_track *track, uint32_t region)
{
    const enum mw_status status = write(track, ENTER, region);

    return status == MW_OK
               ? mwa_region_clocks_enter(&track->regions, region, track->clocks.first)
               : status;
}

enum mw_status mwa_ideal_leave(struct mwa_ideal_track *track)
{
    const bool counts = track->running || track->is_closed;
    const enum mw_status status = write(track, LEAVE, counts);

    mwa_region_clocks_leave(&track->regions, track->clocks.first, counts);
    return status;
}

enum mw_status mwa_ideal_end(struct mwa_ideal_track *track)
{
    const enum mw_status status = write(track, END, 0);

    mwa_region_clocks_end(&track->regions, track->clocks.first);
    return status;
}

/* --- played ----------------------------------------------------------------------------------- */

struct playing {
    struct mwa_ideal_track *tracks;
    uint64_t count;
    struct mwa_words *registers; /* those behind the tracks' */
    enum mw_status status;
};

static struct mwa_words *clocks_at(const struct playing *playing, uint64_t at)
{
    return at == 0 || at > playing->count ? &playing->registers[at > 0 ? at - playing->count : 0]
                                          : &playing->tracks[at - 1].clocks;
}

/* A step that only a track can go. */
static enum mw_status step_of_track(struct mwa_ideal_track *track, enum step step,
                                    uint64_t operand)
{
    switch (step) {
    case ENTER:
        return mwa_region_clocks_enter(&track->regions, (uint32_t)operand, track->clocks.first);
    case LEAVE:
        mwa_region_clocks_leave(&track->regions, track->clocks.first, operand > 0);
        return MW_OK;
    default:
        mwa_region_clocks_end(&track->regions, track->clocks.first);
        return MW_OK;
    }
}

/* A function for mwa_tape_play. */
static bool take_step(void *user, uint64_t at, unsigned step, uint64_t operand)
{
    struct playing *playing = user;
    struct mwa_words *clocks = clocks_at(playing, at);

    switch ((enum step)step) {
    case COMPUTE:
        clocks->first += operand;
        clocks->second += operand;
        break;
    case KEEP:
        *clocks_at(playing, operand) = *clocks;
        break;
    case RECEIVE:
        clocks->first = mwa_greatest(*clocks, *clocks_at(playing, operand)).first;
        break;
    case WAIT:
        *clocks = mwa_greatest(*clocks, *clocks_at(playing, operand));
        break;
    case CLEAR:
        *clocks = (struct mwa_words){ 0 };
        break;
    case ENTER:
    case LEAVE:
    case END:
        playing->status = step_of_track(&playing->tracks[at - 1], (enum step)step, operand);
        break;
    }
    return playing->status == MW_OK;
}

enum mw_status mwa_ideal_tape_play(struct mwa_tape *tape, struct mwa_ideal_track *tracks,
                                   uint64_t count)
{
    const uint64_t registers = mwa_tape_registers(tape) - count;
    struct playing playing = { .tracks = tracks,
                               .count = count,
                               .registers = calloc(registers, sizeof *playing.registers) };
    enum mw_status status = MW_ERROR_MEMORY;

    if (playing.registers) {
        status = mwa_tape_play(tape, take_step, &playing);
    }
    free(playing.registers);
    return status == MW_ERROR_FORMAT ? playing.status : status;
}

/* --- by another process ----------------------------------------------------------------------- */

struct limits {
    uint64_t tracks;
    uint64_t registers;
    uint64_t regions;
};

/* Whether there is such a step (a function for mwa_tape_unpack). */
static bool is_step(void *user, uint64_t at, unsigned step, uint64_t operand)
{
    const struct limits *limits = user;
    const bool is_track = at > 0 && at <= limits->tracks;

    switch (step) {
    case COMPUTE:
    case CLEAR:
        return true;
    case KEEP:
    case RECEIVE:
    case WAIT:
        return operand < limits->registers;
    case ENTER:
        return is_track && operand < limits->regions;
    case LEAVE:
    case END:
        return is_track;
    default:
        return false;
    }
}

enum mw_status mwa_ideal_tape_unpack(struct mwa_tape **made, uint64_t count, uint64_t regions,
                                     struct mw_cursor *from)
{
    struct limits limits = { .tracks = count, .regions = regions };

    return mwa_tape_unpack(made, from, limits.tracks + 1, &limits.registers, is_step, &limits);
}
