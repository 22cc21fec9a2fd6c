#ifndef MWA_VALIDATE_ALL_TOGETHER_H
#define MWA_VALIDATE_ALL_TOGETHER_H

#include <stdatomic.h>

#include "analyzer/analysis/results.h"
#include "analyzer/load/input.h"
#include "analyzer/validate/findings.h"

/*
 * What is known of all locations together: what the archive itself says is missing of ranks,
 * messages without a partner, and communicators used outside of their lives (created more than
 * once: corrupt; else notes: a release may have failed, and other tools tell less of lives). It is
 * told apart from being read: some of it depends on what else was found before.
 */
struct mwa_together {
    struct mwa_input *input;        /* in whose archive; */
    const atomic_bool *is_given_up; /* set by any thread: nobody wants to know any more */
    struct mwa_read_together {
        struct mwa_input *share; /* null: not read, or that has failed */
        struct mwa_results results;
        enum mw_status status;
        struct mw_diagnostic diagnostic;
    } all, lives; /* lives alone, where all has failed */
};

/*
 * Reads all of it, once, by one thread, that of input, which it shares: those that read ahead of
 * what is read in order take more time than they save where nothing else is computed. user is a
 * struct mwa_together with its input and is_given_up, the rest zero. What can't be read is to be
 * told as well. Memory: as that of a pass in order (analyzer/analysis/pass.h), messages in flight
 * (analyzer/exchange/matching.h), and 64 bytes per rank and communicator that it uses.
 */
void mwa_together_read(void *user);

/* Adds what was read to findings; of what was given up that is nothing of use. */
void mwa_together_tell(const struct mwa_together *together, struct mwa_findings *findings);

/* Frees what was read, if it was, before input is closed. */
void mwa_together_fini(struct mwa_together *together);

#endif
