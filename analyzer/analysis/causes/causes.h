#ifndef MWA_ANALYSIS_CAUSES_CAUSES_H
#define MWA_ANALYSIS_CAUSES_CAUSES_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/base/status.h"

/*
 * Why a run takes as long as it does: the rules of causes.def that hold of it. They are built on
 * what caused the waits (analyzer/analysis/delay/delay.h), not on who was waited for.
 */

struct mwa_results;

enum mwa_rule {
#define CAUSE(constant, ...) MWA_RULE_##constant,
#include "analyzer/analysis/causes/causes.def"
    MWA_RULES
};

enum mwa_cause_class { MWA_CAUSE_DOUBT, MWA_CAUSE_COST, MWA_CAUSE_FAULT };

#define MWA_LONG_BYTES  4096u /* of less a message takes as long as if it had none */
#define MWA_CAUSE_RANKS 16u /* that are listed */
#define MWA_CAUSE_BESIDES 3u

/* A rule that holds. What a rule says nothing of is 0, or MWA_NONE. */
struct mwa_cause {
    enum mwa_rule rule;
    uint32_t ranks[MWA_CAUSE_RANKS]; /* those that cause it, the one that causes most first */
    uint64_t rank_count; /* all of them */
    uint64_t listed;     /* in ranks */
    uint32_t peer;   /* rank */
    uint32_t site;   /* of a call, index */
    bool is_of_caller; /* of the calls at its place those by one caller are meant */
    uint32_t behind; /* of the call behind it, index */
    uint32_t besides[MWA_CAUSE_BESIDES]; /* of calls that are named with it, the first first */
    uint32_t beside_count;
    uint32_t region; /* an MPI function, index */
    uint32_t object; /* an open file, index */
    uint32_t error_class; /* a number of the MPI's (analyzer/model/error_class.h) */
    uint64_t count;
    uint64_t operations; /* on windows; of errors: all of them; requests that were freed */
    uint64_t bytes;
    uint64_t time_ns;
    double share;    /* of the ranks' run */
    double excess;   /* over the average, less 1; NaN: of all, some of which compute longer */
    double part;     /* of what ranks send in operations, by the first rank; 0: none stands out */
    uint64_t short_ns; /* of waits that it caused: directly, */
    uint64_t long_ns;  /* and passed on by others */
    uint64_t held_ns;  /* of that, while the one rank slept, if it matters */
    uint64_t up_to_ns; /* how much shorter the run could be, at most; 0: not known */
    uint64_t own_ns;   /* of that, what no other cause explains, if not all; it counts */
    uint64_t gain_ns;  /* how much shorter it would be without the cause (gains.h); */
    bool has_gain;     /* if that is known; */
    bool is_little;    /* and it is hardly shorter: what else costs time is graver */
    double in_rows;    /* of the time of polls: in rows of them, which is waiting; 0: little */
    bool is_doubtful;  /* it may come of the lack of cores, of losses, or of clocks that differ */
    bool has_lack;     /* the lack of cores explains what is worth a word: */
    uint64_t lack_ns;  /* beside time_ns; of it where calls need not be made at all */
};

/* Whether others waited, which makes it a cause; else calls take their time. */
static inline bool mwa_is_of_waits(const struct mwa_cause *cause)
{
    return cause->short_ns + cause->long_ns > 0;
}

struct mwa_causes {
    struct mwa_cause list[MWA_RULES]; /* the gravest first */
    uint64_t count;
};

/* A row of causes.def. */
struct mwa_cause_rule {
    const char *id;
    enum mwa_cause_class class;
    const char *sentence;
    const char *advice;
    const char *command;
    const char *source;
};

const struct mwa_cause_rule *mwa_cause_rule(enum mwa_rule rule);

/* Whether the rule is of ranks that were not on a core: that they have measured themselves. */
bool mwa_is_off_core(enum mwa_rule rule);

/* The place of the cause's call for people, and the call at it, where it has one (mwa_place and
 * mwa_call_at where one caller's calls are meant, else mwa_main_place and mwa_main_call_at). */
const char *mwa_cause_place(const struct mwa_results *results, const struct mwa_cause *cause,
                            char *text);
const char *mwa_cause_call_at(const struct mwa_results *results, const struct mwa_cause *cause,
                              char *text);

/* Puts causes into the order of their gravity, as far as they say what they cost. */
void mwa_causes_sort(struct mwa_causes *causes);

/* Makes *causes of all other results, in that order. Nothing is to be freed. MW_OK,
 * MW_ERROR_MEMORY. */
enum mw_status mwa_causes_make(const struct mwa_results *results,
                               struct mwa_causes *causes) MW_MUST_CHECK;

#endif
