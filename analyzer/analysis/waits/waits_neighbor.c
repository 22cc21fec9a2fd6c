#include "analyzer/analysis/waits/waits_internal.h"

/*
 * Waits in collective operations on neighbourhoods, and for those that a rank gets something from.
 * Member i of an operation enters at E_i and leaves at L_i. mpiwatch's own, without a source; the
 * frame is that of Scalasca's Wait at NxN:
 *
 * Wait at Neighbours: i waits (min(max E_j over its in-neighbours j that send it anything, L_i)
 *   - E_i)+, and the j that entered last causes it. Non-blocking and persistent operations wait
 *   from the enter of the completing call.
 *
 * Only mpiwatch's archives tell who the in-neighbours are. Where they do not, the instance is
 * left out and counted. If a member's record has losses or pauses, so that it may be out of step,
 * an instance that somebody left before its neighbours had entered is left out as well.
 */

const struct mwa_member *mwa_waits_last_source(const struct mwa_member *member)
{
    const struct mwa_member *last = NULL;

    for (uint32_t i = 0; i < member->sources->count; i++) {
        const struct mwa_member *source =
            &member->collective->members[member->sources->positions[i]];

        if (!last || source->begin->enter > last->begin->enter) {
            last = source;
        }
    }
    return last;
}

/* Whether the archive says whom each member waits for. */
static bool is_known(const struct mwa_collective *collective)
{
    for (uint32_t i = 0; i < collective->count; i++) {
        const struct mwa_member *member = &collective->members[i];

        if (!member->sources && member->bytes_received > 0) {
            return false;
        }
    }
    return true;
}

/* Whether losses may have put members out of step, and times say that they are. */
static bool is_doubtful(const struct mwa_waiting *waiting, const struct mwa_collective *collective)
{
    bool has_losses = false;
    bool is_early = false;

    for (uint32_t i = 0; i < collective->count; i++) {
        const struct mwa_member *member = &collective->members[i];
        const struct mwa_rank *rank = &waiting->trace->ranks[member->rank];
        const struct mwa_member *last = member->sources ? mwa_waits_last_source(member) : NULL;

        has_losses |= rank->lost > 0 || rank->paused || rank->incomplete;
        is_early |= last && member->end->leave < last->begin->enter;
    }
    return has_losses && is_early;
}

enum mw_status mwa_waits_at_neighbors(struct mwa_waiting *waiting,
                                      const struct mwa_collective *collective)
{
    enum mw_status status = MW_OK;

    if (!is_known(collective)) {
        waiting->result.neighbors_unknown++;
        return MW_OK;
    }
    if (is_doubtful(waiting, collective)) {
        waiting->result.uncertain++;
        return MW_OK;
    }
    for (uint32_t i = 0; i < collective->count && status == MW_OK; i++) {
        const struct mwa_member *member = &collective->members[i];
        const struct mwa_member *last = member->sources ? mwa_waits_last_source(member) : NULL;

        if (last) {
            status = mwa_waiting_charge_member(waiting, MWA_WAIT_NEIGHBORS, member, last);
        }
    }
    return status;
}
