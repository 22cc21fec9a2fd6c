#ifndef MWR_CARRY_CARRY_WAYS_H
#define MWR_CARRY_CARRY_WAYS_H

#include "recorder/carry/carry.h"
#include "recorder/carry/packets.h"
#include "recorder/carry/posts.h"

/* The ways of mwr_carry_job, after MPI has started; they end before it does. */

/* Milliseconds between two looks at what MPI has brought. */
#define MWR_CARRY_LOOK 10

/* Seconds that somebody has to answer in the end. */
#define MWR_CARRY_PATIENCE 3

/*
 * The processes of one job, each of which has messages for each of the others. Zeroed, with
 * packets.
 */
struct mwr_company {
    struct mwr_packets *packets;
    struct mwr_incoming incoming;
    struct mwr_posts *posts; /* to each */
    int rank;
    int size;
    int ended; /* of whom nothing will come */
    bool first_has_ended;
};

/* Of comm, whose errors are returned. \return false: no memory; mwr_company_fini is due. */
bool mwr_company_init(struct mwr_company *company, MPI_Comm comm);
void mwr_company_fini(struct mwr_company *company);

/* Posts a message for another one of them, unless there is none (0 bytes) or it has no room, and
 * hands on what has come. */
void mwr_company_look(struct mwr_company *company, uint32_t to, const char *message, size_t bytes);

/* Says that nothing more will come, and takes what still does. \return false: somebody did not
 * answer, and MPI_Finalize would wait for it. */
bool mwr_company_end(struct mwr_company *company);

/* All over comm, whose errors are returned. \return as mwr_company_end. */
bool mwr_carry_together(struct mwr_packets *packets, MPI_Comm comm);

/* \return MW_OK; MW_ERROR_MPI: there is no port. MW_ERROR_SYSTEM, MW_ERROR_EXISTS, MW_ERROR_MEMORY:
 * of the file that ports go to. *may_finalize: as
 * above, else unchanged; comm as above, and with threads (MPI_THREAD_MULTIPLE). */
enum mw_status mwr_carry_serve(struct mwr_packets *packets, MPI_Comm comm, const char *place,
                               bool *may_finalize,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* \return MW_OK; MW_ERROR_SYSTEM, MW_ERROR_FORMAT: of the file that has ports. */
enum mw_status mwr_carry_connect(struct mwr_packets *packets, const char *place,
                                 bool *may_finalize,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Says that it can begin, and who of comm it is. */
void mwr_carry_hello(struct mwr_packets *packets, MPI_Comm comm);

/* Seconds of CLOCK_MONOTONIC. */
double mwr_carry_seconds(void);

#endif
