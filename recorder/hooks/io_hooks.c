/*
 * MPI says of a transfer no more than its count: where it begins has to be asked
 * before the call, since that moves the pointer. Only what changes nothing and
 * can't fail is asked.
 */
#include "recorder/hooks/io_hooks.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_Events.h>

#include "recorder/dispatch/chain.h"
#include "recorder/hooks/filtering.h"
#include "recorder/hooks/message.h"
#include "recorder/recorder.h"
#include "recorder/variables/variables.h"

static struct mwr_object *find(MPI_File file)
{
    return mwr_object_find(MW_OBJECT_HANDLE, (uintptr_t)file);
}

static void note_io(struct mwr_call *call, enum mw_record_type type, uint32_t number,
                    const struct mw_io_member *what)
{
    struct mw_io_member *member = mwr_call_member(call, type, sizeof *member, number);

    if (member) {
        member->mode = what->mode;
        member->flags = what->flags;
        member->bytes = what->bytes;
        member->offset = what->offset;
        member->id = what->id;
        mw_spool_commit(member);
    }
}

/* The open file, if the call succeeded and there is something to say of it. */
static struct mwr_object *succeeded(struct mwr_call *call, int result, MPI_File file)
{
    mwr_running_pass_written();
    if (MW_UNLIKELY(result != MPI_SUCCESS)) {
        mwr_call_failed(call, result);
        return NULL;
    }
    return call->record ? find(file) : NULL;
}

/* --- files ------------------------------------------------------------------------ */

static struct mw_io_member opened_with(int mode)
{
    struct mw_io_member opened = {.mode = OTF2_IO_ACCESS_MODE_READ_ONLY};

    if (mode & MPI_MODE_WRONLY) {
        opened.mode = OTF2_IO_ACCESS_MODE_WRITE_ONLY;
    } else if (mode & MPI_MODE_RDWR) {
        opened.mode = OTF2_IO_ACCESS_MODE_READ_WRITE;
    }
    opened.flags = (mode & MPI_MODE_CREATE ? OTF2_IO_CREATION_FLAG_CREATE : 0u) |
                   (mode & MPI_MODE_EXCL ? OTF2_IO_CREATION_FLAG_EXCLUSIVE : 0u);
    opened.bytes = (mode & MPI_MODE_APPEND ? OTF2_IO_STATUS_FLAG_APPEND : 0u) |
                   (mode & MPI_MODE_DELETE_ON_CLOSE ? OTF2_IO_STATUS_FLAG_DELETE_ON_CLOSE : 0u);
    return opened;
}

void mwr_after_file_open(struct mwr_call *call, int result, unsigned id, MPI_Comm comm,
                         const char *path, int mode, MPI_File file)
{
    struct mwr_object *object;

    mwr_after_plain(call, result);
    if (result != MPI_SUCCESS) {
        return;
    }
    object = mwr_object_created(MW_OBJECT_HANDLE, (uintptr_t)file, comm, id, path);
    if (object) {
        struct mw_io_member opened = opened_with(mode);

        object->is_sequential = (mode & MPI_MODE_SEQUENTIAL) != 0;
        note_io(call, MW_MEMBER_IO_OPEN, object->number, &opened);
        mwr_variables_file_opened(object->number, file);
    }
}

struct mwr_object *mwr_before_file_close(struct mwr_call *call, MPI_File file)
{
    struct mwr_object *object = mwr_object_forget(MW_OBJECT_HANDLE, (uintptr_t)file);

    if (object) {
        mwr_variables_file_closes(call, object->number);
    }
    return object;
}

void mwr_after_file_close(struct mwr_call *call, int result, struct mwr_object *object)
{
    mwr_running_pass_written();
    mwr_after_plain(call, result);
    if (!object) {
        return;
    }
    if (result != MPI_SUCCESS) {
        mwr_object_remember(object);
        return;
    }
    note_io(call, MW_MEMBER_IO_CLOSE, object->number, &(struct mw_io_member){0});
    mwr_object_free(object);
}

void mwr_after_file_delete(struct mwr_call *call, int result, const char *path)
{
    mwr_after_plain(call, result);
    if (result == MPI_SUCCESS && call->record) {
        note_io(call, MW_MEMBER_IO_DELETE, mwr_object_path(path), &(struct mw_io_member){0});
    }
}

/*
 * Where the file's pointer is, or, of an offset, which byte that is. What ROMIO calls by the names
 * of MPI meanwhile is for no PMPI tool to see.
 */
static bool ask(MPI_File file, const MPI_Offset *offset, MPI_Offset *answer)
{
    int result;

    mwr_thread.is_own = true;
    result = offset ? MWR_PMPI(File_get_byte_offset)(file, *offset, answer)
                    : MWR_PMPI(File_get_position)(file, answer);
    mwr_thread.is_own = false;
    return result == MPI_SUCCESS;
}

int64_t mwr_file_offset(const struct mwr_call *call, MPI_File file, MPI_Offset offset)
{
    const struct mwr_object *object = call->record ? find(file) : NULL;
    MPI_Offset bytes;

    /* A call that fails would call the application's error handler. */
    if (!object || object->is_sequential || offset < 0 || !ask(file, &offset, &bytes)) {
        return MWR_OFFSET_UNKNOWN;
    }
    return (int64_t)bytes;
}

int64_t mwr_file_position(const struct mwr_call *call, MPI_File file)
{
    const struct mwr_object *object = call->record ? find(file) : NULL;
    MPI_Offset position;

    if (!object || object->is_sequential || !ask(file, NULL, &position)) {
        return MWR_OFFSET_UNKNOWN;
    }
    return mwr_file_offset(call, file, position);
}

void mwr_after_file_seek(struct mwr_call *call, int result, MPI_File file, int64_t offset,
                         int whence, bool is_shared)
{
    const struct mwr_object *object = succeeded(call, result, file);
    struct mw_io_member seek = {.mode = OTF2_IO_SEEK_FROM_START, .offset = offset};

    if (!object) {
        return;
    }
    if (whence == MPI_SEEK_CUR) {
        seek.mode = OTF2_IO_SEEK_FROM_CURRENT;
    } else if (whence == MPI_SEEK_END) {
        seek.mode = OTF2_IO_SEEK_FROM_END;
    }
    seek.bytes = is_shared ? MW_BYTES_UNKNOWN : (uint64_t)mwr_file_position(call, file);
    note_io(call, MW_MEMBER_IO_SEEK, object->number, &seek);
}

void mwr_after_file_sync(struct mwr_call *call, int result, MPI_File file)
{
    const struct mwr_object *object = succeeded(call, result, file);

    if (object) {
        struct mw_io_member sync = {.mode = OTF2_IO_OPERATION_MODE_FLUSH,
                                    .flags = OTF2_IO_OPERATION_FLAG_COLLECTIVE,
                                    .offset = MWR_OFFSET_UNKNOWN,
                                    .id = mwr_stream_request(call->stream)};

        note_io(call, MW_MEMBER_IO_BEGIN, object->number, &sync);
        note_io(call, MW_MEMBER_IO_END, object->number, &sync);
    }
}

/* --- transfers ---------------------------------------------------------------------- */

/* Notes the beginning and returns its id. */
static uint64_t note_begin(struct mwr_call *call, const struct mwr_object *object,
                           const struct mwr_transfer *transfer)
{
    struct mw_io_member begun = {
        .mode = transfer->mode,
        .flags = transfer->flags,
        .bytes = mwr_bytes_of(transfer->count, transfer->datatype),
        .offset = transfer->offset,
        .id = mwr_stream_request(call->stream),
    };

    note_io(call, MW_MEMBER_IO_BEGIN, object->number, &begun);
    return begun.id;
}

static void note_end(struct mwr_call *call, uint32_t number, uint64_t id,
                     const MPI_Status *status)
{
    struct mw_io_member done = {.bytes = mwr_status_bytes(status), .id = id};

    note_io(call, MW_MEMBER_IO_END, number, &done);
}

/* What a filtered transfer, which is complete, has moved. */
static void count_filtered(struct mwr_call *call, struct mwr_transfer transfer,
                           const MPI_Status *status)
{
    uint64_t bytes = mwr_status_bytes(status);
    bool is_read = transfer.mode == OTF2_IO_OPERATION_MODE_READ;

    mwr_filter_bytes(call, is_read ? 0 : bytes, is_read ? bytes : 0);
}

void mwr_after_transfer(struct mwr_call *call, int result, MPI_File file,
                        struct mwr_transfer transfer, const MPI_Status *status)
{
    const struct mwr_object *object = succeeded(call, result, file);

    if (call->tally && result == MPI_SUCCESS) {
        count_filtered(call, transfer, status);
    }
    if (object) {
        uint64_t id = note_begin(call, object, &transfer);

        note_end(call, object->number, id, status);
    }
}

void mwr_after_transfer_begun(struct mwr_call *call, int result, MPI_File file,
                              struct mwr_transfer transfer, const MPI_Request *request)
{
    const struct mwr_object *object = succeeded(call, result, file);
    struct mwr_request started = {.kind = MWR_REQUEST_IO};
    MPI_Status status;
    int flag = 0;

    if (call->tally && result == MPI_SUCCESS && (object = find(file))) {
        mwr_filter_follow_on(call, &started, object->on, *request);
        return;
    }
    if (!object) {
        if (result == MPI_SUCCESS) {
            mwr_request_add_unrecorded(*request);
        }
        return;
    }
    transfer.flags |= OTF2_IO_OPERATION_FLAG_NON_BLOCKING;
    started.key = mwr_request_key(*request);
    started.id = note_begin(call, object, &transfer);
    started.comm = object->number;
    if (mwr_request_add(&started, *request) == MWR_ALREADY_COMPLETE &&
        MWR_PMPI(Request_get_status)(*request, &flag, &status) == MPI_SUCCESS && flag) {
        note_end(call, object->number, started.id, &status);
    }
}

void mwr_after_split_begun(struct mwr_call *call, int result, MPI_File file,
                           struct mwr_transfer transfer)
{
    struct mwr_object *object = succeeded(call, result, file);

    if (object) {
        transfer.flags |= OTF2_IO_OPERATION_FLAG_NON_BLOCKING;
        object->split = note_begin(call, object, &transfer);
    }
}

void mwr_after_split_end(struct mwr_call *call, int result, MPI_File file,
                         const MPI_Status *status)
{
    struct mwr_object *object = succeeded(call, result, file);

    if (object && object->split != 0) {
        note_end(call, object->number, object->split, status);
        object->split = 0;
    }
}

void mwr_io_complete(struct mwr_call *call, const struct mwr_request *request,
                     const MPI_Status *status, int error)
{
    mwr_running_pass_written();
    if (error == MPI_SUCCESS) {
        note_end(call, request->comm, request->id, status);
    }
}
