#ifndef MW_FORMATS_SPOOL_REQUEST_SLOTS_H
#define MW_FORMATS_SPOOL_REQUEST_SLOTS_H

#include <stdint.h>

/*
 * Request ids for the archive: OTF2 wants them unique among the requests that are
 * active, so the small numbers of completed ones are used again. The recorder's own
 * ids only ever rise, and are what makes a trace of messages hard to deflate: this
 * saves a fifth of the archive of a halo exchange.
 *
 * A request is given the lowest free slot when it starts and gives it back when it is
 * complete. Past MW_REQUEST_SLOTS active ones, and for those whose start was not seen,
 * the id is the recorder's own plus MW_REQUEST_LONG.
 */
#define MW_REQUEST_SLOTS (1u << 16)
#define MW_REQUEST_LONG ((uint64_t)1 << 32)

struct mw_request_slots;

/* Null without memory. */
struct mw_request_slots *mw_request_slots_create(void);
void mw_request_slots_destroy(struct mw_request_slots *slots);

/* The id of a request that starts, is looked at, and is complete. */
uint64_t mw_request_slots_start(struct mw_request_slots *slots, uint64_t request);
uint64_t mw_request_slots_look(const struct mw_request_slots *slots, uint64_t request);
uint64_t mw_request_slots_end(struct mw_request_slots *slots, uint64_t request);

/* The request that has, or had last, a slot that mw_request_slots_start has given before. */
uint64_t mw_request_slots_of(const struct mw_request_slots *slots, uint32_t slot);

#endif
