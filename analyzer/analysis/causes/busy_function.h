#ifndef MWA_ANALYSIS_CAUSES_BUSY_FUNCTION_H
#define MWA_ANALYSIS_CAUSES_BUSY_FUNCTION_H

#include "analyzer/analysis/causes/causes.h"
#include "analyzer/model/trace.h"

/*
 * In which function of the program ranks compute, if samples tell that surely: it has a third or
 * more of what there is, of 20 samples or more, and leads the next one by more than twice the
 * standard error of that, even if all samples that were lost or could not be made are the
 * next one's.
 */

struct mwa_busy_function {
    uint32_t spot; /* the line of it with most samples, an index */
    double share;  /* of the samples that were looked at, or of what is more than the average, */
    double error;  /* with its standard error */
};

/* What is looked at. */
struct mwa_busy_question {
    const bool *ranks; /* a flag for each */
    uint32_t place;    /* the calls on the way to which; MWA_NONE: all, and behind the last one */
    double unseen_s;     /* that these ranks were in the kernel, which has no samples */
    bool is_excess;    /* what these ranks have more than ranks on average; of all: as without */
    bool is_alone; /* what their main threads do, and other threads of theirs do not at that time */
};

/* False: samples don't tell, or there is no memory for an answer. */
bool mwa_busy_function(const struct mwa_trace *trace, const struct mwa_busy_question *question,
                       struct mwa_busy_function *found);

/* In which function ranks compute what a cause says of their computing. False: it says nothing of
 * that, or as above. */
bool mwa_busy_function_of(const struct mwa_results *results, const struct mwa_cause *cause,
                          struct mwa_busy_function *found);

#endif
