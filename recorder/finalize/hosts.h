#ifndef MWR_FINALIZE_HOSTS_H
#define MWR_FINALIZE_HOSTS_H

#include <stddef.h>

#include "formats/archive/transport.h"
#include "formats/base/status.h"

/*
 * Which ranks share a host and so a clock, and how far each host's clock is from that
 * of rank 0's host. Collective over the recorder's transport.
 */

/* Writes this host's name to name (64 bytes are enough for Linux), cut if need be. */
void mwr_host_name(char *name, size_t size);

/*
 * Numbers the hosts by their lowest rank and tells every rank its host's number, how many there
 * are, and the lowest rank there (mwr_recorder.host, .hosts and .host_leader).
 */
enum mw_status mwr_hosts_init(const struct mw_transport *transport,
                              struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Measures the offset of every host's clock to rank 0's by round trips of its leader (for at most
 * 50 ms more than 32 of them take), of which the shortest counts (Cristian 1989):
 * offset = rank 0's time - middle of the round trip, its error is at most half of the round trip.
 * Writes MW_DEFINE_CLOCK.
 */
enum mw_status mwr_hosts_measure_clocks(const struct mw_transport *transport,
                                        struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
