/*
 * Late receivers (Scalasca Late Receiver): a call that completes sends, entered at E and left
 * at L, waited if a receive was posted in between. That is known only when both ends of the
 * message are, long after the path has gone on behind L. So at L a joint is put into the
 * path, an empty node that nothing is united with; when the message is told, what comes
 * before the joint is replaced: the receiver's path up to the posting, and from there to L
 * the time of the call.
 */
#include "analyzer/analysis/efficiency/ideal_replay_internal.h"

enum mw_status mwa_replay_make_joint(struct mwa_replay *replay, struct mwa_track *track,
                                     struct mwa_exchange_call *call)
{
    struct mwa_snapshot *kept = mwa_replay_kept(replay, call);
    struct mwa_path_node *joint;

    if (!kept) {
        kept = mwa_pool_take(&replay->snapshots);
        call->note[replay->slot] = (uintptr_t)kept;
    }
    joint = kept ? mwa_path_continue(&replay->paths, track->path) : NULL;
    if (!joint) {
        return MW_ERROR_MEMORY;
    }
    kept->joint = joint;
    kept->before = track->path; /* the track's hold becomes ours */
    track->path = mwa_path_hold(joint);
    return MW_OK;
}

enum mw_status mwa_replay_join_receiver(struct mwa_replay *replay,
                                        const struct mwa_message *message)
{
    const struct mwa_exchange_call *sent = message->send_completion;
    struct mwa_snapshot *kept = mwa_replay_kept(replay, sent);
    const struct mwa_snapshot *receiver = mwa_replay_kept(replay, message->receive);
    const uint64_t posted = message->receive->enter;
    struct mwa_path_node *before;
    uint32_t region, rank;

    if (!kept || !kept->joint || !receiver || !receiver->path || posted <= sent->enter ||
        posted >= sent->leave || posted <= kept->posted) {
        return MW_OK;
    }
    region = sent->region ? (uint32_t)(sent->region - replay->trace->regions)
                          : (uint32_t)replay->trace->region_count;
    rank = MWA_KEY_RANKS + sent->rank;
    before = mwa_path_continue(&replay->paths, receiver->path);
    if (!before || !mwa_tally_add(&before->spent, region, sent->leave - posted) ||
        !mwa_tally_add(&before->spent, rank, sent->leave - posted)) {
        return MW_ERROR_MEMORY;
    }
    before->hops = 1;
    mwa_path_drop(&replay->paths, kept->before);
    kept->before = mwa_path_hold(before);
    mwa_path_lead(&replay->paths, kept->joint, before);
    kept->posted = posted;
    return MW_OK;
}
