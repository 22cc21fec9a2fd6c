/*
 * The entry points: MPI_X and PMPI_X of every call that this MPI has.
 *
 * Both are interposed, since Fortran bindings and PMPI tools above us come in by
 * PMPI_X. A call inside a call (MPI's own, a tool's, a callback's) goes on as it would
 * without us: MPI_X to a PMPI tool below or else to the library, PMPI_X to the library.
 * For MPI_Send, the macro below makes
 *
 *   static inline int call_MPI_Send(bool is_pmpi, void *caller, const void *buf, …)
 *   {
 *       struct mwr_mark mark;
 *       if (MW_UNLIKELY(!mwr_chain_is_ready())) { mwr_chain_prepare(…); }
 *       if (MW_UNLIKELY(!mwr_guard_raise(&mark, is_pmpi))) {
 *           return mwr_chain_inside(…, is_pmpi)(buf, …);
 *       }
 *       … result = first link(context, tool, buf, …) …
 *       mwr_guard_lower();
 *       return result;
 *   }
 *   int MPI_Send(const void *buf, …) { return call_MPI_Send(false, …, buf, …); }
 *   int PMPI_Send(const void *buf, …) { … the same unless MPIWATCH_INTERPOSE_PMPI=0 … }
 */
#include "recorder/dispatch/chain.h"
#include "recorder/dispatch/guard.h"

#define MWR_EXPORT __attribute__((visibility("default")))

/* The deprecated calls are deprecated for applications. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define MWR_ROW(prefix, name, type, group, kind, params, args, link_params, link_args)          \
    static inline __attribute__((always_inline)) type call_##prefix##_##name(                   \
        const bool mwr_is_pmpi, MWR_STRIP link_params)                                          \
    {                                                                                           \
        struct mwr_mark mwr_mark;                                                               \
        const struct mwr_link *mwr_first = &mwr_chain.first[MW_CALL_##prefix##_##name];         \
        type mwr_result;                                                                        \
                                                                                                \
        if (MW_UNLIKELY(!mwr_chain_is_ready())) {                                               \
            mwr_chain_prepare(MW_CALL_##prefix##_##name);                                       \
        }                                                                                       \
        mwr_mark.frame = (uintptr_t)__builtin_dwarf_cfa();                                      \
        if (MW_UNLIKELY(!mwr_guard_raise(&mwr_mark, mwr_is_pmpi))) {                            \
            return ((mwr_##prefix##_##name##_function *)                                        \
                        mwr_chain_inside(MW_CALL_##prefix##_##name, mwr_is_pmpi))args;          \
        }                                                                                       \
        mwr_function mwr_link = __atomic_load_n(&mwr_first->function, __ATOMIC_ACQUIRE);        \
        mwr_result = ((mwr_##prefix##_##name##_link *)mwr_link)(                                \
            context, (int)mwr_first->tool MWR_STRIP link_args);                                 \
        mwr_guard_lower();                                                                      \
        return mwr_result;                                                                      \
    }                                                                                           \
                                                                                                \
    MWR_EXPORT type prefix##_##name params                                                      \
    {                                                                                           \
        struct mwr_context mwr_context = {__builtin_return_address(0)};                         \
                                                                                                \
        return call_##prefix##_##name(false, mwr_context, 0 MWR_STRIP link_args);               \
    }                                                                                           \
                                                                                                \
    /* Some are declared by the other name only: MPIX_Query_cuda_support of Open MPI. */        \
    MWR_EXPORT type P##prefix##_##name params;                                                  \
    MWR_EXPORT type P##prefix##_##name params                                                   \
    {                                                                                           \
        struct mwr_context mwr_context = {__builtin_return_address(0)};                         \
                                                                                                \
        if (MW_UNLIKELY(!mwr_chain_is_ready())) {                                               \
            mwr_chain_prepare(MW_CALL_##prefix##_##name);                                       \
        }                                                                                       \
        if (MW_UNLIKELY(!mwr_chain.interpose_pmpi)) {                                           \
            return ((mwr_##prefix##_##name##_function *)                                        \
                        mwr_chain.library[MW_CALL_##prefix##_##name])args;                      \
        }                                                                                       \
        return call_##prefix##_##name(true, mwr_context, 0 MWR_STRIP link_args);                \
    }
#include "recorder/dispatch/rows.h"
