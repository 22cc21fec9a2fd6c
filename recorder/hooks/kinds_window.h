#ifndef MWR_HOOKS_KINDS_WINDOW_H
#define MWR_HOOKS_KINDS_WINDOW_H

#include <otf2/OTF2_Events.h>

#include "recorder/hooks/now.h"
#include "recorder/hooks/rma_hooks.h"

/* The kinds of one-sided communication (see kinds.h). */

/* --- windows ------------------------------------------------------------------------ */
#define MWR_WIN_CREATED(operation)                                                              \
    mwr_after_win_create(&mwr_call, mwr_result, mwr_id, OTF2_COLLECTIVE_OP_##operation, comm,   \
                         MWR_VALUE(win, MPI_WIN_NULL));
#define MWR_BEFORE_WIN_CREATE mwr_now_together(&mwr_call, comm);
#define MWR_AFTER_WIN_CREATE MWR_WIN_CREATED(CREATE_HANDLE)
#define MWR_BEFORE_WIN_ALLOCATE mwr_now_together(&mwr_call, comm);
#define MWR_AFTER_WIN_ALLOCATE MWR_WIN_CREATED(CREATE_HANDLE_AND_ALLOCATE)
#define MWR_BEFORE_WIN_FREE                                                                     \
    mwr_now_window(&mwr_call, MWR_VALUE(win, MPI_WIN_NULL), MW_RMA_ALL);                        \
    struct mwr_object *mwr_object =                                                             \
        mwr_before_win_free(&mwr_call, MWR_VALUE(win, MPI_WIN_NULL));
#define MWR_AFTER_WIN_FREE mwr_after_win_free(&mwr_call, mwr_result, mwr_object);
#define MWR_BEFORE_WIN_SET_NAME
#define MWR_AFTER_WIN_SET_NAME mwr_after_win_set_name(&mwr_call, mwr_result, win, win_name);

/* --- operations --------------------------------------------------------------------- */
#define MWR_ACCESSED(access, request)                                                           \
    if (mwr_call.record || mwr_call.tally) {                                                    \
        mwr_after_access(&mwr_call, mwr_result, win, target_rank, access, request);             \
    } else {                                                                                    \
        mwr_access_unrecorded(mwr_result, request);                                             \
    }
#define MWR_ACCESS_PUT mwr_access_put((int64_t)origin_count, origin_datatype)
#define MWR_ACCESS_GET mwr_access_get((int64_t)origin_count, origin_datatype)
#define MWR_ACCESS_ACCUMULATE mwr_access_accumulate((int64_t)origin_count, origin_datatype)
#define MWR_ACCESS_GET_ACCUMULATE                                                               \
    mwr_access_fetch(op, (int64_t)origin_count, origin_datatype, (int64_t)result_count,         \
                     result_datatype)
#define MWR_ACCESS_FETCH_AND_OP mwr_access_fetch(op, 1, datatype, 1, datatype)
#define MWR_ACCESS_COMPARE_AND_SWAP mwr_access_swap(datatype)
#define MWR_BEFORE_ACCESS(access)
#define MWR_AFTER_ACCESS(access) MWR_ACCESSED(MWR_ACCESS_##access, NULL)
#define MWR_BEFORE_RACCESS(access)
#define MWR_AFTER_RACCESS(access) MWR_ACCESSED(MWR_ACCESS_##access, request)

/* --- synchronization ---------------------------------------------------------------- */
#define MWR_COMPLETES(rank)                                                                     \
    mwr_now_window(&mwr_call, win, rank);                                                       \
    uint64_t mwr_closing = mwr_before_completion(win, rank);
#define MWR_BEFORE_WIN_FENCE MWR_COMPLETES(MW_RMA_ALL)
#define MWR_AFTER_WIN_FENCE mwr_after_fence(&mwr_call, mwr_result, win, mwr_closing);
#define MWR_UNLESS_NULL(statement)                                                              \
    mwr_after_plain(&mwr_call, mwr_result);                                                     \
    if (mwr_result == MPI_SUCCESS && rank != MPI_PROC_NULL) {                                   \
        statement;                                                                              \
    }
#define MWR_BEFORE_WIN_LOCK mwr_now_window(&mwr_call, win, rank);
#define MWR_AFTER_WIN_LOCK                                                                      \
    MWR_UNLESS_NULL(mwr_after_lock(&mwr_call, mwr_result, win, rank, lock_type))
#define MWR_BEFORE_WIN_LOCK_ALL mwr_now_window(&mwr_call, win, MW_RMA_ALL);
#define MWR_AFTER_WIN_LOCK_ALL                                                                  \
    mwr_after_lock(&mwr_call, mwr_result, win, MW_RMA_ALL, MPI_LOCK_SHARED);
#define MWR_BEFORE_WIN_UNLOCK MWR_COMPLETES(rank)
#define MWR_AFTER_WIN_UNLOCK                                                                    \
    MWR_UNLESS_NULL(mwr_after_unlock(&mwr_call, mwr_result, win, rank, mwr_closing))
#define MWR_BEFORE_WIN_UNLOCK_ALL MWR_COMPLETES(MW_RMA_ALL)
#define MWR_AFTER_WIN_UNLOCK_ALL                                                                \
    mwr_after_unlock(&mwr_call, mwr_result, win, MW_RMA_ALL, mwr_closing);
#define MWR_BEFORE_WIN_FLUSH MWR_COMPLETES(rank)
#define MWR_AFTER_WIN_FLUSH                                                                     \
    MWR_UNLESS_NULL(mwr_after_flush(&mwr_call, mwr_result, win, rank, mwr_closing))
#define MWR_BEFORE_WIN_FLUSH_ALL MWR_COMPLETES(MW_RMA_ALL)
#define MWR_AFTER_WIN_FLUSH_ALL                                                                 \
    mwr_after_flush(&mwr_call, mwr_result, win, MW_RMA_ALL, mwr_closing);
#define MWR_BEFORE_WIN_FLUSH_LOCAL mwr_now_window(&mwr_call, win, rank);
#define MWR_AFTER_WIN_FLUSH_LOCAL                                                               \
    MWR_UNLESS_NULL(mwr_after_flush_local(&mwr_call, mwr_result, win, rank))
#define MWR_BEFORE_WIN_FLUSH_LOCAL_ALL
#define MWR_AFTER_WIN_FLUSH_LOCAL_ALL                                                           \
    mwr_after_flush_local(&mwr_call, mwr_result, win, MW_RMA_ALL);
#define MWR_BEFORE_WIN_SYNC
#define MWR_AFTER_WIN_SYNC mwr_after_win_sync(&mwr_call, mwr_result, win);
#define MWR_BEFORE_WIN_POST
#define MWR_AFTER_WIN_POST mwr_after_post(&mwr_call, mwr_result, win, group);
#define MWR_BEFORE_WIN_START mwr_now_window(&mwr_call, win, MW_RMA_ALL);
#define MWR_AFTER_WIN_START mwr_after_win_start(&mwr_call, mwr_result, win, group);
#define MWR_BEFORE_WIN_COMPLETE MWR_COMPLETES(MW_RMA_ALL)
#define MWR_AFTER_WIN_COMPLETE                                                                  \
    mwr_after_win_complete(&mwr_call, mwr_result, win, mwr_closing);
#define MWR_BEFORE_WIN_WAIT mwr_now_window(&mwr_call, win, MW_RMA_ALL);
#define MWR_AFTER_WIN_WAIT mwr_after_win_wait(&mwr_call, mwr_result, win);
#define MWR_BEFORE_WIN_TEST
#define MWR_AFTER_WIN_TEST                                                                      \
    mwr_after_win_test(&mwr_call, mwr_result, win, MWR_VALUE(flag, 1));

#endif
