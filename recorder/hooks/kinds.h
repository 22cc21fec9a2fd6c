#ifndef MWR_HOOKS_KINDS_H
#define MWR_HOOKS_KINDS_H

#include "recorder/finalize/ending.h"
#include "recorder/finalize/last_attribute.h"
#include "recorder/hooks/communicator.h"
#include "recorder/hooks/completion.h"
#include "recorder/hooks/init_hooks.h"
#include "recorder/hooks/kinds_collective.h"
#include "recorder/hooks/kinds_file.h"
#include "recorder/hooks/kinds_window.h"
#include "recorder/hooks/message.h"
#include "recorder/hooks/persistent.h"
#include "recorder/hooks/now.h"
#include "recorder/hooks/session.h"
#include "recorder/state/callbacks.h"
#include "recorder/state/lineage.h"
#include "recorder/state/meeting.h"
#include "recorder/variables/foreign.h"

/*
 * What each KIND of formats/table/calls.def does before and after the library's function.
 * The macros stand in the hook of a call (hooks.c) and use its parameters by the names
 * that they have in MPI; mwr_call is the record, mwr_id the call, mwr_result what the
 * library returned. A parameter may be changed before the call: the library gets it so.
 */

/* A wrong call may pass a null pointer, which is the library's to complain of. */
#define MWR_VALUE(pointer, otherwise) ((pointer) != NULL ? *(pointer) : (otherwise))

#define MWR_OWN_STATUS                                                                          \
    MPI_Status mwr_status;                                                                      \
    status = status == MPI_STATUS_IGNORE ? &mwr_status : status;

/* --- nothing but enter and leave ------------------------------------------- */
#define MWR_BEFORE_PLAIN
#define MWR_AFTER_PLAIN mwr_after_plain(&mwr_call, mwr_result);
#define MWR_BEFORE_VALUE
#define MWR_AFTER_VALUE
/* Its request is not followed. */
#define MWR_BEFORE_GREQUEST
#define MWR_AFTER_GREQUEST                                                                      \
    mwr_after_plain(&mwr_call, mwr_result);                                                     \
    if (mwr_result == MPI_SUCCESS) {                                                            \
        mwr_request_add_unrecorded(*request);                                                   \
    }                                                                                           \
    mwr_callback_given(MWR_CALLBACK_REQUEST, mwr_result);
#define MWR_BEFORE_ERRHANDLER
#define MWR_AFTER_ERRHANDLER                                                                    \
    mwr_after_plain(&mwr_call, mwr_result);                                                     \
    mwr_callback_given(MWR_CALLBACK_ERRHANDLER, mwr_result);
#define MWR_BEFORE_KEYVAL(copy)
#define MWR_AFTER_KEYVAL(copy)                                                                  \
    mwr_after_plain(&mwr_call, mwr_result);                                                     \
    if ((MPI_Comm_copy_attr_function *)(copy) != MPI_COMM_NULL_COPY_FN) {                       \
        mwr_callback_given(MWR_CALLBACK_KEYVAL, mwr_result);                                    \
    }
#define MWR_BEFORE_ATTRIBUTE(on)                                                                \
    if ((on) == MPI_COMM_SELF) {                                                                \
        mwr_last_attribute_set();                                                               \
    }
#define MWR_AFTER_ATTRIBUTE(on) MWR_AFTER_PLAIN
#define MWR_BEFORE_ABORT mwr_ending_abort(errorcode);
#define MWR_AFTER_ABORT MWR_AFTER_PLAIN

/* --- start, end, pausing ----------------------------------------------------- */
#define MWR_BEFORE_INIT                                                                         \
    uint64_t mwr_enter = mwr_clock();                                                           \
    mwr_before_init();
#define MWR_AFTER_INIT mwr_after_init(mwr_id, context.caller, mwr_enter, mwr_result);
/* A tool below us may say MPI_SUCCESS and have made none. */
#define MWR_BEFORE_SESSION_INIT                                                                 \
    uint64_t mwr_enter = mwr_clock();                                                           \
    mwr_before_session_init();                                                                  \
    MPI_Session mwr_session = MPI_SESSION_NULL;                                                 \
    MPI_Session *mwr_out = session;                                                             \
    session = mwr_out ? &mwr_session : NULL;
#define MWR_AFTER_SESSION_INIT                                                                  \
    if (mwr_session != MPI_SESSION_NULL) {                                                      \
        *mwr_out = mwr_session;                                                                 \
    }                                                                                           \
    mwr_after_session_init(&mwr_call, mwr_enter, mwr_result, mwr_session);
#define MWR_BEFORE_SESSION_FINALIZE mwr_before_session_finalize(&mwr_call);
#define MWR_AFTER_SESSION_FINALIZE mwr_after_session_finalize(&mwr_call, mwr_result);
#define MWR_BEFORE_FINALIZE mwr_before_finalize(&mwr_call);
#define MWR_AFTER_FINALIZE mwr_last_attribute_passed(&mwr_call);
#define MWR_BEFORE_PCONTROL
#define MWR_AFTER_PCONTROL mwr_after_pcontrol(&mwr_call, level);

/* --- the application's own use of MPI_T -------------------------------------- */
#define MWR_BEFORE_T_INIT mwr_before_t_init(required, provided);
#define MWR_AFTER_T_INIT MWR_AFTER_PLAIN
#define MWR_BEFORE_T_HANDLE_ALLOC
#define MWR_AFTER_T_HANDLE_ALLOC                                                                \
    mwr_after_t_handle_alloc(&mwr_call, mwr_result, pvar_index,                                 \
                             MWR_VALUE(handle, MPI_T_PVAR_HANDLE_NULL));
#define MWR_BEFORE_T_HANDLE_FREE                                                                \
    mwr_before_t_handle_free(MWR_VALUE(handle, MPI_T_PVAR_HANDLE_NULL));
#define MWR_AFTER_T_HANDLE_FREE MWR_AFTER_PLAIN
#define MWR_BEFORE_T_CHANGE mwr_before_t_change(&mwr_call, mwr_id);
#define MWR_AFTER_T_CHANGE mwr_after_t_change(&mwr_call, mwr_id, mwr_result, handle);
#define MWR_BEFORE_T_READ
#define MWR_AFTER_T_READ mwr_after_t_read(&mwr_call, mwr_result, handle, buf);
#define MWR_BEFORE_T_CVAR cvar_index = mwr_before_t_cvar(cvar_index);
#define MWR_AFTER_T_CVAR MWR_AFTER_PLAIN

/* --- point to point ------------------------------------------------------------ */
#define MWR_BEFORE_SEND mwr_now_send(&mwr_call, comm, dest, tag, (int64_t)count, datatype);
#define MWR_AFTER_SEND                                                                          \
    mwr_after_send(&mwr_call, mwr_result, comm, dest, tag, (int64_t)count, datatype);
#define MWR_BEFORE_ISEND
#define MWR_AFTER_ISEND                                                                         \
    mwr_after_isend(&mwr_call, mwr_result, comm, dest, tag, (int64_t)count, datatype, request);
#define MWR_BEFORE_SEND_INIT
#define MWR_AFTER_SEND_INIT                                                                     \
    mwr_after_send_init(&mwr_call, mwr_result, comm, dest, tag, (int64_t)count, datatype, request);
#define MWR_BEFORE_RECV                                                                         \
    MWR_OWN_STATUS                                                                              \
    mwr_now_recv(&mwr_call, comm, source, tag);
#define MWR_AFTER_RECV mwr_after_recv(&mwr_call, mwr_result, comm, source, tag, status);
#define MWR_BEFORE_IRECV
#define MWR_AFTER_IRECV mwr_after_irecv(&mwr_call, mwr_result, comm, source, tag, request);
#define MWR_BEFORE_RECV_INIT
#define MWR_AFTER_RECV_INIT                                                                     \
    mwr_after_recv_init(&mwr_call, mwr_result, comm, source, tag, request);
/* One message goes from one to the other, whatever its partitions. */
#define MWR_BEFORE_PSEND_INIT
#define MWR_AFTER_PSEND_INIT                                                                    \
    mwr_after_psend_init(&mwr_call, mwr_result, comm, dest, tag, partitions,                    \
                         (int64_t)count * partitions, datatype, request);
#define MWR_BEFORE_PRECV_INIT
#define MWR_AFTER_PRECV_INIT                                                                    \
    mwr_after_precv_init(&mwr_call, mwr_result, comm, dest, tag, (int64_t)count * partitions,   \
                         datatype, request);
#define MWR_READY_ONE   1
#define MWR_READY_RANGE ((int64_t)partition_high - partition_low + 1)
#define MWR_READY_LIST  length
#define MWR_WHICH_ONE   mwr_partitions(partition, partition)
#define MWR_WHICH_RANGE mwr_partitions(partition_low, partition_high)
#define MWR_WHICH_LIST  mwr_partitions_of(length, array_of_partitions)
#define MWR_BEFORE_PREADY(form)                                                                 \
    struct mwr_request mwr_sent;                                                                \
    const uint32_t mwr_which = MWR_WHICH_##form;                                                \
    const bool mwr_is_last =                                                                    \
        mwr_before_pready(&mwr_call, MWR_READY_##form, mwr_which, request, &mwr_sent);
#define MWR_AFTER_PREADY(form)                                                                  \
    mwr_after_pready(&mwr_call, mwr_result, MWR_READY_##form, mwr_which, request, mwr_is_last,  \
                     &mwr_sent);
#define MWR_BEFORE_SENDRECV                                                                     \
    MWR_OWN_STATUS                                                                              \
    mwr_now_sendrecv(&mwr_call, comm, dest, sendtag, (int64_t)sendcount, sendtype, source,      \
                     recvtag);
#define MWR_AFTER_SENDRECV                                                                      \
    mwr_after_sendrecv(&mwr_call, mwr_result, comm, dest, sendtag, (int64_t)sendcount,          \
                       sendtype, source, recvtag, status);
#define MWR_BEFORE_SENDRECV_REPLACE                                                             \
    MWR_OWN_STATUS                                                                              \
    mwr_now_sendrecv(&mwr_call, comm, dest, sendtag, (int64_t)count, datatype, source, recvtag);
#define MWR_AFTER_SENDRECV_REPLACE                                                              \
    mwr_after_sendrecv(&mwr_call, mwr_result, comm, dest, sendtag, (int64_t)count, datatype,    \
                       source, recvtag, status);
#define MWR_BEFORE_ISENDRECV
#define MWR_AFTER_ISENDRECV                                                                     \
    mwr_after_isendrecv(&mwr_call, mwr_result, comm, dest, sendtag, (int64_t)sendcount,         \
                        sendtype, source, recvtag, request);
#define MWR_BEFORE_ISENDRECV_REPLACE
#define MWR_AFTER_ISENDRECV_REPLACE                                                             \
    mwr_after_isendrecv(&mwr_call, mwr_result, comm, dest, sendtag, (int64_t)count, datatype,   \
                        source, recvtag, request);
#define MWR_BEFORE_PROBE                                                                        \
    MWR_OWN_STATUS                                                                              \
    mwr_now_recv(&mwr_call, comm, source, tag);
#define MWR_AFTER_PROBE mwr_after_probe(&mwr_call, mwr_result, comm, source, tag, status);
#define MWR_BEFORE_IPROBE MWR_OWN_STATUS
#define MWR_AFTER_IPROBE                                                                        \
    mwr_after_iprobe(&mwr_call, mwr_result, comm, source, tag, MWR_VALUE(flag, 0), status);
#define MWR_BEFORE_MPROBE                                                                       \
    MWR_OWN_STATUS                                                                              \
    mwr_now_recv(&mwr_call, comm, source, tag);
#define MWR_AFTER_MPROBE                                                                        \
    mwr_after_mprobe(&mwr_call, mwr_result, comm, source, tag,                                  \
                     MWR_VALUE(message, MPI_MESSAGE_NULL));                                     \
    if (mwr_result == MPI_SUCCESS) {                                                            \
        mwr_after_probe(&mwr_call, mwr_result, comm, source, tag, status);                      \
    }
#define MWR_BEFORE_IMPROBE MWR_OWN_STATUS
#define MWR_AFTER_IMPROBE                                                                       \
    if (mwr_result == MPI_SUCCESS && *flag) {                                                   \
        mwr_after_mprobe(&mwr_call, mwr_result, comm, source, tag, *message);                   \
    }                                                                                           \
    mwr_after_iprobe(&mwr_call, mwr_result, comm, source, tag, MWR_VALUE(flag, 0), status);
#define MWR_BEFORE_MRECV                                                                        \
    MWR_OWN_STATUS                                                                              \
    uintptr_t mwr_key = mwr_message_key(MWR_VALUE(message, MPI_MESSAGE_NULL));
#define MWR_AFTER_MRECV mwr_after_mrecv(&mwr_call, mwr_result, mwr_key, status);
#define MWR_BEFORE_IMRECV uintptr_t mwr_key = mwr_message_key(MWR_VALUE(message, MPI_MESSAGE_NULL));
#define MWR_AFTER_IMRECV mwr_after_imrecv(&mwr_call, mwr_result, mwr_key, request);

/* Completes nothing; found: the parameter that is not 0 where it has found something. */
#define MWR_BEFORE_LOOK(found)
#define MWR_AFTER_LOOK(found) mwr_after_look(&mwr_call, mwr_result, MWR_VALUE(found, 1) != 0);

/* --- requests -------------------------------------------------------------------- */
#define MWR_BEFORE_START                                                                        \
    struct mwr_saved mwr_saved;                                                                 \
    mwr_before_start(&mwr_saved, 1, request);
#define MWR_AFTER_START mwr_after_start(&mwr_call, mwr_result, &mwr_saved, 1, request);
#define MWR_BEFORE_STARTALL                                                                     \
    struct mwr_saved mwr_saved;                                                                 \
    mwr_before_start(&mwr_saved, count, array_of_requests);
#define MWR_AFTER_STARTALL                                                                      \
    mwr_after_start(&mwr_call, mwr_result, &mwr_saved, count, array_of_requests);
#define MWR_BEFORE_CANCEL
#define MWR_AFTER_CANCEL                                                                        \
    mwr_after_cancel(&mwr_call, mwr_result, MWR_VALUE(request, MPI_REQUEST_NULL));
#define MWR_BEFORE_REQUEST_FREE                                                                 \
    MPI_Request mwr_request;                                                                    \
    request = mwr_before_request_free(&mwr_call, request, &mwr_request);
#define MWR_AFTER_REQUEST_FREE MWR_AFTER_PLAIN
#define MWR_KEEP_REQUEST                                                                        \
    MWR_OWN_STATUS                                                                              \
    MPI_Request mwr_request = MWR_VALUE(request, MPI_REQUEST_NULL);
#define MWR_COMPLETES_SAVED                                                                     \
    mwr_now_completes(&mwr_call, mwr_saved.count, mwr_saved.requests);
#define MWR_BEFORE_WAIT                                                                         \
    MWR_KEEP_REQUEST                                                                            \
    mwr_now_completes(&mwr_call, 1, &mwr_request);
#define MWR_AFTER_WAIT mwr_after_wait(&mwr_call, mwr_result, mwr_request, status);
#define MWR_BEFORE_TEST MWR_KEEP_REQUEST
#define MWR_AFTER_TEST                                                                          \
    mwr_after_test(&mwr_call, mwr_result, mwr_request, MWR_VALUE(flag, 0), status);
#define MWR_KEEP_ALL                                                                            \
    struct mwr_saved mwr_saved;                                                                 \
    array_of_statuses = mwr_save(&mwr_saved, count, array_of_requests, array_of_statuses);
#define MWR_BEFORE_WAITALL                                                                      \
    MWR_KEEP_ALL                                                                                \
    MWR_COMPLETES_SAVED
#define MWR_AFTER_WAITALL mwr_after_waitall(&mwr_call, mwr_result, &mwr_saved, array_of_statuses);
#define MWR_BEFORE_TESTALL MWR_KEEP_ALL
#define MWR_AFTER_TESTALL                                                                       \
    mwr_after_testall(&mwr_call, mwr_result, &mwr_saved, MWR_VALUE(flag, 0), array_of_statuses);
#define MWR_KEEP_ANY                                                                            \
    MWR_OWN_STATUS                                                                              \
    struct mwr_saved mwr_saved;                                                                 \
    (void)mwr_save(&mwr_saved, count, array_of_requests, status);
#define MWR_BEFORE_WAITANY                                                                      \
    MWR_KEEP_ANY                                                                                \
    MWR_COMPLETES_SAVED
#define MWR_AFTER_WAITANY                                                                       \
    mwr_after_any(&mwr_call, mwr_result, &mwr_saved, true, MWR_VALUE(indx, -1), status);
#define MWR_BEFORE_TESTANY MWR_KEEP_ANY
#define MWR_AFTER_TESTANY                                                                       \
    mwr_after_any(&mwr_call, mwr_result, &mwr_saved, MWR_VALUE(flag, 0),                        \
                  MWR_VALUE(indx, -1), status);
#define MWR_KEEP_SOME                                                                           \
    struct mwr_saved mwr_saved;                                                                 \
    array_of_statuses = mwr_save(&mwr_saved, incount, array_of_requests, array_of_statuses);
#define MWR_BEFORE_WAITSOME                                                                     \
    MWR_KEEP_SOME                                                                               \
    MWR_COMPLETES_SAVED
#define MWR_AFTER_WAITSOME                                                                      \
    mwr_after_some(&mwr_call, mwr_result, &mwr_saved, MWR_VALUE(outcount, 0), array_of_indices, \
                   array_of_statuses);
#define MWR_BEFORE_TESTSOME MWR_KEEP_SOME
#define MWR_AFTER_TESTSOME MWR_AFTER_WAITSOME

/* --- communicators ------------------------------------------------------------------ */
#define MWR_CREATION_ON(parent)                                                                 \
    struct mwr_creation mwr_creation = mwr_comm_creation(mwr_id, parent);
#define MWR_CREATED(handle) mwr_after_creation(&mwr_call, mwr_result, &mwr_creation, handle);
#define MWR_BEFORE_COMM_CREATION(parent, made)                                                  \
    mwr_now_together(&mwr_call, parent);                                                        \
    MWR_CREATION_ON(parent)
#define MWR_AFTER_COMM_CREATION(parent, made) MWR_CREATED(made)
#define MWR_BEFORE_COMM_CREATE_GROUP                                                            \
    mwr_now_together(&mwr_call, comm);                                                          \
    struct mwr_creation mwr_creation = mwr_comm_creation_by_group(mwr_id, comm, group, tag);
#define MWR_AFTER_COMM_CREATE_GROUP MWR_CREATED(newcomm)
#define MWR_BEFORE_INTERCOMM_CREATE mwr_now_together(&mwr_call, local_comm);
#define MWR_AFTER_INTERCOMM_CREATE                                                              \
    mwr_after_intercomm_create(&mwr_call, mwr_result, mwr_id, local_comm, tag, newintercomm);
#define MWR_BEFORE_COMM_IDUP MWR_CREATION_ON(comm)
#define MWR_AFTER_COMM_IDUP                                                                     \
    mwr_after_idup(&mwr_call, mwr_result, &mwr_creation, newcomm, request);
#define MWR_BEFORE_COMM_FREE                                                                    \
    MPI_Comm mwr_handle = MWR_VALUE(comm, MPI_COMM_NULL);                                       \
    mwr_now_together(&mwr_call, mwr_handle);                                                    \
    struct mwr_comm *mwr_comm = mwr_before_comm_free(&mwr_call, mwr_handle);
#define MWR_AFTER_COMM_FREE mwr_after_comm_free(&mwr_call, mwr_result, mwr_comm, mwr_handle);
#define MWR_BEFORE_COMM_SET_NAME
#define MWR_AFTER_COMM_SET_NAME mwr_after_comm_set_name(&mwr_call, mwr_result, comm, comm_name);

#define MWR_BEFORE_COMM_FROM_GROUP uint64_t mwr_enter = mwr_clock();
#define MWR_AFTER_COMM_FROM_GROUP                                                               \
    mwr_session_may_start(&mwr_call, mwr_id, context.caller, mwr_enter, mwr_result, group,      \
                          newcomm);                                                             \
    mwr_after_from_group(&mwr_call, mwr_result, mwr_id, stringtag, newcomm);
#define MWR_BEFORE_INTERCOMM_FROM_GROUPS
#define MWR_AFTER_INTERCOMM_FROM_GROUPS                                                         \
    mwr_after_from_group(&mwr_call, mwr_result, mwr_id, stringtag, newintercomm);

/*
 * These make communicators with processes of other jobs. The own side of them belongs
 * to one communicator, where it is counted; the other side has an archive of its own.
 */
#define MWR_BEFORE_COMM_SPAWN                                                                   \
    MWR_CREATION_ON(comm)                                                                       \
    struct mwr_lineage mwr_lineage;                                                             \
    info = *mwr_lineage_begin(&mwr_lineage, &mwr_creation, comm, root, &info, 1);
#define MWR_AFTER_COMM_SPAWN                                                                    \
    mwr_lineage_end(&mwr_lineage);                                                              \
    MWR_CREATED(intercomm)
#define MWR_BEFORE_COMM_SPAWN_MULTIPLE                                                          \
    MWR_CREATION_ON(comm)                                                                       \
    struct mwr_lineage mwr_lineage;                                                             \
    array_of_info =                                                                             \
        mwr_lineage_begin(&mwr_lineage, &mwr_creation, comm, root, array_of_info, count);
#define MWR_AFTER_COMM_SPAWN_MULTIPLE MWR_AFTER_COMM_SPAWN
#define MWR_BEFORE_COMM_MEETING                                                                 \
    MWR_CREATION_ON(comm)                                                                       \
    const uint64_t mwr_enter = mwr_clock();
#define MWR_AFTER_COMM_MEETING                                                                  \
    mwr_after_meeting(                                                                          \
        &mwr_call, mwr_result, &mwr_creation, newcomm,                                          \
        mwr_result == MPI_SUCCESS ? mwr_place_of_port(port_name, root, comm) : MWR_PLACE_NONE,  \
        mwr_enter);
#define MWR_BEFORE_COMM_JOIN                                                                    \
    MWR_CREATION_ON(MPI_COMM_SELF)                                                              \
    const uint64_t mwr_enter = mwr_clock();
#define MWR_AFTER_COMM_JOIN                                                                     \
    mwr_after_meeting(                                                                          \
        &mwr_call, mwr_result, &mwr_creation, intercomm,                                        \
        mwr_result == MPI_SUCCESS ? mwr_place_of_socket(fd) : MWR_PLACE_NONE, mwr_enter);
#define MWR_BEFORE_COMM_GET_PARENT
#define MWR_AFTER_COMM_GET_PARENT mwr_after_get_parent(&mwr_call, mwr_result, mwr_id, *parent);

#endif
