#ifndef MWA_ANALYSIS_DELAY_DELAY_COST_H
#define MWA_ANALYSIS_DELAY_DELAY_COST_H

#include "analyzer/analysis/delay/activity.h"
#include "analyzer/analysis/delay/delay.h"
#include "analyzer/analysis/record_log.h"

/*
 * Distributes the cost of waits (delay.h) from the last to the first. A record of the log is a
 * wait: words by these positions, mostly small numbers, then one for each delay, its ticks above
 * MWA_DELAY_ACTIVITY bits and its activity in these.
 */
enum {
    MWA_DELAY_RANK,   /* that waited */
    MWA_DELAY_CAUSE,  /* that it waited for */
    MWA_DELAY_FROM,   /* waits of the latter before this one of its, from 0, are not in the
                         interval */
    MWA_DELAY_WAIT,   /* ticks */
    MWA_DELAY_LEFT,   /* ticks of it whose cost is not looked for */
    MWA_DELAY_SUM,    /* S, ticks */
    MWA_DELAY_SITE,   /* 1 and the place of the call that was waited for, or 0: not known */
    MWA_DELAY_HEAD    /* words before the delays */
};

#define MWA_DELAY_ACTIVITY 8 /* bits */

/* Whether words can be a record of trace. */
bool mwa_delay_is_record(const struct mwa_trace *trace, const uint64_t *words, uint32_t count);

/* The waits of a chapter of the run, and what they count from. */
struct mwa_delay_chapter {
    struct mwa_record_log *log;
    uint64_t *before; /* per rank: its waits in the chapters before; MWA_DELAY_FROM counts on */
    uint8_t numbers[MWA_ACTIVITIES]; /* of activities, by those that they have in the log */
    uint64_t **early; /* records that were made later, each behind its number of words: in the log
                         there is the index instead, alone */
    uint64_t early_count;
};

void mwa_delay_chapter_fini(struct mwa_delay_chapter *chapter);

/*
 * Empties the logs of count chapters, in their order, of as many records of each rank that waited
 * as logged says, into delays. What comes out is the same as of one log that has them all.
 *
 * \return MW_OK, and *delays is to be freed with mwa_delays_fini; MW_ERROR_MEMORY;
 * MW_ERROR_SYSTEM: the log can't be read.
 */
enum mw_status mwa_delay_distribute(const struct mwa_trace *trace,
                                    const struct mwa_activities *activities,
                                    const struct mwa_delay_chapter *chapters, uint64_t count,
                                    const uint64_t *logged,
                                    struct mwa_delays *delays) MW_MUST_CHECK;

#endif
