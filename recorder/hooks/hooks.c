/*
 * The recorder's hook of every call. For MPI_Send, whose KIND is SEND, the macro below
 * makes
 *
 *   static int hook_MPI_Send(struct mwr_context context, int tool, const void *buf, …)
 *   {
 *       struct mwr_call mwr_call;
 *       int mwr_result;
 *
 *       if (!(looks_first && … comm is one that is filtered)) {
 *           mwr_hook_begin(&mwr_call, MW_CALL_MPI_Send, context.caller);
 *       }
 *       MWR_BEFORE_SEND                                  (kinds.h)
 *       mwr_result = next link(context, tool, buf, …);
 *       MWR_AFTER_SEND
 *       mwr_call_end(&mwr_call);
 *       return mwr_result;
 *   }
 */

#include "recorder/dispatch/chain.h"
#include "recorder/hooks/filtering.h"
#include "recorder/hooks/kinds.h"
#include "recorder/recorder.h"
#include "recorder/state/thread.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/*
 * What a call is on: the parameter of one of these names and of its type in MPI. Where a call
 * has none, these objects are found in its place, which are of no type of MPI. So each
 * hook has just the one look-up that it needs, chosen when it is compiled.
 */
#pragma GCC diagnostic ignored "-Wshadow"
struct nothing;
static const struct nothing *const comm = NULL;
static const struct nothing *const win = NULL;
static const struct nothing *const fh = NULL;
static const struct nothing *const message = NULL;
static const struct nothing *const request = NULL;
static const struct nothing *const array_of_requests = NULL;
static const struct nothing *const incount = NULL;
static const struct nothing *const count = NULL;

static inline bool is_not_filtered(struct mwr_call *call, unsigned id, ...)
{
    return false;
}

#define IS(subject, type) _Generic((subject), type: 1, default: 0)
#define BY(subject, type, look) _Generic((subject), type: look, default: is_not_filtered)
#define HOW_MANY                                                                                \
    _Generic((incount), int: incount, default: _Generic((count), int: count, default: 0))
#define IS_FILTERED                                                                             \
    (IS(comm, MPI_Comm) ? BY(comm, MPI_Comm, mwr_filter_comm)(&mwr_call, mwr_id, comm)          \
     : IS(win, MPI_Win) ? BY(win, MPI_Win, mwr_filter_window)(&mwr_call, mwr_id, win)           \
     : IS(fh, MPI_File) ? BY(fh, MPI_File, mwr_filter_file)(&mwr_call, mwr_id, fh)              \
     : IS(message, MPI_Message *)                                                               \
         ? BY(message, MPI_Message *, mwr_filter_message)(&mwr_call, mwr_id, message)           \
     : IS(array_of_requests, MPI_Request *)                                                     \
         ? BY(array_of_requests, MPI_Request *, mwr_filter_requests)(&mwr_call, mwr_id,         \
                                                                     array_of_requests,         \
                                                                     HOW_MANY)                  \
     : IS(request, MPI_Request *)                                                               \
         ? BY(request, MPI_Request *, mwr_filter_request_at)(&mwr_call, mwr_id, request)        \
         : BY(request, MPI_Request, mwr_filter_request)(&mwr_call, mwr_id, request))

/* Written by mwr_hooks_start, before recording begins; read by every call. */
static bool is_filterable[MW_CALL_COUNT];
static bool looks_first; /* whether what follows is to be done before a call is entered */

/*
 * What its requests and its communicator are, a thread remembers from here on: when the call
 * returns, the handles may be those of others.
 */
static void enter(int unused, ...)
{
    mwr_thread.called_on = NULL;
    mwr_thread.called_handle = 0;
    mwr_thread.entered = mwr_requests_added();
}

static void enter_on(int unused, MPI_Comm handle)
{
    enter(unused);
    mwr_thread.called_on = mwr_comm_known(handle);
    mwr_thread.called_handle = mwr_thread.called_on ? mwr_comm_key(handle) : 0;
}

#define ENTER _Generic((comm), MPI_Comm: enter_on, default: enter)(0, comm)
#define IS_COUNTED_ONLY                                                                         \
    ((mwr_recorder.is_multiple ? ENTER : (void)0),                                              \
     mwr_filtering && is_filterable[mwr_id] && (IS_FILTERED))

/* Enters the call if its group is recorded; permanent hooks run also if it is not. */
static inline void mwr_hook_begin(struct mwr_call *call, unsigned id, void *caller)
{
    if (MW_LIKELY(mwr_chain.is_recorded[id])) {
        mwr_call_begin(call, id, caller);
    } else {
        call->stream = NULL;
        call->record = NULL;
        call->tally = NULL;
    }
}

/*
 * Among threads the requests of groups that are not recorded have to be known all the same, where
 * completions are recorded: see mwr_request_add_unrecorded. Written by mwr_hooks_start.
 */
static bool only_follows[MW_CALL_COUNT];

static inline void follow_nothing(bool is_persistent, ...)
{
}

static void follow_unrecorded(bool is_persistent, MPI_Request *handle, int result)
{
    if (result == MPI_SUCCESS && is_persistent) {
        mwr_request_add_never_recorded(*handle);
    } else if (result == MPI_SUCCESS) {
        mwr_request_add_unrecorded(*handle);
    }
}

static const bool is_persistent[] = {
#define MW_KIND(name, role, meanings) ((meanings) & MW_PERSISTENT) != 0,
#include "formats/table/call_kinds.def"
};

#define ENDS_WITH(text, end)                                                                    \
    (sizeof text > sizeof end &&                                                                \
     __builtin_strcmp(&text[sizeof text > sizeof end ? sizeof text - sizeof end : 0], end) == 0)
#define FOLLOW(kind)                                                                            \
    _Generic((request), MPI_Request *: follow_unrecorded, default: follow_nothing)(             \
        is_persistent[kind], request, mwr_result)
#define NEXT(prefix, name, link_args)                                                           \
    ((mwr_##prefix##_##name##_link *)mwr_chain.after[mwr_id].function)(                         \
        context, (int)mwr_chain.after[mwr_id].tool MWR_STRIP link_args)

#define MWR_ROW(prefix, name, type, group, kind, params, args, link_params, link_args)          \
    static type hook_##prefix##_##name link_params                                              \
    {                                                                                           \
        const unsigned mwr_id = MW_CALL_##prefix##_##name;                                      \
        struct mwr_call mwr_call;                                                               \
        type mwr_result;                                                                        \
                                                                                                \
        if (MW_UNLIKELY(looks_first) && IS(request, MPI_Request *) && only_follows[mwr_id]) {   \
            mwr_result = NEXT(prefix, name, link_args);                                         \
            FOLLOW(MW_KIND_##kind);                                                             \
            return mwr_result;                                                                  \
        }                                                                                       \
        if (MW_LIKELY(!looks_first) || !IS_COUNTED_ONLY) {                                      \
            mwr_hook_begin(&mwr_call, mwr_id, context.caller);                                  \
        }                                                                                       \
        MWR_BEFORE_##kind                                                                       \
        mwr_result = NEXT(prefix, name, link_args);                                             \
        MWR_AFTER_##kind                                                                        \
        mwr_call_end(&mwr_call);                                                                \
        return mwr_result;                                                                      \
    }
#include "recorder/dispatch/rows.h"

struct hook {
    mwr_function function;
    bool gives_request; /* its last parameter is where it puts one */
};

static const struct hook hooks[MW_CALL_COUNT] = {
#define MWR_ROW(prefix, name, type, group, kind, params, args, ...)                             \
    [MW_CALL_##prefix##_##name] = {(mwr_function)hook_##prefix##_##name,                       \
                                   ENDS_WITH(#args, " request)")},
#include "recorder/dispatch/rows.h"
};

mwr_function mwr_hook_of(unsigned call)
{
    return hooks[call].function;
}

bool mwr_hook_is_permanent(unsigned call)
{
    return hooks[call].function && (only_follows[call] || mw_call_means(call, MW_FOLLOWED));
}

/* Whether a call has requests of a group that is not recorded, while completions are. */
static bool follows_only(unsigned call)
{
    uint32_t groups = mwr_recorder.settings.events;

    return mwr_recorder.is_multiple && groups >> MW_GROUP_P2P & 1 &&
           !(groups >> mw_call_group(call) & 1) && hooks[call].gives_request &&
           !mwr_hook_is_permanent(call);
}

void mwr_hooks_start(void)
{
    looks_first = mwr_filtering || mwr_recorder.is_multiple;
    for (unsigned call = 0; call < MW_CALL_COUNT; call++) {
        only_follows[call] = follows_only(call);
        /* MPI_Grequest_start makes its request. */
        is_filterable[call] = hooks[call].function && !mwr_hook_is_permanent(call) &&
                              !mw_call_means(call, MW_MAKES_OBJECT) &&
                              call != MW_CALL_MPI_Grequest_start;
    }
}
