#ifndef MW_FORMATS_MERGE_LOCATION_STATS_H
#define MW_FORMATS_MERGE_LOCATION_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/table/calls.h"

/* What is to be told of a location when its events are written; times are ns, own clock. */
struct mw_location_stats {
    uint32_t rank;
    uint32_t thread;
    uint64_t events; /* OTF2 events */
    uint64_t calls;
    uint64_t first; /* time of the first event; 0 when there are none */
    uint64_t last;
    uint64_t clamped;    /* times that ran backwards and were moved to the one before */
    uint64_t open_enter; /* time of enter of the open call */
    uint32_t open_call;  /* the call that the thread never left; MW_CALL_COUNT: none */
    uint64_t overwritten; /* calls that a ring has lost to later ones */
    uint64_t lost; /* calls that its spool had no room for, if the process could not say so */
    uint64_t gone;        /* calls of a rank whose spool is gone */
    uint64_t untold;      /* members of records left out: no definition knows what they are of */
    uint64_t clock_points; /* times told by the processor's counter; see struct mw_spool_header */
    uint64_t clock_error;
    bool clock_given_up;
    bool tells_waits;    /* what an open call waits for, or which requests are not complete */
    bool tells_found;    /* what probes found */
    bool tells_lanes;    /* of messages in partitions */
    bool tells_unready;  /* which of those an open call waits for */
    uint32_t damaged;    /* 1: the spool holds more, which can't be read */
};

/* A set of enum mw_call. */
struct mw_call_set {
    uint8_t bits[(MW_CALL_COUNT + 7) / 8];
};

static inline void mw_call_set_add(struct mw_call_set *set, unsigned call)
{
    set->bits[call / 8] = (uint8_t)(set->bits[call / 8] | 1u << call % 8);
}

static inline bool mw_call_set_has(const struct mw_call_set *set, unsigned call)
{
    return set->bits[call / 8] >> call % 8 & 1;
}

#endif
