#ifndef MWA_ANALYSIS_EFFICIENCY_INSTANTS_H
#define MWA_ANALYSIS_EFFICIENCY_INSTANTS_H

#include "analyzer/analysis/efficiency/tape.h"
#include "analyzer/analysis/efficiency/what_if.h"
#include "analyzer/model/pool.h"

/*
 * Times of a replay (what_if.h), many of which are not known when they are first spoken of: each
 * follows some others, and is known when these are. Ticks, by case. Not thread-safe.
 *
 * In a chapter that begins at a lull none are known before it is appended to the one before it.
 * Then what would be known is written onto a tape (tape.h): an instant's times are in a register.
 */

struct mwa_instant_link;

/* The beginning or the end of a call, or when several others are all there. */
struct mwa_instant {
    struct mwa_instant *next;     /* first: a pool's to write over; of those that became known */
    struct mwa_instant_link *followers; /* that wait for it */
    uint64_t at[MWA_WHAT_IF_CASES]; /* of all that it follows, the latest known; then its own */
    uint64_t *ends;               /* a rank stops here: the latest such, by case; else null */
    uint64_t written;             /* the register that has at; 0: there is no tape */
    uint64_t ticks;               /* that it comes later than all that it follows */
    uint32_t rank;                /* outside of MPI of this one; MWA_NONE: inside */
    uint32_t call_at;             /* the place of the call that begins then; MWA_NONE: not known */
    uint32_t missing;             /* what it follows and is not known; 1 more until closed */
    uint32_t references;
    bool opens;                   /* a chapter: the time before it is the one's before that */
    bool is_given;                /* its register is, and is not to be given back */
    bool is_set;                  /* its register has something */
};

struct mwa_instants {
    const struct mwa_what_if_cases *cases;
    struct mwa_pool pool;
    struct mwa_pool links;
    uint64_t alive;
    uint64_t running; /* ranks that have begun and not stopped, so far as it is known; of a chapter
                         that begins at a lull less those that had begun before, modulo 2^64 */
    struct mwa_tape *tape; /* null: times are known */
    enum mw_status status; /* MW_ERROR_MEMORY: something is not on the tape */
};

void mwa_instants_init(struct mwa_instants *instants, const struct mwa_what_if_cases *cases);
void mwa_instants_fini(struct mwa_instants *instants); /* frees all of them, whoever has them */

/* An open one, for one owner; null without memory. */
struct mwa_instant *mwa_instant_make(struct mwa_instants *instants);
/* One that is known, at times that register, one of those that the tape is given, will have. */
struct mwa_instant *mwa_instant_given(struct mwa_instants *instants, uint64_t register_given);

void mwa_instant_drop(struct mwa_instants *instants, struct mwa_instant *instant); /* null: none */

/* The follower, which is open, comes no earlier than instant; by a message, to a call at place, it
 * may in cases in which none is waited for there, or none that is sent at instant. MW_OK,
 * MW_ERROR_MEMORY. */
enum mw_status mwa_instant_follow(struct mwa_instants *instants, struct mwa_instant *instant,
                                  struct mwa_instant *follower, bool is_message,
                                  uint32_t place) MW_MUST_CHECK;

/* Nothing more is said that instant follows: if all that is known, so is it, and who follows it. */
void mwa_instant_close(struct mwa_instants *instants, struct mwa_instant *instant);

/* --- on a tape (instants_tape.c) ---------------------------------------------------------- */

/* Writes that follower, which is not known, comes no earlier than instant, which is, in cases (a
 * bit each); that instant is so much later, in each case; and that a rank stops at it. */
void mwa_instant_write_behind(struct mwa_instants *instants, const struct mwa_instant *instant,
                              struct mwa_instant *follower, unsigned cases);
void mwa_instant_write_ticks(struct mwa_instants *instants, struct mwa_instant *instant,
                             const uint64_t *ticks);
void mwa_instant_write_end(struct mwa_instants *instants, const struct mwa_instant *instant);

/* Writes that the times of instant, which is known, are to be found in register in the end. */
void mwa_instant_write_last(struct mwa_instants *instants, const struct mwa_instant *instant,
                            uint64_t register_given);

/* The times of a register of a tape that is played: of the first ones to begin with, and in the
 * end. */
struct mwa_instant_times {
    uint64_t at[MWA_WHAT_IF_CASES];
};

/*
 * Goes the steps of tape, which is through: given has the times of its count first registers, ends
 * when the last of the ranks that stop did, by case. MW_OK; MW_ERROR_MEMORY; MW_ERROR_SYSTEM: its
 * file can't be read.
 */
enum mw_status mwa_instants_play(struct mwa_tape *tape, struct mwa_instant_times *given,
                                 uint64_t count, uint64_t *ends) MW_MUST_CHECK;

/* What mwa_tape_unpack returns, of a tape with count given registers. */
enum mw_status mwa_instants_tape_unpack(struct mwa_tape **made, uint64_t count,
                                        struct mw_cursor *from) MW_MUST_CHECK;

#endif
