#ifndef MWA_ANALYSIS_MESSAGES_AGREEMENT_H
#define MWA_ANALYSIS_MESSAGES_AGREEMENT_H

#include "analyzer/analysis/messages/mistakes.h"

/*
 * Whether the members of a communicator agree on their collective operations: the n-th of each is
 * the same one, with the same root, as many bytes are sent in it as are received
 * (formats/ARCHIVE.md, section 6), and its data is of the same scalars and reduced alike. Of
 * communicators within one job on which each member calls by one thread, and whose members' records
 * have no gaps; bytes of archives by mpiwatch alone. What most members say is held to be right, of
 * as many what the lowest rank says; of each other thing that is said one mistake is told, of the
 * lowest rank that says it. None of it depends on the order in which members are told of.
 */
struct mwa_agreement;

/* A collective operation as a member called it. */
struct mwa_called {
    uint32_t rank;     /* world rank */
    uint32_t location; /* index */
    uint32_t comm;     /* index */
    uint32_t operation; /* OTF2_CollectiveOp */
    uint32_t root;
    uint32_t site;  /* where, index; MWA_NONE: not known */
    uint32_t terms; /* formats/table/terms.h; 0: not known */
    bool inherits_terms; /* an earlier chapter of the run has told them, if any has */
    bool is_nonblocking;
    bool is_on_neighbors;
    uint64_t bytes_sent; /* UINT64_MAX: not known, and below */
    uint64_t bytes_received;
};

/* \return MW_OK, and mwa_agreement_destroy is due; MW_ERROR_MEMORY. */
enum mw_status mwa_agreement_create(const struct mwa_trace *trace,
                                    struct mwa_agreement **agreement) MW_MUST_CHECK;

/* Takes the member's next operation on the communicator. Mistakes that it shows are added when all
 * have been told. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_agreement_take(struct mwa_agreement *agreement,
                                  const struct mwa_called *called,
                                  struct mwa_mistakes *mistakes) MW_MUST_CHECK;

/* In which order members call on the communicator can't be told: it is looked at no further. */
void mwa_agreement_leave(struct mwa_agreement *agreement, uint32_t comm);

/* A round of the pass is over: communicators of which too much is kept are looked at no further.
 * MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_agreement_round(struct mwa_agreement *agreement,
                                   struct mwa_mistakes *mistakes) MW_MUST_CHECK;

/* All were taken: adds mistakes of operations that not all have come to. MW_OK,
 * MW_ERROR_MEMORY. */
enum mw_status mwa_agreement_conclude(struct mwa_agreement *agreement,
                                      struct mwa_mistakes *mistakes) MW_MUST_CHECK;

/* At the end: takes those out that are of communicators left since. */
void mwa_agreement_finish(const struct mwa_agreement *agreement, struct mwa_mistakes *mistakes);

/*
 * Of a run in chapters (analyzer/load/chapters.h), between which no operation is under way, and in
 * which each rank calls by the same thread all along. Whether nothing was lost, and is_last or no
 * operation waits for members, which tell nothing of it in the next one.
 */
bool mwa_agreement_can_be_appended(const struct mwa_agreement *agreement, bool is_last);

/*
 * Adds to mistakes what later, of the next chapter, and concluded, has found, of which found are
 * those that it has told; terms: those that were told last before it. MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_agreement_append(struct mwa_agreement *agreement,
                                    const struct mwa_agreement *later,
                                    const struct mwa_map *terms, const struct mwa_mistakes *found,
                                    struct mwa_mistakes *mistakes) MW_MUST_CHECK;

/* Between processes, of one that is concluded (analyzer/team/packing.h). MW_OK, MW_ERROR_MEMORY,
 * MW_ERROR_FORMAT. */
void mwa_agreement_pack(const struct mwa_agreement *agreement, struct mw_buffer *to);
enum mw_status mwa_agreement_unpack(struct mwa_agreement *agreement,
                                    struct mw_cursor *from) MW_MUST_CHECK;

void mwa_agreement_destroy(struct mwa_agreement *agreement); /* null is fine */

#endif
