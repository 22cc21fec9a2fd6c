#ifndef MWA_LIVE_LIVE_HANG_H
#define MWA_LIVE_LIVE_HANG_H

#include "analyzer/analysis/hang/hang_state.h"
#include "analyzer/live/live_events.h"

/*
 * Where the ranks of a run are, and what is outstanding between them, brought up to date with the
 * events of their spools: to ask costs what came since the last time, and memory is as large as
 * what is outstanding. The calls that threads are in, which may change yet, are told when somebody
 * asks. Of one thread.
 */
struct mwa_live_hang;

/* The call that a thread made last. All zero: none is known. */
struct mwa_live_last {
    struct mw_spool_call call; /* with is_left: it was not told to its stream */
    struct mw_now now;         /* with has_now: what it waits for */
    char *members;             /* of call */
    size_t room;
    bool is_left;
    bool has_now;
};

/* A call is the one that was made last; it is kept for mwa_live_hang_find with is_left. \return
 * false: no memory. */
bool mwa_live_last_note(struct mwa_live_last *last, const struct mw_spool_call *call,
                        bool is_left) MW_MUST_CHECK;
void mwa_live_last_fini(struct mwa_live_last *last);

/* Of the ranks of a trace, which stays the caller's. Null: no memory. */
struct mwa_live_hang *mwa_live_hang_create(const struct mwa_trace *trace);
void mwa_live_hang_destroy(struct mwa_live_hang *hang); /* null is fine */

/* Who is to be told of the events of all threads. */
struct mwa_live_listener mwa_live_hang_listener(const struct mwa_live_hang *hang);

/* A thread as it is found at one moment. */
struct mwa_live_hang_thread {
    const struct mwa_live_stream *stream;
    const struct mwa_live_last *last;
};

/*
 * Where all ranks are now, for mwa_hang_make; sites are codes of the ranks' own records. It does
 * not change what is known.
 *
 * \return MW_OK, MW_ERROR_MEMORY; mwa_hang_states_fini is due in either case.
 */
enum mw_status mwa_live_hang_find(const struct mwa_live_hang *hang,
                                  const struct mwa_live_hang_thread *threads, uint32_t count,
                                  struct mwa_hang_states *states) MW_MUST_CHECK;

#endif
