#ifndef MWR_VARIABLES_SAMPLER_H
#define MWR_VARIABLES_SAMPLER_H

#include <stdint.h>

/* A thread that does something at intervals, until it is stopped. One per process. */

/*
 * Starts it: sample is called every period ns, in a thread that gets no signal of the
 * application. Nothing happens if there can be no thread.
 */
void mwr_sampler_start(uint64_t period, void (*sample)(void));

/* Ends it, and returns when it has ended. Nothing happens if it was not started. */
void mwr_sampler_stop(void);

#endif
