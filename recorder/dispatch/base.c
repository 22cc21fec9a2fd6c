/*
 * Links that mpiwatch has for every call: the base, innermost of the chain, which calls
 * MPI_X of whoever is below us, unless MPI_T is initialized for the recorder only; where that is
 * not the library's, the fork, which passes by it with what has come in by PMPI_X; and the gate,
 * which follows the next link of an instance.
 */
#include "recorder/dispatch/chain.h"
#include "recorder/dispatch/guard.h"
#include "recorder/dispatch/tools.h"
#include "recorder/variables/own_mpi_t.h"

#define MWR_ROW(prefix, name, type, group, kind, params, args, link_params, link_args)          \
    static inline __attribute__((always_inline)) type last_##prefix##_##name(                   \
        mwr_function mwr_below, MWR_STRIP link_params)                                          \
    {                                                                                           \
        if (MW_GROUP_##group == MW_GROUP_TOOL &&                                                \
            mwr_own_mpi_t_refuses(MW_CALL_##prefix##_##name)) {                                 \
            return (type)(intptr_t)MPI_T_ERR_NOT_INITIALIZED;                                   \
        }                                                                                       \
        return ((mwr_##prefix##_##name##_function *)mwr_below)args;                             \
    }                                                                                           \
                                                                                                \
    static type base_##prefix##_##name link_params                                              \
    {                                                                                           \
        return last_##prefix##_##name(mwr_chain.next[MW_CALL_##prefix##_##name], context,       \
                                      tool MWR_STRIP link_args);                                \
    }                                                                                           \
                                                                                                \
    static type fork_##prefix##_##name link_params                                              \
    {                                                                                           \
        return last_##prefix##_##name(mwr_guard_is_pmpi()                                       \
                                          ? mwr_chain.library[MW_CALL_##prefix##_##name]        \
                                          : mwr_chain.next[MW_CALL_##prefix##_##name],          \
                                      context, tool MWR_STRIP link_args);                       \
    }                                                                                           \
                                                                                                \
    static type gate_##prefix##_##name link_params                                              \
    {                                                                                           \
        const struct mwr_link *mwr_next =                                                       \
            &mwr_tools.instances[tool]->next[MW_CALL_##prefix##_##name];                        \
        mwr_function mwr_link = __atomic_load_n(&mwr_next->function, __ATOMIC_ACQUIRE);         \
                                                                                                \
        return ((mwr_##prefix##_##name##_link *)mwr_link)(                                      \
            context, (int)mwr_next->tool MWR_STRIP link_args);                                  \
    }
#include "recorder/dispatch/rows.h"

static const struct last {
    mwr_function base;
    mwr_function fork;
} lasts[MW_CALL_COUNT] = {
#define MWR_ROW(prefix, name, ...)                                                              \
    [MW_CALL_##prefix##_##name] = {(mwr_function)base_##prefix##_##name,                        \
                                   (mwr_function)fork_##prefix##_##name},
#include "recorder/dispatch/rows.h"
};

mwr_function mwr_base_of(unsigned call)
{
    return mwr_chain.has_tool_below[call] ? lasts[call].fork : lasts[call].base;
}

static const mwr_function gates[MW_CALL_COUNT] = {
#define MWR_ROW(prefix, name, ...)                                                              \
    [MW_CALL_##prefix##_##name] = (mwr_function)gate_##prefix##_##name,
#include "recorder/dispatch/rows.h"
};

mwr_function mwr_gate_of(unsigned call)
{
    return gates[call];
}
