#ifndef MWA_EXCHANGE_TAILS_H
#define MWA_EXCHANGE_TAILS_H

#include "analyzer/load/input.h"
#include "analyzer/model/beginnings.h"
#include "analyzer/model/needs.h"

/*
 * How many messages of each channel and collectives of each series ranks have, and when the last
 * ones were. Where records begin at different moments their ends still belong together: the last
 * send and the last receive, or, where records may end early as well, the last ones that can: what
 * is received was sent before, what needs all ends after all have begun.
 */

#define MWA_TAIL_KEPT 16u /* of the last ones; so half of them may have no other half */

/* Of those on one side of a channel, or of a rank's in a series: number n is at n modulo KEPT. */
struct mwa_tail {
    uint64_t count;
    enum mwa_needs needs; /* of a series: who needs whom in it; others: NOBODY */
    uint32_t root;        /* world rank, MWA_NONE: it has none */
    uint64_t begins[MWA_TAIL_KEPT]; /* ticks */
    uint64_t ends[MWA_TAIL_KEPT];
};

/* All zeros is empty; elements of each list are at the positions that the index tells. */
struct mwa_tails {
    struct mwa_index send_index, receive_index, number_index;
    struct mwa_tail *sends, *receives, *numbers;
};

/* Each adds one, in the order in which they count. False without memory. */
bool mwa_tails_add_send(struct mwa_tails *tails, struct mwa_key channel,
                        uint64_t begin) MW_MUST_CHECK;
bool mwa_tails_add_receive(struct mwa_tails *tails, struct mwa_key channel,
                           uint64_t end) MW_MUST_CHECK;
bool mwa_tails_add_number(struct mwa_tails *tails, struct mwa_key series, enum mwa_needs needs,
                          uint32_t root, uint64_t begin, uint64_t end) MW_MUST_CHECK;
void mwa_tails_fini(struct mwa_tails *tails);

/* All were added. MW_OK and *beginnings, which are empty before; MW_ERROR_MEMORY. */
enum mw_status mwa_tails_compare(const struct mwa_tails *tails, const struct mwa_trace *trace,
                                 struct mwa_beginnings *beginnings) MW_MUST_CHECK;

/*
 * What ranks of input's trace began before others did: null where all begin together. It is found
 * once, by a pass of all events, and belongs to input and to those who share it. By one thread.
 * By a pass, which stands above the engine: analyzer/analysis/beginnings_read.c has it.
 *
 * \return MW_OK; as mwa_pass_run.
 */
enum mw_status mwa_beginnings_of(struct mwa_input *input, const struct mwa_beginnings **beginnings,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
