#include "analyzer/analysis/waits/waits_internal.h"

#include <otf2/otf2.h>

#include "analyzer/model/needs.h"

/*
 * Waits in collective operations on intercommunicators, where data goes from one group to the
 * other (MPI 3.1, 5.2.3): so a rank waits for ranks of the other group only. The frame of each
 * pattern is that of the operation on one group (waits_collective.c); mpiwatch's own, without a
 * source. Member i enters at E_i and leaves at L_i, having sent s_i and received r_i bytes.
 *
 * Wait at Barrier: (min(max E_j, L_i) - E_i)+ over all j of the other group.
 * Wait at NxN (Allreduce, Allgather(v), Alltoall(v, w), Reduce_scatter(_block)): the same of i that
 *   receives anything, over the j of the other group that send anything.
 * Late Broadcast (Bcast, Scatter(v)): i of the group without the root, which receives anything,
 *   waits (min(E_root, L_i) - E_i)+. The root is who says MPI_ROOT; the others of its group, who
 *   say MPI_PROC_NULL, do not wait.
 * Early Reduce (Reduce, Gather(v)): the root, if it receives anything, waits (min(min E_j, L_root)
 *   - E_root)+ over the j of the other group that send anything.
 *
 * They have no completion patterns: the groups need not be done at the same time.
 */

/* The member from a group that entered last, or first; null: there is none. */
static const struct mwa_member *extreme_of(const struct mwa_collective *collective, bool of_first,
                                           bool only_senders, bool want_last)
{
    const uint32_t from = of_first ? 0 : collective->first_count;
    const uint32_t to = of_first ? collective->first_count : collective->count;
    const struct mwa_member *found = NULL;

    for (uint32_t i = from; i < to; i++) {
        const struct mwa_member *member = &collective->members[i];

        if (only_senders && member->bytes_sent == 0) {
            continue;
        }
        if (!found || (want_last ? member->begin->enter > found->begin->enter
                                 : member->begin->enter < found->begin->enter)) {
            found = member;
        }
    }
    return found;
}

/* Each waits for the last of the other group. */
static enum mw_status at_both(struct mwa_waiting *waiting, const struct mwa_collective *collective,
                              enum mwa_wait_pattern pattern, bool for_data)
{
    const struct mwa_member *last[2] = { extreme_of(collective, true, for_data, true),
                                         extreme_of(collective, false, for_data, true) };
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < collective->count && status == MW_OK; i++) {
        const struct mwa_member *member = &collective->members[i];
        const struct mwa_member *cause = member->sources ? mwa_waits_last_source(member)
                                                         : last[i < collective->first_count];

        if (cause && (!for_data || member->bytes_received > 0)) {
            status = mwa_waiting_charge_member(waiting, pattern, member, cause);
        }
    }
    return status;
}

static enum mw_status for_root(struct mwa_waiting *waiting,
                               const struct mwa_collective *collective)
{
    const bool root_is_first = collective->root < collective->first_count;
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < collective->count && status == MW_OK; i++) {
        const struct mwa_member *member = &collective->members[i];

        if ((i < collective->first_count) != root_is_first && member->bytes_received > 0) {
            status = mwa_waiting_charge_member(waiting, MWA_WAIT_LATE_BROADCAST, member,
                                               &collective->members[collective->root]);
        }
    }
    return status;
}

static enum mw_status at_root(struct mwa_waiting *waiting, const struct mwa_collective *collective)
{
    const struct mwa_member *root = &collective->members[collective->root];
    const bool root_is_first = collective->root < collective->first_count;
    const struct mwa_member *first = extreme_of(collective, !root_is_first, true, false);

    return first && root->bytes_received > 0
               ? mwa_waiting_charge_member(waiting, MWA_WAIT_EARLY_REDUCE, root, first)
               : MW_OK;
}

enum mw_status mwa_waits_at_inter(struct mwa_waiting *waiting,
                                  const struct mwa_collective *collective)
{
    switch (mwa_needs_of(collective)) {
    case MWA_NEEDS_ALL:
        return collective->operation == OTF2_COLLECTIVE_OP_BARRIER
                   ? at_both(waiting, collective, MWA_WAIT_BARRIER, false)
                   : MW_OK;
    case MWA_NEEDS_DATA:
        return at_both(waiting, collective, MWA_WAIT_NXN, true);
    case MWA_NEEDS_ROOT:
        return collective->root == MWA_NONE ? MW_OK : for_root(waiting, collective);
    case MWA_NEEDS_ALL_AT_ROOT:
        return collective->root == MWA_NONE ? MW_OK : at_root(waiting, collective);
    case MWA_NEEDS_NOBODY:
    case MWA_NEEDS_LOWER:
    case MWA_NEEDS_FIRST:
        break;
    }
    return MW_OK;
}
