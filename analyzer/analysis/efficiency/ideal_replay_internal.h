#ifndef MWA_ANALYSIS_EFFICIENCY_IDEAL_REPLAY_INTERNAL_H
#define MWA_ANALYSIS_EFFICIENCY_IDEAL_REPLAY_INTERNAL_H

#include "analyzer/analysis/delay/waypoints_ahead.h"
#include "analyzer/analysis/efficiency/ideal_replay.h"
#include "analyzer/analysis/efficiency/path_tree.h"

/* What replay.c, which follows the run, and replay_finish.c, which tells of it, share. */

/* Keys of the path's sums: regions by index, one more for none, and ranks from here on. */
#define MWA_KEY_RANKS 0x80000000u

/* What is kept of a call until nobody can ask for it any more. */
struct mwa_snapshot {
    /* What others may have to wait for: the state of the rank at the call's beginning. */
    uint64_t clock;
    struct mwa_path_node *path; /* null: nobody asks */

    /* Of a call that completes sends: the joint in the path at its end (replay_receivers.c). */
    struct mwa_path_node *joint;  /* null: there is none */
    struct mwa_path_node *before; /* what the joint continues, held so that they stay apart */
    uint64_t posted; /* when the receiver posted that the path comes from, 0: from none */
};

/* A region of the program that is open. */
struct mwa_open_region {
    uint32_t region;
    bool outer;     /* not inside of itself */
    uint64_t spent; /* the position of its struct mwa_region_spent */
    uint64_t clock; /* when it was entered */
};

/* What a rank does in a region that it names. */
struct mwa_region_spent {
    uint64_t ticks;   /* ideal ones inside, of the run */
    uint64_t open;    /* how often it is open, within itself */
    uint32_t region;
    uint32_t rank;
    uint64_t next;    /* of the same rank, UINT64_MAX: the last */
    bool is_told;     /* there were some, perhaps none of the run */
};

/* A rank's main thread. */
struct mwa_track {
    bool running; /* between the beginning and the end of its run */
    bool ended;
    bool in_call;
    uint64_t at; /* up to here it has come; ticks of the trace */
    uint64_t ended_at;
    uint64_t clock; /* on the ideal network */
    uint64_t useful_in_call; /* of the call being made */
    struct mwa_open_region *open;
    uint64_t open_capacity;
    uint64_t depth;
    uint64_t spent; /* the regions that it has entered, UINT64_MAX: none */
    struct mwa_waypoints_ahead ahead;
    struct mwa_path_node *path;
};

struct mwa_replay {
    const struct mwa_trace *trace;
    uint32_t slot;
    struct mwa_track *tracks; /* per location, used for main threads */
    struct mwa_map regions; /* region << 32 | rank, to position in spent */
    struct mwa_region_spent *spent;
    uint64_t spent_capacity;
    uint64_t spent_count;
    struct mwa_pool snapshots;
    struct mwa_pool gatherings;
    struct mwa_path_tree paths;
    bool *may_post; /* by region: whether others may turn out to wait for its calls */
    bool threads; /* others than main threads exchanged something */
};

/* The world rank of a track. */
static inline uint32_t mwa_replay_rank(const struct mwa_replay *replay,
                                       const struct mwa_track *track)
{
    return replay->trace->locations[track - replay->tracks].rank;
}

/*
 * Takes the waypoints of track before time, and those of useful time at it; all up to it if
 * inclusive. MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_replay_catch_up(struct mwa_replay *replay, struct mwa_track *track,
                                   uint64_t time, bool inclusive);

/* finish of mwa_replay_analysis. */
enum mw_status mwa_replay_finish(void *analysis, void *result);

/* What is kept of call; null: nothing. */
static inline struct mwa_snapshot *mwa_replay_kept(const struct mwa_replay *replay,
                                                   const struct mwa_exchange_call *call)
{
    return call ? (struct mwa_snapshot *)(uintptr_t)call->note[replay->slot] : NULL;
}

/*
 * The call, which completes sends, ends where the path of track is: makes the joint at which
 * the path can be led to a late receiver. MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_replay_make_joint(struct mwa_replay *replay, struct mwa_track *track,
                                     struct mwa_exchange_call *call);

/* Both ends of a message are known: leads the path to its receiver if that was late. */
enum mw_status mwa_replay_join_receiver(struct mwa_replay *replay,
                                        const struct mwa_message *message);

#endif
