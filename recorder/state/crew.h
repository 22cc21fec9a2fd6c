#ifndef MWR_STATE_CREW_H
#define MWR_STATE_CREW_H

#include <stdbool.h>
#include <stdint.h>

/*
 * In which code threads compute that call no MPI, as those of OpenMP do (--functions): the kernel
 * notes it as of threads that do (recorder/state/computing.h), and the main thread takes the notes
 * out when it looks whether it runs itself (recorder/state/running.h). Of a stretch between two
 * looks with calls and what is between them it is not known when notes were made: all count as
 * between calls, if so much of it was, on the way to the call at its end. So these threads are told
 * to do too much there, rather than too little.
 *
 * Which threads there are is looked at when their number has changed, and once a second. Of each it
 * is known for how long it was there while the main thread was between calls, and could have
 * computed; what found no room in its ring is known by its time on a core. One that is hardly
 * ever seen to compute there does not count: MPIs have such threads.
 *
 * All but mwr_crew_tell is for the main thread.
 */

/* Says whether such threads are noted, before recording begins. */
void mwr_crew_start(bool is_to);

/* The main thread begins to record, or goes on after a pause: what was until now is nobody's. */
void mwr_crew_begin(void);

/* The main thread looks, at now, as it enters or leaves a call of code; since the last look it was
 * between calls for outside, ns. Keeps errno. */
void mwr_crew_look(uint64_t outside, uint32_t code, uint64_t now);

/* Nothing more is noted; or in a child of fork(), which has no such memory. */
void mwr_crew_end(void);
void mwr_crew_forget(void);

/* Tells what was counted, as definitions. The lock of the sites has to be held, and no two may tell
 * at a time. For any thread. */
void mwr_crew_tell(void);

#endif
