#ifndef MWA_ANALYSIS_CAUSES_CALLS_SPENT_H
#define MWA_ANALYSIS_CAUSES_CALLS_SPENT_H

#include "analyzer/analysis/causes/cause_judges.h"

/* What ranks spend in calls of several functions, for those who judge by it. */

#define MWA_CALLS_BIND 0.1   /* of the run: it is bound by calls of one kind */
#define MWA_CALLS_MANY 1000u /* of little each; fewer cost nothing that is worth a change */

/* Bytes of a message, on average. */
static inline uint64_t mwa_bytes_of(const struct mwa_traffic *traffic)
{
    return traffic->messages ? traffic->bytes / traffic->messages : 0;
}

/* What of the time in a function's calls is asked for. */
enum mwa_asked {
    MWA_WHOLE,                    /* all of it */
    MWA_BESIDE_WAITS,             /* what is no waiting */
    MWA_BESIDE_POSSIBLE_WAITS,    /* nor may be some: until all have come, nobody can tell whether
                                     a member of a collective operation moves data or waits */
    MWA_OF_MESSAGES,              /* that in calls that are of messages (enum mwa_use) */
    MWA_OF_MESSAGES_BESIDE_WAITS, /* what of that is no waiting for messages */
    MWA_OF_OPERATIONS_BESIDE_WAITS, /* that in calls that complete collective operations, and is
                                       not, and can't be, waiting */
    MWA_ASKED
};

/* Calls of several functions, of all ranks. */
struct mwa_calls {
    enum mwa_asked asked;
    uint64_t count;
    uint64_t time_ns; /* in them, whatever is asked for, waiting and all */
    struct mwa_spent spent;
    uint64_t beyond_ns; /* what ranks wait in calls of a function beyond what these take: of a row
                           of polls by several functions it is the last one's */
    struct mwa_spent in_short; /* of spent, in functions whose calls move one message each, or
                                  access a window, of MWA_LONG_BYTES or less on average … */
    struct mwa_spent in_long;  /* … and of more; the rest is not known to be of either */
    const struct mwa_call_row *most; /* the function that most of it is spent in; null: none */
    struct mwa_spent most_spent;
};

/* All calls of which is_one is true, and what ranks spend in them of what is asked for. */
struct mwa_calls mwa_sum_calls(const struct mwa_judging *judging, bool (*is_one)(unsigned call),
                               enum mwa_asked asked);

/* Whether most of what is spent is for long messages, or accesses, as far as is known of functions;
 * else by how many bytes all have on average. */
bool mwa_are_long(const struct mwa_calls *calls, uint64_t bytes);

/* What is spent of calls, of which there are some, is what the cause costs; its place is where most
 * of theirs is. */
void mwa_take_calls(const struct mwa_judging *judging, const struct mwa_calls *calls,
                    const struct mwa_spent *spent, struct mwa_cause *cause);

#endif
