#ifndef MWA_REPORT_COMPARE_WORDS_H
#define MWA_REPORT_COMPARE_WORDS_H

#include "analyzer/report/compare.h"

/* What a comparison comes to, in sentences; and which factor does not scale. */

#define MWA_SENTENCE_BYTES 1024

/*
 * How much longer the run `to` takes than `from`, and why: the call whose time per rank changed
 * most, that way, and what the ranks compute. "B takes 12% longer than A (9.81 s, 8.74 s):
 * MPI_Allreduce waits 1.10 s longer per rank at solve.c:31; rank 3 computes 1.20 s longer"; of a
 * call that is made much more often also that, and the line if more than half of it is made there.
 * What is less than a quarter of the change is no cause of it. Returns text, of
 * MWA_SENTENCE_BYTES.
 */
const char *mwa_compared_sentence(const struct mwa_comparison *comparison, uint64_t from,
                                  uint64_t to, const char *from_name, const char *to_name,
                                  char *text);

/* Runs are A, B, … Z, AA, …: the name of one, in name of MWA_RUN_NAME_BYTES. */
#define MWA_RUN_NAME_BYTES 16
const char *mwa_run_name(uint64_t run, char *name);

/* Whether numbers of ranks differ: a study of how the program scales. */
bool mwa_comparison_scales(const struct mwa_comparison *comparison);

/*
 * Which factor of the global efficiency falls first: in the order of the ranks, the first run with
 * more of them than the reference in which one is below MWA_FALLEN of what it is in the reference,
 * and of those in that run the least; if there is none, the least of all.
 */
#define MWA_FALLEN 0.80 /* below that the POP project looks into a factor */

struct mwa_fallen {
    const char *factor; /* static; null: none is known, or no run has more ranks */
    uint32_t ranks;
    double value;
    double of_reference;
    bool has_fallen; /* below MWA_FALLEN */
};

struct mwa_fallen mwa_comparison_fallen(const struct mwa_comparison *comparison);

#endif
