#ifndef MWA_EXCHANGE_TAILS_H
#define MWA_EXCHANGE_TAILS_H

#include "analyzer/load/input.h"
#include "analyzer/model/beginnings.h"

/*
 * How many messages of each channel and collectives of each series ranks have, and when the last
 * ones were. Where records begin at different moments their ends still belong together: the last
 * send and the last receive, or the last ones that can, for what is received was sent before.
 * Collectives of a communicator, of all its series, are made in the same order by all, which is a
 * course: where records may end early as well, their last ones belong together that are of the same
 * series, and in which who needs others ends after these have begun. Of non-blocking ones each
 * series is a course of its own: what is not complete in the end lacks among them.
 *
 * What was on its way where a part of an archive begins is sent there, once more
 * (analyzer/export/cut.h): of messages nothing is early but in a ring.
 */

#define MWA_TAIL_KEPT   16u /* of the last ones; so half of them may have no other half */
#define MWA_COURSE_KEPT 32u /* likewise */

/* Of those on one side of a channel: number n is at n modulo KEPT. */
struct mwa_tail {
    uint64_t count;
    uint64_t times[MWA_TAIL_KEPT]; /* ticks: when a send begins, and a receive ends */
};

/* A rank's part in a collective. */
struct mwa_tail_part {
    uint64_t begin, end; /* ticks */
    uint32_t series;
    bool gives; /* something that those of takes can't end without; but between groups … */
    bool takes;
    bool is_root;
    uint8_t side; /* … of an intercommunicator only from 1 to 2 and from 2 to 1; 0: of no such */
};

/* Of a rank's course on a communicator, or window: number n is at n modulo KEPT. */
struct mwa_course {
    uint64_t count;
    uint32_t shift; /* by mwa_tails_compare: another rank's last so many are not there … */
    bool is_ahead;  /* … or, if it is, its own last ones are not there with that */
    struct mwa_tail_part *last;
    uint64_t capacity;
};

/* What a rank has of a series. */
struct mwa_tail_number {
    uint64_t count;
    uint32_t course;
};

/* All zeros is empty; elements of each list are at the positions that the index tells. */
struct mwa_tails {
    struct mwa_index send_index, receive_index, number_index, course_index;
    struct mwa_tail *sends, *receives;
    struct mwa_tail_number *numbers;
    struct mwa_course *courses;
};

/* Each adds one, in the order in which they count. False without memory. */
bool mwa_tails_add_send(struct mwa_tails *tails, struct mwa_key channel,
                        uint64_t begin) MW_MUST_CHECK;
bool mwa_tails_add_receive(struct mwa_tails *tails, struct mwa_key channel,
                           uint64_t end) MW_MUST_CHECK;
/* course is a key as that of a series: mwa_series_key. */
bool mwa_tails_add_part(struct mwa_tails *tails, struct mwa_key course,
                        const struct mwa_tail_part *part) MW_MUST_CHECK;
void mwa_tails_fini(struct mwa_tails *tails);

/* All were added. MW_OK and *beginnings, which are empty before; MW_ERROR_MEMORY. */
enum mw_status mwa_tails_compare(struct mwa_tails *tails, const struct mwa_trace *trace,
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
