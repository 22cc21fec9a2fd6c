/*
 * The recorder's hook of every call. For MPI_Send, whose KIND is SEND, the macro below
 * makes
 *
 *   static int hook_MPI_Send(struct mwr_context context, int tool, const void *buf, …)
 *   {
 *       struct mwr_call mwr_call;
 *       int mwr_result;
 *
 *       mwr_hook_begin(&mwr_call, MW_CALL_MPI_Send);
 *       MWR_BEFORE_SEND                                  (kinds.h)
 *       mwr_result = next link(context, tool, buf, …);
 *       MWR_AFTER_SEND
 *       mwr_call_end(&mwr_call);
 *       return mwr_result;
 *   }
 */
#include <string.h>

#include "recorder/dispatch/chain.h"
#include "recorder/hooks/kinds.h"
#include "recorder/state/thread.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Enters the call if its group is recorded; permanent hooks run also if it is not. */
static inline void mwr_hook_begin(struct mwr_call *call, unsigned id)
{
    if (MW_LIKELY(mwr_chain.is_recorded[id])) {
        mwr_call_begin(call, id);
    } else {
        call->stream = NULL;
        call->record = NULL;
    }
}

#define MWR_ROW(prefix, name, type, group, kind, params, args, link_params, link_args)          \
    static type hook_##prefix##_##name link_params                                              \
    {                                                                                           \
        const unsigned mwr_id = MW_CALL_##prefix##_##name;                                      \
        struct mwr_call mwr_call;                                                               \
        type mwr_result;                                                                        \
                                                                                                \
        (void)tool;                                                                             \
        mwr_hook_begin(&mwr_call, mwr_id);                                                      \
        MWR_BEFORE_##kind                                                                       \
        mwr_result = ((mwr_##prefix##_##name##_link *)mwr_chain.after[mwr_id].function)(        \
            context, (int)mwr_chain.after[mwr_id].tool MWR_STRIP link_args);                    \
        MWR_AFTER_##kind                                                                        \
        mwr_call_end(&mwr_call);                                                                \
        return mwr_result;                                                                      \
    }
#include "recorder/dispatch/rows.h"

struct hook {
    mwr_function function;
    const char *kind;
};

static const struct hook hooks[MW_CALL_COUNT] = {
#define MWR_ROW(prefix, name, type, group, kind, ...)                                           \
    [MW_CALL_##prefix##_##name] = {(mwr_function)hook_##prefix##_##name, #kind},
#include "recorder/dispatch/rows.h"
};

mwr_function mwr_hook_of(unsigned call)
{
    return hooks[call].function;
}

bool mwr_hook_is_permanent(unsigned call)
{
    static const char *const kinds[] = {
        "ABORT",         "INIT",        "SESSION_INIT",
        "SESSION_FINALIZE", "FINALIZE", "PCONTROL",     "CART_CREATE",
        "CART_SUB",      "GRAPH_CREATE", "DIST_GRAPH",
        "INTERCOMM_CREATE", "INTERCOMM_FROM_GROUPS", "INTERCOMM_MERGE"};
    const char *kind = hooks[call].kind;

    if (!kind) {
        return false;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kind, kinds[i]) == 0) {
            return true;
        }
    }
    return strncmp(kind, "COMM_", 5) == 0 || strncmp(kind, "T_", 2) == 0;
}
