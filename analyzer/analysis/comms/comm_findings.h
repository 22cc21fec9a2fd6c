#ifndef MWA_ANALYSIS_COMMS_COMM_FINDINGS_H
#define MWA_ANALYSIS_COMMS_COMM_FINDINGS_H

#include "analyzer/analysis/comms/comm_history.h"

/* What is to be said of communicators: mistakes, and what costs time. */

/* Creations of one rank within a second from which on they are a finding. */
#define MWA_COMM_RATE_LEAST 100u

/*
 * Constant, name in JSON, what is said behind the number of one and of several:
 *   created, and freed by no member before MPI_Finalize
 *   freed by some of its members only
 *   no message, collective, window, file or communicator made of it: calls that ask for its ranks,
 *   group, topology or attributes name no communicator in the archive
 *   a rank created many within one second; comms is empty
 */
#define MWA_COMM_FINDING_LIST(KIND)                                                              \
    KIND(LEAKED, "leak", "communicator was never freed", "communicators were never freed")       \
    KIND(PARTLY_FREED, "partly_freed", "communicator was freed by some of its members only",     \
         "communicators were freed by some of their members only")                               \
    KIND(UNUSED, "unused",                                                                       \
         "communicator was made, and had no message and no collective, nor was another made of " \
         "it (whether its ranks or topology were asked for is not recorded)",                    \
         "communicators were made, and had no message and no collective, nor was another made "  \
         "of them (whether their ranks or topology were asked for is not recorded)")             \
    KIND(CREATED_FAST, "creation_rate", "communicator within a second",                          \
         "communicators within a second")

enum mwa_comm_finding_kind {
#define MWA_CONSTANT(constant, name, one, many) MWA_COMM_##constant,
    MWA_COMM_FINDING_LIST(MWA_CONSTANT)
#undef MWA_CONSTANT
    MWA_COMM_FINDING_KINDS
};

/* Members whose record is incomplete are not held to anything. */
struct mwa_comm_finding {
    enum mwa_comm_finding_kind kind;
    uint32_t *comms; /* indices */
    uint64_t count;
    uint32_t rank;     /* of MWA_COMM_CREATED_FAST, */
    uint64_t creations; /* so many within the second */
    int64_t from_ns;   /* that begins here */
};

struct mwa_comm_findings {
    struct mwa_comm_finding list[MWA_COMM_FINDING_KINDS]; /* only those with anything */
    uint32_t count;
};

/*
 * Finds them; selected (a flag for each communicator, null: all) says which to look at.
 *
 * \return MW_OK, MW_ERROR_MEMORY; mwa_comm_findings_fini is due in any case.
 */
enum mw_status mwa_comm_findings_make(const struct mwa_trace *trace,
                                      const struct mwa_comms *comms, const bool *selected,
                                      struct mwa_comm_findings *findings) MW_MUST_CHECK;
void mwa_comm_findings_fini(struct mwa_comm_findings *findings);

/* Communicators that a kind was found of. */
uint64_t mwa_comm_findings_of(const struct mwa_comm_findings *findings,
                              enum mwa_comm_finding_kind kind);

/* "leak", "partly_freed", "unused", "creation_rate". */
const char *mwa_comm_finding_name(enum mwa_comm_finding_kind kind);

#define MWA_COMM_FINDING_BYTES 400u

/* A sentence about it in text (of MWA_COMM_FINDING_BYTES), with the first names; text. */
const char *mwa_comm_finding_text(const struct mwa_trace *trace,
                                  const struct mwa_comm_finding *finding, char *text);

#endif
