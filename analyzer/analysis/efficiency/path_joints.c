/*
 * A path that turns out to come from elsewhere is mended where it came in: what was spent behind
 * that stays, whoever has gone on from there.
 */
#include "analyzer/analysis/efficiency/path_joints.h"

#include "analyzer/model/awaited_peers.h"
#include "analyzer/model/needs.h"

void mwa_joints_init(struct mwa_joints *joints, const struct mwa_trace *trace, uint32_t slot)
{
    *joints = (struct mwa_joints){ .trace = trace,
                                   .slot = slot,
                                   .snapshots = { .size = sizeof(struct mwa_snapshot) } };
    mwa_path_tree_init(&joints->paths);
}

void mwa_joints_fini(struct mwa_joints *joints)
{
    mwa_pool_fini(&joints->snapshots);
    mwa_path_tree_fini(&joints->paths);
}

struct mwa_snapshot *mwa_joints_keep(struct mwa_joints *joints, struct mwa_exchange_call *call)
{
    struct mwa_snapshot *snapshot = mwa_pool_take_sized(&joints->snapshots, sizeof *snapshot);

    call->note[joints->slot] = (uintptr_t)snapshot;
    return snapshot;
}

void mwa_joints_forget(struct mwa_joints *joints, struct mwa_exchange_call *call)
{
    struct mwa_snapshot *snapshot = mwa_joints_kept(joints, call);

    if (snapshot) {
        mwa_path_drop(&joints->paths, snapshot->path);
        mwa_path_joint_drop(&joints->paths, &snapshot->joint);
        mwa_pool_give(&joints->snapshots, snapshot);
        call->note[joints->slot] = 0;
    }
}

bool mwa_may_turn_out(const struct mwa_exchange_call *call)
{
    bool may = call->completed != NULL;

    for (const struct mwa_message *message = call->received; message && !may;
         message = message->next_received) {
        may = mwa_may_await_progress(message, call);
    }
    for (const struct mwa_member *member = call->finished; member && !may;
         member = member->next_finished) {
        may = mwa_may_await_members(member->collective);
    }
    return may && !mwa_never_waits(call);
}

enum mw_status mwa_joints_make(struct mwa_joints *joints, struct mwa_exchange_call *call,
                               uint64_t latest_sent, uint64_t awaited, uint32_t other,
                               struct mwa_path_node **path)
{
    struct mwa_snapshot *kept = mwa_joints_kept(joints, call);

    if (!kept) {
        kept = mwa_joints_keep(joints, call);
    }
    if (!kept) {
        return MW_ERROR_MEMORY;
    }
    kept->latest_sent = latest_sent;
    kept->awaited = awaited;
    kept->other = other;
    return mwa_path_joint_make(&joints->paths, &kept->joint, path) ? MW_OK : MW_ERROR_MEMORY;
}

/* The path to the end of call comes from the beginning of other, unless it has come from later. */
static enum mw_status lead(struct mwa_joints *joints, const struct mwa_exchange_call *call,
                           const struct mwa_exchange_call *other)
{
    struct mwa_snapshot *kept = mwa_joints_kept(joints, call);
    const struct mwa_snapshot *from = mwa_joints_kept(joints, other);
    struct mwa_path_node *before = NULL;

    if (!kept || !kept->joint.node || !from || !from->path || other->enter <= call->enter ||
        other->enter >= call->leave ||
        other->enter + (other->rank < kept->other) <= kept->awaited) {
        return MW_OK;
    }
    if (!mwa_path_hop(&joints->paths, &before, from->path) ||
        !mwa_path_spend(&joints->paths, &before, mwa_joints_region(joints, call), call->rank,
                        call->leave - other->enter)) {
        return MW_ERROR_MEMORY;
    }
    mwa_path_joint_lead(&joints->paths, &kept->joint, before);
    kept->awaited = other->enter;
    kept->other = other->rank;
    return MW_OK;
}

/* The same, if call, which completes an end of message (null: of none), is seen to wait for it. */
static enum mw_status lead_by_message(struct mwa_joints *joints, const struct mwa_message *message,
                                      const struct mwa_exchange_call *call,
                                      const struct mwa_exchange_call *other)
{
    const struct mwa_snapshot *kept = mwa_joints_kept(joints, call);

    return kept && other && mwa_is_seen_to_wait(call, kept->latest_sent, other, message)
               ? lead(joints, call, other)
               : MW_OK;
}

static enum mw_status lead_from_progress(struct mwa_joints *joints,
                                         const struct mwa_message *message,
                                         const struct mwa_exchange_call *call)
{
    return call ? lead_by_message(joints, message, call, mwa_awaited_progress(message, call))
                : MW_OK;
}

enum mw_status mwa_joints_lead_message(struct mwa_joints *joints, const struct mwa_message *message)
{
    enum mw_status status = MW_OK;

    if (message->send_completion && mwa_send_needs_receive(message)) {
        status = lead_by_message(joints, message, message->send_completion, message->receive);
    }
    if (status == MW_OK) {
        status = lead_from_progress(joints, message, message->send_completion);
    }
    return status == MW_OK ? lead_from_progress(joints, message, message->receive_completion)
                           : status;
}

static enum mw_status lead_from_completion(void *joints, const struct mwa_member *member,
                                           const struct mwa_exchange_call *awaited)
{
    return lead_by_message(joints, NULL, member->end, awaited);
}

/* From calls of members of an operation that were held for others. */
static enum mw_status lead_from_returns(struct mwa_joints *joints,
                                        const struct mwa_collective *collective)
{
    enum mw_status status = MW_OK;
    struct mwa_comers comers;

    mwa_comers_find(&comers, collective);
    for (uint32_t i = 0; i < collective->count && status == MW_OK; i++) {
        const struct mwa_exchange_call *other = mwa_awaited_return(&collective->members[i],
                                                                   &comers);

        if (other) {
            status = lead(joints, collective->members[i].end, other);
        }
    }
    return status;
}

enum mw_status mwa_joints_lead_collective(struct mwa_joints *joints,
                                          struct mwa_collective *collective)
{
    const struct mwa_member *last = mwa_awaited_last(collective);
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; last && i < collective->count && status == MW_OK; i++) {
        struct mwa_exchange_call *end = collective->members[i].end;

        if (&collective->members[i] != last && end->enter <= last->begin->enter &&
            !mwa_never_waits(end)) {
            status = lead(joints, end, last->begin);
        }
    }
    if (!last && !collective->nonblocking && mwa_may_hold_some(collective)) {
        status = lead_from_returns(joints, collective);
    }
    return status == MW_OK ? mwa_visit_completions(collective, lead_from_completion, joints)
                           : status;
}
