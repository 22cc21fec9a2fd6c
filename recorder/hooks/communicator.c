#include "recorder/hooks/communicator.h"

#include <stdlib.h>

#include "recorder/hooks/message.h"
#include "recorder/recorder.h"
#include "recorder/state/lineage.h"
#include "recorder/state/meeting.h"
#include "recorder/variables/variables.h"

/*
 * Whether an event says when a communicator begins or ends in call. The oldest calls in a ring
 * may be written over, so that its definitions say it all the same.
 */
static bool has_event(const struct mwr_call *call)
{
    return call->record && mwr_recorder.settings.on_full != MWR_ON_FULL_WRAP;
}

/* For the definition of what call has made: when, or 0 if that is told. */
static uint64_t time_untold(const struct mwr_call *call)
{
    return has_event(call) ? 0 : mwr_clock();
}

static void note_created(struct mwr_call *call, uint32_t number, MPI_Comm handle)
{
    if (number != MW_COMM_NONE) {
        mwr_call_note(call, MW_MEMBER_COMM_CREATE, number);
        mwr_variables_comm_created(call, mwr_comm_find(handle), handle);
    }
}

void mwr_after_creation(struct mwr_call *call, int result, const struct mwr_creation *creation,
                        const MPI_Comm *handle)
{
    mwr_after_plain(call, result);
    if (result == MPI_SUCCESS) {
        note_created(call, mwr_comm_created(creation, *handle, time_untold(call)), *handle);
    }
}

void mwr_after_intercomm_create(struct mwr_call *call, int result, unsigned id, MPI_Comm local,
                                int tag, const MPI_Comm *handle)
{
    mwr_after_plain(call, result);
    if (result == MPI_SUCCESS) {
        note_created(call,
                     mwr_comm_created_between(id, local, tag, *handle, time_untold(call)),
                     *handle);
    }
}

void mwr_after_meeting(struct mwr_call *call, int result, const struct mwr_creation *creation,
                       const MPI_Comm *handle, uint64_t place, uint64_t enter)
{
    mwr_after_creation(call, result, creation, handle);
    if (result == MPI_SUCCESS && *handle != MPI_COMM_NULL) {
        mwr_meeting_define(creation->call, *handle, place, enter);
    }
}

void mwr_after_from_group(struct mwr_call *call, int result, unsigned id, const char *tag,
                          const MPI_Comm *handle)
{
    mwr_after_plain(call, result);
    /* Called before recording starts as well, then by whoever says MPI_SUCCESS to nothing. */
    if (result == MPI_SUCCESS && handle) {
        note_created(call, mwr_comm_created_from_group(id, tag, *handle, time_untold(call)),
                     *handle);
    }
}

void mwr_after_get_parent(struct mwr_call *call, int result, unsigned id, MPI_Comm handle)
{
    mwr_after_plain(call, result);
    if (result == MPI_SUCCESS) {
        note_created(call, mwr_comm_parent(id, mwr_lineage_uid(), handle), handle);
    }
}

void mwr_after_idup(struct mwr_call *call, int result, const struct mwr_creation *creation,
                    MPI_Comm *handle, const MPI_Request *request)
{
    struct mwr_creation *kept;
    struct mwr_request started = {.kind = MWR_REQUEST_IDUP};

    mwr_after_plain(call, result);
    if (result != MPI_SUCCESS) {
        return;
    }
    kept = malloc(sizeof *kept);
    if (!kept) {
        return; /* the communicator will be a foreign one */
    }
    *kept = *creation;
    started.key = mwr_request_key(*request);
    started.of.idup.handle = handle;
    started.of.idup.creation = kept;
    switch (mwr_request_add(&started, *request)) {
    case MWR_FOLLOWED:
        break;
    case MWR_ALREADY_COMPLETE:
        mwr_idup_complete(call, &started, MPI_SUCCESS);
        break;
    case MWR_NOT_FOLLOWED:
        free(kept);
        break;
    }
}

void mwr_idup_complete(struct mwr_call *call, const struct mwr_request *request, int error)
{
    struct mwr_creation *creation = request->of.idup.creation;

    if (error == MPI_SUCCESS) {
        MPI_Comm handle = *request->of.idup.handle;

        note_created(call, mwr_comm_created(creation, handle, time_untold(call)), handle);
    }
    free(creation);
}

struct mwr_comm *mwr_before_comm_free(struct mwr_call *call, MPI_Comm handle)
{
    struct mwr_comm *comm = mwr_comm_forget(handle);

    if (comm) {
        mwr_variables_comm_ends(call, comm);
        mwr_call_note(call, MW_MEMBER_COMM_DESTROY, comm->number);
    }
    return comm;
}

void mwr_after_comm_free(struct mwr_call *call, int result, struct mwr_comm *comm,
                         MPI_Comm handle)
{
    mwr_after_plain(call, result);
    if (!comm) {
        return;
    }
    if (result != MPI_SUCCESS) {
        mwr_comm_remember(comm, handle);
    } else if (!has_event(call)) {
        mwr_comm_freed(comm, call->record ? call->record->enter : mwr_clock());
    }
}

void mwr_after_comm_set_name(struct mwr_call *call, int result, MPI_Comm handle,
                             const char *name)
{
    mwr_after_plain(call, result);
    if (result == MPI_SUCCESS) {
        mwr_comm_named(handle, name);
        mwr_variables_comm_named(call, mwr_comm_find(handle), handle, name);
    }
}
