#ifndef MWA_ANALYSIS_CLOCKS_HOST_OFFSETS_H
#define MWA_ANALYSIS_CLOCKS_HOST_OFFSETS_H

#include "analyzer/analysis/clocks/happened_before.h"
#include "analyzer/model/map.h"

/*
 * By how much the clocks of hosts differ throughout (Duda, Harrus, Haddad and Bernard 1987): of two
 * hosts that tell each other something, the least time that it takes by their clocks is off by
 * their difference, in one direction as much too long as too short in the other one; so that is
 * half of what one is longer than the other. Nothing is told of two hosts where none or both of
 * these are below 0: no offset is needed there, or none would do; nor where one direction alone is
 * known. Such hosts are moved with each other, so that what was in order stays so. Not thread-safe.
 */
struct mwa_host_offsets {
    const struct mwa_happened_before *rules;
    struct mwa_map least; /* from and to, hosts: ticks, above MIDDLE (host_offsets.c) */
};

/* What rank from did at sent another one, to, knew of at known, ticks by their clocks. \return
 * false: no memory. */
bool mwa_host_offsets_take(struct mwa_host_offsets *offsets, uint32_t from, uint32_t to,
                           uint64_t sent, uint64_t known);

/*
 * Of a collective operation in which members wait for all, and which has ended: what those of one
 * host (the root's, if that alone waits) and of each other one tell each other. Whoever came last
 * of all by their clocks is on the host that is ahead, and tells one direction alone. \return
 * false: no memory.
 */
bool mwa_host_offsets_take_all(struct mwa_host_offsets *offsets,
                               const struct mwa_collective *collective);

/*
 * Sets behind[host], for each host of the rules, to how many ticks its clock is behind the one that
 * is furthest ahead of those it exchanges with, by others too; *are_off: whether any is. Pairs of
 * which it is known best come first. MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_host_offsets_find(const struct mwa_host_offsets *offsets, uint64_t *behind,
                                     bool *are_off) MW_MUST_CHECK;

void mwa_host_offsets_fini(struct mwa_host_offsets *offsets); /* all zeros is fine */

#endif
