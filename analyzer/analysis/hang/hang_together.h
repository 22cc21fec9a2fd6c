#ifndef MWA_ANALYSIS_HANG_HANG_TOGETHER_H
#define MWA_ANALYSIS_HANG_HANG_TOGETHER_H

#include "analyzer/analysis/hang/hang_state.h"

/*
 * What a rank does, or has begun, together with all of a communicator, who has come to it, and of
 * whom MPI says that it needs them. Any thread.
 */
struct mwa_hang_meeting {
    enum mwa_hang_together what;
    uint32_t index;  /* communicator or window */
    uint32_t comm;   /* whose members do it */
    uint64_t number; /* which one of these it is there, from 1 on */
    unsigned kind;   /* of the call that would do it at once; MW_KIND_PLAIN: not told, or one of
                        which the members' needs depend on what is not told */
    uint32_t root;   /* world rank; MWA_NONE: there is none, or it is not told */
    bool is_begun;   /* it is one that does not block: the rank waits for its request, maybe */
};

/* The call that a rank is inside of, MW_CALL_COUNT: none. */
unsigned mwa_hang_call_of(const struct mwa_trace *trace, const struct mwa_hang_states *states,
                          uint32_t rank);

/* Whether rank is inside of a call that is done together. */
bool mwa_hang_meets(const struct mwa_trace *trace, const struct mwa_hang_states *states,
                    uint32_t rank, struct mwa_hang_meeting *meeting);

/* Whether a request that is there is of a collective operation of which it is known which one it is
 * on its communicator; not of those on neighbourhoods. */
bool mwa_hang_meets_by(const struct mwa_trace *trace, const struct mwa_hang_states *states,
                       const struct mwa_hang_request *request, struct mwa_hang_meeting *meeting);

/* Whether other, which is waited for and has come, is a contradiction to self's call: in another
 * operation, or in the same with another root. */
bool mwa_hang_disagrees(const struct mwa_trace *trace, const struct mwa_hang_states *states,
                        const struct mwa_hang_meeting *meeting, uint32_t self, uint32_t other);

bool mwa_hang_has_come(const struct mwa_trace *trace, const struct mwa_hang_states *states,
                       const struct mwa_hang_meeting *meeting, uint32_t other);

/* Whether both have the same numbers for what they do there: nothing that one of them counts is
 * missing with the other one, or in another place. */
bool mwa_hang_are_in_step(const struct mwa_hang_states *states,
                          const struct mwa_hang_meeting *meeting, uint32_t self, uint32_t other);

/* Whether self's own part waits for other's, by MPI's own words, if both are in step. */
bool mwa_hang_needs_surely(const struct mwa_trace *trace, const struct mwa_hang_states *states,
                           const struct mwa_hang_meeting *meeting, uint32_t self,
                           uint32_t other);

#endif
