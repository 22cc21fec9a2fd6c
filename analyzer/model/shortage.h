#ifndef MWA_MODEL_SHORTAGE_H
#define MWA_MODEL_SHORTAGE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether memory was short where nobody could return it. What prints a table, a list of ranks or a
 * JSON value leaves out what it gets no memory for; who closes the output asks here, so that it is
 * no result with something missing. jansson leaves bytes out of what it reads, and goes on. A
 * program whose failed allocations are not noted has never seen any. Any thread.
 */

/* From now on what jansson gets no memory for is noted. Before anything of it is made. */
void mwa_shortage_note_json(void);

/* An allocation has failed. */
void mwa_shortage_note(void);

/* How many have, so far. */
uint64_t mwa_shortage_count(void);

/* Results are printed from now on. */
void mwa_shortage_watch(void);

/* Whether one has failed since they are; false before. */
bool mwa_shortage_seen(void);

#endif
