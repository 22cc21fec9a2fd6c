#ifndef MWA_LOAD_JOINT_H
#define MWA_LOAD_JOINT_H

#include <stdint.h>

#include "analyzer/model/event.h"
#include "analyzer/model/trace.h"
#include "formats/base/status.h"

/*
 * Archives of jobs that met (by MPI_Comm_spawn, …) as one trace: the ranks, locations and
 * communicators of one behind those of the other, communicators that both have a half of as one.
 * The MPI's variables, topologies, names and lives of communicators are not in it; windows on
 * communicators of both jobs are of no communicator.
 */

/* How what an archive says is said in the trace of all. */
struct mwa_joint_part {
    const struct mwa_trace *trace; /* its own */
    uint64_t shift;                /* of times, modulo 2^64 */
    uint32_t first_rank;
    uint32_t first_location;
    uint32_t first_site;
    uint32_t first_group;
    uint32_t first_object;
    uint32_t first_window; /* of OTF2's ids */
    uint32_t *regions;     /* indices by its own */
    uint32_t *comms;
    const struct mwa_trace *all;
};

struct mwa_joint {
    struct mwa_trace trace;
    struct mwa_joint_part *parts;
    uint32_t count;
};

/*
 * Makes one of count traces, which must outlive it, and whose archives are called names.
 *
 * \return MW_OK and *joint, to be freed with mwa_joint_destroy.
 * \return MW_ERROR_USAGE: they are of no recorder that tells what jobs have in common, or
 * two are of the same run.
 * \return MW_ERROR_MEMORY.
 */
enum mw_status mwa_joint_create(const struct mwa_trace *const *traces, const char *const *names,
                                uint32_t count, struct mwa_joint **joint,
                                struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_joint_destroy(struct mwa_joint *joint);

/* The part that has the location (an index of the joint trace). */
const struct mwa_joint_part *mwa_joint_part_of(const struct mwa_joint *joint, uint32_t location);

/* Makes an event of part one of the joint trace; false: it is none there. */
bool mwa_joint_translate(const struct mwa_joint_part *part, struct mwa_event *event);

#endif
