/*
 * A call tells what it has to do with a window or a file by events inside of it, of which there may
 * be several; call records have their sums. Here they stay apart, as targets do.
 */
#include "analyzer/view/view_actions.h"

#include "analyzer/table/values.h"
#include "analyzer/view/view_detail.h"

static const char *const steps[] = {
    [MWA_STEP_NOTICE] = "notice",   [MWA_STEP_AWAIT] = "await", [MWA_STEP_GROUP] = "group",
    [MWA_STEP_REQUEST] = "request", [MWA_STEP_LOCK] = "lock",   [MWA_STEP_UNLOCK] = "unlock",
    [MWA_STEP_ACCESS] = "access",
};

static const struct mwa_view_action *action_at(const struct mwa_view_store *store, uint32_t number)
{
    return mwa_view_array_at(&store->actions, number);
}

bool mwa_view_is_action(const struct mwa_event *event)
{
    return event->kind == MWA_FILE ||
           (event->kind == MWA_ONESIDED && event->of.onesided.step != MWA_STEP_DONE &&
            event->of.onesided.step != MWA_STEP_DONE_LOCALLY);
}

enum mw_status mwa_view_action_add(struct mwa_view_store *store, uint32_t call, uint32_t rank,
                                   const struct mwa_event *event,
                                   struct mw_diagnostic *diagnostic)
{
    const struct mwa_onesided_data *onesided = &event->of.onesided;
    enum mw_status status = mwa_view_array_add(&store->actions, 1, diagnostic);
    struct mwa_view_action *action;

    if (status != MW_OK) {
        return status;
    }
    action = mwa_view_array_at(&store->actions, store->actions.count - 1);
    action->next = mwa_view_call_at(store, call)->actions;
    mwa_view_call_at(store, call)->actions = (uint32_t)(store->actions.count - 1);
    action->is_file = event->kind == MWA_FILE;
    action->offset = action->is_file ? event->of.file.offset : UINT64_MAX;
    if (action->is_file) {
        action->object = event->object;
        action->target = action->target_rank = MWA_NONE;
        action->bytes_sent = event->of.file.bytes_written;
        action->bytes_received = event->of.file.bytes_read;
        return MW_OK;
    }
    action->step = (uint8_t)onesided->step;
    action->object = onesided->window;
    action->target = onesided->target;
    action->target_rank = onesided->target == MWA_NONE || onesided->comm == MWA_NONE
                              ? MWA_NONE
                              : mwa_trace_peer(store->trace, onesided->comm, rank,
                                               onesided->target);
    action->bytes_sent = onesided->bytes_sent;
    action->bytes_received = onesided->bytes_received;
    return MW_OK;
}

static json_t *number(uint32_t value)
{
    return value == MWA_NONE ? json_null() : mwa_json_number(value);
}

/* Null: not told. */
static json_t *bytes(uint64_t value)
{
    return value == UINT64_MAX ? json_null() : mwa_json_number(value);
}

static json_t *action_json(const struct mwa_view_store *store,
                           const struct mwa_view_action *action)
{
    const bool is_access = action->is_file || action->step == MWA_STEP_ACCESS;
    json_t *name = mwa_json_text(action->object == MWA_NONE
                                     ? NULL
                                     : store->trace->metrics.objects[action->object].name);

    return json_pack("{s:s,s:o,s:o,s:o,s:o,s:o,s:o}", "step",
                     action->is_file ? "file" : steps[action->step],
                     action->is_file ? "file" : "window", name, "target", number(action->target),
                     "target_rank", number(action->target_rank), "bytes_sent",
                     is_access ? bytes(action->bytes_sent) : json_null(), "bytes_received",
                     is_access ? bytes(action->bytes_received) : json_null(), "offset",
                     bytes(action->offset));
}

json_t *mwa_view_actions(const struct mwa_view_store *store, uint32_t call)
{
    json_t *list = json_array();

    for (uint32_t at = mwa_view_call_at(store, call)->actions;
         at != MWA_NONE && json_array_size(list) < MWA_VIEW_DETAIL_MOST;
         at = action_at(store, at)->next) {
        json_array_insert_new(list, 0, action_json(store, action_at(store, at)));
    }
    return list;
}

bool mwa_view_accesses(const struct mwa_view_store *store, uint32_t row, uint32_t index,
                       json_t *list)
{
    const struct mwa_view_call *call = mwa_view_call_at(store, index);
    bool is_short = false;

    for (uint32_t at = call->actions; at != MWA_NONE && !is_short;
         at = action_at(store, at)->next) {
        const struct mwa_view_action *action = action_at(store, at);
        const uint32_t master = action->target_rank < store->trace->rank_count
                                    ? store->trace->ranks[action->target_rank].master
                                    : MWA_NONE;

        if (action->is_file || action->step != MWA_STEP_ACCESS || master == MWA_NONE ||
            json_array_size(list) > MWA_VIEW_CALLS_MOST) {
            continue;
        }
        is_short = json_array_append_new(
                       list, json_pack("[o,o,o,o,o,o]", mwa_json_number(row),
                                       mwa_json_number(call->enter - store->from),
                                       number(mwa_view_row_of(store, master)),
                                       mwa_json_number(call->leave - store->from),
                                       bytes(action->bytes_sent),
                                       bytes(action->bytes_received))) != 0;
    }
    return !is_short;
}
