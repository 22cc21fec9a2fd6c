#ifndef MWA_EXCHANGE_LOOKAHEAD_H
#define MWA_EXCHANGE_LOOKAHEAD_H

#include "analyzer/load/input.h"
#include "formats/base/status.h"

/*
 * What became of a rank's receives and non-blocking collectives that stay pending for long, and
 * which of its sends were cancelled, found by reading the
 * rank's events once. Long means: while 16 + 8 n others were posted, n being the
 * greatest number pending at once so far, or while there were 2048 events of messages and
 * collectives, so that fewer than an eighth of all are.
 */

static inline bool mwa_lookahead_is_long(uint64_t posted_since, uint64_t most_pending)
{
    return posted_since > 16 + 8 * most_pending;
}

enum mwa_fate { MWA_FATE_RECEIVED, MWA_FATE_CANCELLED, MWA_FATE_NEVER };

struct mwa_long_receive {
    uint64_t ordinal; /* of its MpiIrecvRequest among the rank's and its MpiRecv, from 0 */
    enum mwa_fate fate;
    uint64_t time; /* of its MpiIrecv */
    struct mwa_message_data message;
};

struct mwa_long_collective {
    uint64_t ordinal; /* of its posting among the rank's, from 0 */
    uint64_t request;
    bool ends;        /* it is complete some time … */
    struct mwa_collective_data data; /* … and then it is this one */
};

struct mwa_lookahead {
    struct mwa_long_receive *receives; /* by ordinal */
    uint64_t count;
    uint64_t capacity;
    uint64_t *cancelled; /* sends: which of the rank's MpiIsend, from 0, ascending */
    uint64_t cancelled_count;
    uint64_t cancelled_capacity;
    struct mwa_long_collective *collectives; /* by ordinal */
    uint64_t collective_count;
    uint64_t collective_capacity;
};

/*
 * Reads rank's events of input, no other reader of which may be open. By a pass, which stands
 * above the engine: analyzer/analysis/lookahead_read.c has it.
 *
 * \return MW_OK and *lookahead, to be freed with mwa_lookahead_fini; as mwa_pass_run.
 */
enum mw_status mwa_lookahead_read(struct mwa_input *input, uint32_t rank,
                                  struct mwa_lookahead *lookahead,
                                  struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_lookahead_fini(struct mwa_lookahead *lookahead);

/* For qsort: receives, collectives, and cancelled sends, by ordinal. */
int mwa_lookahead_order(const void *one, const void *other);
int mwa_lookahead_collective_order(const void *one, const void *other);
int mwa_lookahead_cancelled_order(const void *one, const void *other);

/* The receive with ordinal if it is a long one, else null. */
const struct mwa_long_receive *mwa_lookahead_find(const struct mwa_lookahead *lookahead,
                                                  uint64_t ordinal);

/* The collective with ordinal if it is a long one, else null. */
const struct mwa_long_collective *
mwa_lookahead_collective(const struct mwa_lookahead *lookahead, uint64_t ordinal);

/* Whether the send with ordinal is cancelled. */
bool mwa_lookahead_cancels(const struct mwa_lookahead *lookahead, uint64_t ordinal);

#endif
