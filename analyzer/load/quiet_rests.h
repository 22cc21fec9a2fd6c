#ifndef MWA_LOAD_QUIET_RESTS_H
#define MWA_LOAD_QUIET_RESTS_H

#include "analyzer/load/quiet_tries.h"

/*
 * Where a location has come to rest, for lulls (quiet_places.h): before outermost calls of MPI,
 * while there is no message that a probe has found and nobody received. Which of them belong
 * together is said by numbers: those at which all requests have ended as often, while none is open;
 * or, of programs whose ranks end requests not equally often, or have none, or always have some
 * open, those at a moment of the run, of which there are as many as places may be kept, as far from
 * each other. At a moment a location is before the call that it is in, or enters next, and few
 * requests are open that were not at the one before. Polls that follow each other and find nothing
 * are as one call: they may be a row (analyzer/analysis/poll_row.h). Not thread-safe.
 */

#define MWA_QUIET_FOUND_MOST 16u /* channels */
#define MWA_QUIET_NEWLY_MOST 4u  /* requests that are open at a moment, and were not before */

struct mwa_quiet_found {
    uint64_t channel;
    uint64_t events; /* before the last probe that found it */
};

/* Zeros, with the tries, then init. Fields are private. */
struct mwa_quiet_rests {
    struct mwa_quiet_tries *lulls;   /* numbered by how often requests have ended; … */
    struct mwa_quiet_tries *moments; /* … by the moment; in both nothing need be kept (most) */
    uint64_t begin, step;            /* ticks: moments come behind begin */
    uint64_t next;                   /* number of the next moment */
    uint64_t ended;                  /* how often all requests that were open have */
    uint64_t left;                   /* ticks: the end of the last call that messages can move in */
    uint64_t was_in;                 /* … of the last one at all */
    struct mwa_quiet_try here;       /* before the call that was entered last … */
    bool is_one;                     /* … which is a place, if few requests are open … */
    bool has_polled;                 /* that call does, and has found nothing */
    uint64_t open;                   /* … there: so many are, … */
    uint64_t newly;                  /* … of which so many were not at the moment kept last */
    uint64_t open_still;             /* of that moment */
    uint64_t ended_count;            /* since then, of those that were open there: … */
    struct mwa_carried_request *ended_here; /* … and at no moment that is kept */
    uint64_t ended_here_count, ended_here_capacity;
    struct mwa_quiet_found found[MWA_QUIET_FOUND_MOST];
    uint32_t found_count;
    bool has_more; /* than there is room for */
};

void mwa_quiet_rests_init(struct mwa_quiet_rests *rests, const struct mwa_trace *trace);

/* An outermost call of MPI, of formats/table/calls.h, is entered. here: what is known of the place
 * before it; may_be: it may be one, but for requests, of which so many are open. False without
 * memory. */
bool mwa_quiet_rests_enter(struct mwa_quiet_rests *rests, unsigned call,
                           const struct mwa_quiet_try *here, bool may_be,
                           uint64_t open) MW_MUST_CHECK;

/* It is left at time; has_got: a probe has found something in it, or there were events of messages
 * or the like. False without memory. */
bool mwa_quiet_rests_leave(struct mwa_quiet_rests *rests, unsigned call, uint64_t time,
                           bool has_got) MW_MUST_CHECK;

/* A probe, behind so many events, has found a message on a channel (quiet_channels.h), which the
 * next receive gets that is posted on it; or a receive that was posted behind so many is done. */
void mwa_quiet_rests_find(struct mwa_quiet_rests *rests, uint64_t channel, uint64_t events);
void mwa_quiet_rests_receive(struct mwa_quiet_rests *rests, uint64_t channel, uint64_t events);

/* A request of messages has ended. False without memory. */
bool mwa_quiet_rests_carry(struct mwa_quiet_rests *rests,
                           const struct mwa_carried_request *ended) MW_MUST_CHECK;

/* Of what was begun behind so many events it is not known what becomes of it. */
void mwa_quiet_rests_take_back(struct mwa_quiet_rests *rests, uint64_t events);

/* The call that was entered last is an operation of which gives_at tells (quiet_tries.h). */
void mwa_quiet_rests_give(struct mwa_quiet_rests *rests, uint64_t enter);

/* MPI_Init is entered: moments before it are none. */
void mwa_quiet_rests_begin_run(struct mwa_quiet_rests *rests);

void mwa_quiet_rests_fini(struct mwa_quiet_rests *rests);

#endif
