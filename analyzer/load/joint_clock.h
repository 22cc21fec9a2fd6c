#ifndef MWA_LOAD_JOINT_CLOCK_H
#define MWA_LOAD_JOINT_CLOCK_H

#include "analyzer/model/trace.h"

/*
 * How times of trace are held against those of first. Times are those of the host of rank 0,
 * since it was started: jobs that met on one host at one time have one clock.
 */
enum mwa_job_clock mwa_joint_clock_of(const struct mwa_trace *first,
                                      const struct mwa_trace *trace);

/* When the trace ends, in its ticks. */
uint64_t mwa_joint_end(const struct mwa_trace *trace);

#endif
