/*
 * The rows of the table of calls that this MPI has, in one form. Define
 *
 *   MWR_ROW(prefix, name, type, group, kind, params, args, link_params, link_args)
 *
 * and include this file, which undefines it. For MPI_Send:
 *
 *   params       (const void *buf, int count, …)      args       (buf, count, …)
 *   link_params  (struct mwr_context context, int tool, const void *buf, …)
 *   link_args    (, buf, count, …): what follows the context and the tool in a call
 *
 * A function without parameters has params (void), args () and link_args ().
 */
#include "recorder/dispatch/mpi_header.h"

#ifndef MWR_ROWS_H
#define MWR_ROWS_H
#define MWR_CONCATENATE_(a, b) a##b
#define MWR_CONCATENATE(a, b) MWR_CONCATENATE_(a, b)
#define MWR_STRIP(...) __VA_ARGS__
#define MWR_SELECT_0(...)
#define MWR_SELECT_1(prefix, name, upper, type, group, kind, params, args)                      \
    MWR_ROW(prefix, name, type, group, kind, params, args,                                      \
            (struct mwr_context context, int tool, MWR_STRIP params), (, MWR_STRIP args))
#define MWR_SELECT_VOID_0(...)
#define MWR_SELECT_VOID_1(prefix, name, upper, type, group, kind)                               \
    MWR_ROW(prefix, name, type, group, kind, (void), (), (struct mwr_context context, int tool), ())
#define MWR_SELECT_VARIADIC_0(...)
#define MWR_SELECT_VARIADIC_1(prefix, name, upper, type, group, kind, params, args)             \
    MWR_ROW(prefix, name, type, group, kind, params, args,                                      \
            (struct mwr_context context, int tool, MWR_STRIP params), (, MWR_STRIP args))
#endif

#define MW_CALL(prefix, name, ...)                                                              \
    MWR_CONCATENATE(MWR_SELECT_, MWR_HAS_##prefix##_##name)(prefix, name, __VA_ARGS__)
#define MW_CALL_VOID(prefix, name, ...)                                                         \
    MWR_CONCATENATE(MWR_SELECT_VOID_, MWR_HAS_##prefix##_##name)(prefix, name, __VA_ARGS__)
#define MW_CALL_VARIADIC(prefix, name, ...)                                                     \
    MWR_CONCATENATE(MWR_SELECT_VARIADIC_, MWR_HAS_##prefix##_##name)(prefix, name, __VA_ARGS__)

#include "formats/table/calls.def"

#undef MWR_ROW
