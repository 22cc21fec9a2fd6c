/* The innermost link of the chain: calls MPI_X of whoever is below us. */
#include "recorder/dispatch/chain.h"

#define MWR_ROW(prefix, name, type, group, kind, params, args, link_params, link_args)          \
    static type base_##prefix##_##name link_params                                              \
    {                                                                                           \
        (void)context;                                                                          \
        (void)tool;                                                                             \
        return ((mwr_##prefix##_##name##_function *)                                            \
                    mwr_chain.next[MW_CALL_##prefix##_##name])args;                             \
    }
#include "recorder/dispatch/rows.h"

static const mwr_function bases[MW_CALL_COUNT] = {
#define MWR_ROW(prefix, name, ...)                                                              \
    [MW_CALL_##prefix##_##name] = (mwr_function)base_##prefix##_##name,
#include "recorder/dispatch/rows.h"
};

mwr_function mwr_base_of(unsigned call)
{
    return bases[call];
}
