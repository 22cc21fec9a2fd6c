#ifndef MWA_REPORT_GATE_H
#define MWA_REPORT_GATE_H

#include <stdio.h>

#include "analyzer/report/compare.h"
#include "analyzer/report/limit.h"

/*
 * Whether a run keeps its limits, and how it differs from its baselines: for people, as lines that
 * GitHub shows beside a change, and by mwa_check_document.
 */
struct mwa_gate {
    struct mwa_limit *limits;
    uint64_t limit_count;
    char **archives; /* the baselines, and last the one that is judged; not owned */
    uint64_t archive_count;
    double tolerance;                 /* of 1 */
    struct mwa_comparison comparison; /* of the archives; where there is a baseline */
    uint64_t reference;               /* the baseline of median run time; of two the shorter one */
    uint64_t breaches;
};

/* Judges the limits, whose values are all there. MW_OK; as mwa_limit_judge. */
enum mw_status mwa_gate_judge(struct mwa_gate *gate,
                              struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

static inline bool mwa_gate_has_baseline(const struct mwa_gate *gate)
{
    return gate->archive_count > 1;
}

/* "1 of 3 limits is not kept: the run takes 20% longer than …"; text, of MWA_SENTENCE_BYTES. */
const char *mwa_gate_sentence(const struct mwa_gate *gate, char *text);

/* A line for each limit, and what is different from the baseline. No line is broken: what a run
 * brings in never begins one. */
void mwa_text_gate(const struct mwa_gate *gate, FILE *out);

/* GitHub's workflow commands: an error for each limit that is not kept, a warning for each
 * difference to the baseline (docs.github.com, "Workflow commands for GitHub Actions"). */
void mwa_github_gate(const struct mwa_gate *gate, FILE *out);

#endif
