#include "recorder/finalize/transport_mpi.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/base/file.h"
#include "recorder/dispatch/chain.h"
#include "recorder/finalize/output_file.h"
#include "recorder/recorder.h"

/* One message, so that counts stay far below INT_MAX. */
#define PIECE_BYTES (64u << 20)
/* One write. */
#define BUFFER_BYTES (1u << 20)
/* Up to so much in all is written by one collective call, more by independent ones. */
#define COLLECTIVE_BYTES (1u << 20)

#define TAG_DATA 1

static struct mwr_mpi_transport *state_of(void *context)
{
    return context;
}

static enum mw_status mpi_failed(struct mw_diagnostic *diagnostic, const char *what, int error)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;

    MWR_PMPI(Error_string)(error, text, &length);
    return mw_fail(diagnostic, MW_ERROR_MPI, NULL, MW_DIAGNOSTIC_OFFSET_NONE, "%s: %s", what,
                   text);
}

/* --- data ------------------------------------------------------------------------ */

static int send_bytes(const struct mwr_mpi_transport *state, const char *data, uint64_t bytes,
                      int to)
{
    int error = MPI_SUCCESS;

    for (uint64_t sent = 0; error == MPI_SUCCESS && sent < bytes; sent += PIECE_BYTES) {
        uint64_t piece = bytes - sent < PIECE_BYTES ? bytes - sent : PIECE_BYTES;

        error = MWR_PMPI(Send)(data + sent, (int)piece, MPI_BYTE, to, TAG_DATA, state->comm);
        mwr_recorder_note_traffic(piece, 0);
    }
    return error;
}

static int receive_bytes(const struct mwr_mpi_transport *state, char *data, uint64_t bytes,
                         int from)
{
    int error = MPI_SUCCESS;

    for (uint64_t got = 0; error == MPI_SUCCESS && got < bytes; got += PIECE_BYTES) {
        uint64_t piece = bytes - got < PIECE_BYTES ? bytes - got : PIECE_BYTES;

        error = MWR_PMPI(Recv)(data + got, (int)piece, MPI_BYTE, from, TAG_DATA, state->comm,
                               MPI_STATUS_IGNORE);
        mwr_recorder_note_traffic(0, piece);
    }
    return error;
}

/* Memory for parts of the given sizes, pointed into. */
static bool allocate_parts(struct mw_parts *parts, uint32_t count)
{
    uint64_t total = 0;

    for (uint32_t i = 0; i < count; i++) {
        total += parts->sizes[i];
    }
    parts->count = count;
    parts->parts = calloc(count, sizeof *parts->parts);
    parts->data = malloc(total + 1);
    if (!parts->parts || !parts->data) {
        return false;
    }
    total = 0;
    for (uint32_t i = 0; i < count; i++) {
        parts->parts[i] = parts->data + total;
        total += parts->sizes[i];
    }
    return true;
}

static enum mw_status agree(void *context, enum mw_status mine, enum mw_status *worst,
                            struct mw_diagnostic *diagnostic)
{
    int own = mine;
    int highest = MW_ERROR_MPI;
    int error = MWR_PMPI(Allreduce)(&own, &highest, 1, MPI_INT, MPI_MAX, state_of(context)->comm);

    mwr_recorder_note_traffic(sizeof own, sizeof highest);
    *worst = (enum mw_status)highest;
    return error == MPI_SUCCESS ? MW_OK : mpi_failed(diagnostic, "can't agree", error);
}

/* Rank 0's half of a gather: sizes are known; memory, then everyone's data. */
static enum mw_status collect(struct mwr_mpi_transport *state, const void *data,
                              struct mw_parts *parts, struct mw_diagnostic *diagnostic)
{
    int error = MPI_SUCCESS;

    memcpy(parts->parts[0], data, parts->sizes[0]);
    for (int i = 1; error == MPI_SUCCESS && i < state->size; i++) {
        error = receive_bytes(state, parts->parts[i], parts->sizes[i], i);
    }
    return error == MPI_SUCCESS ? MW_OK : mpi_failed(diagnostic, "can't gather", error);
}

/* What rank 0 gives or takes where the others have bytes each. */
static uint64_t of_all(const struct mwr_mpi_transport *state, uint64_t bytes)
{
    return state->rank == 0 ? bytes * (uint64_t)state->size : 0;
}

static enum mw_status gather(void *context, const void *data, uint64_t bytes,
                             struct mw_parts *parts, struct mw_diagnostic *diagnostic)
{
    struct mwr_mpi_transport *state = state_of(context);
    enum mw_status status = MW_OK;
    enum mw_status worst = MW_OK;
    int error;

    memset(parts, 0, sizeof *parts);
    if (state->rank == 0) {
        parts->sizes = calloc((size_t)state->size, sizeof *parts->sizes);
        status = parts->sizes ? MW_OK : MW_ERROR_MEMORY;
    }
    if (agree(context, status, &worst, diagnostic) != MW_OK || worst != MW_OK) {
        return worst;
    }
    error = MWR_PMPI(Gather)(&bytes, 1, MPI_UINT64_T, parts->sizes, 1, MPI_UINT64_T, 0,
                             state->comm);
    mwr_recorder_note_traffic(sizeof bytes, of_all(state, sizeof bytes));
    if (error != MPI_SUCCESS) {
        return mpi_failed(diagnostic, "can't gather", error);
    }
    if (state->rank == 0 && !allocate_parts(parts, (uint32_t)state->size)) {
        status = mw_no_memory(diagnostic, NULL, "to gather what the ranks have to say");
    }
    if (agree(context, status, &worst, diagnostic) != MW_OK || worst != MW_OK) {
        mw_parts_fini(parts);
        return worst;
    }
    if (state->rank == 0) {
        return collect(state, data, parts, diagnostic);
    }
    error = send_bytes(state, data, bytes, 0);
    return error == MPI_SUCCESS ? MW_OK : mpi_failed(diagnostic, "can't gather", error);
}

/* --- up a tree -------------------------------------------------------------------- */

#define GIVES_NOTHING UINT64_MAX /* in the place of a size: the process has failed */

static int send_number(const struct mwr_mpi_transport *state, uint64_t number, int to)
{
    int error = MWR_PMPI(Send)(&number, 1, MPI_UINT64_T, to, TAG_DATA, state->comm);

    mwr_recorder_note_traffic(sizeof number, 0);
    return error;
}

static int receive_number(const struct mwr_mpi_transport *state, uint64_t *number, int from)
{
    int error = MWR_PMPI(Recv)(number, 1, MPI_UINT64_T, from, TAG_DATA, state->comm,
                               MPI_STATUS_IGNORE);

    mwr_recorder_note_traffic(0, sizeof *number);
    return error;
}

/*
 * Takes what a process below in the tree has: its size, then, if there is room (1), the data. Who
 * has failed before (status) has no room. \return what MPI says.
 */
static int take_from(const struct mwr_mpi_transport *state, int from,
                     const struct mw_combined *combined, enum mw_status *status)
{
    uint64_t bytes = GIVES_NOTHING;
    int error = receive_number(state, &bytes, from);
    char *data = NULL;

    if (error != MPI_SUCCESS || bytes == GIVES_NOTHING) {
        return error;
    }
    if (*status == MW_OK) {
        data = malloc(bytes + 1);
        *status = data ? MW_OK : MW_ERROR_MEMORY;
    }
    error = send_number(state, data != NULL, from);
    if (data && error == MPI_SUCCESS) {
        error = receive_bytes(state, data, bytes, from);
        if (error == MPI_SUCCESS) {
            *status = combined->take(combined->of, data, bytes);
        }
    }
    free(data);
    return error;
}

/* Gives what this process has to the one above; the other half of take_from. */
static int give_to(const struct mwr_mpi_transport *state, int to,
                   const struct mw_combined *combined, enum mw_status *status)
{
    struct mw_buffer buffer = {0};
    uint64_t has_room = 0;
    int error;

    if (*status == MW_OK) {
        combined->give(combined->of, &buffer);
        *status = buffer.failed ? MW_ERROR_MEMORY : MW_OK;
    }
    error = send_number(state, *status == MW_OK ? buffer.bytes : GIVES_NOTHING, to);
    if (error == MPI_SUCCESS && *status == MW_OK) {
        error = receive_number(state, &has_room, to);
        if (error == MPI_SUCCESS && has_room) {
            error = send_bytes(state, buffer.data, buffer.bytes, to);
        }
    }
    mw_buffer_fini(&buffer);
    return error;
}

/*
 * A binomial tree: a process takes from those 1, 2, 4 … above it, of which each has all up to the
 * next one, and gives to the one that its lowest bit is above of.
 */
static enum mw_status combine(void *context, const struct mw_combined *combined,
                              struct mw_diagnostic *diagnostic)
{
    struct mwr_mpi_transport *state = state_of(context);
    enum mw_status status = MW_OK;
    int error = MPI_SUCCESS;
    int distance = 1;

    for (; error == MPI_SUCCESS && distance < state->size && (state->rank & distance) == 0;
         distance *= 2) {
        if (distance < state->size - state->rank) {
            error = take_from(state, state->rank + distance, combined, &status);
        }
    }
    if (error == MPI_SUCCESS && state->rank != 0) {
        error = give_to(state, state->rank - distance, combined, &status);
    }
    if (error != MPI_SUCCESS) {
        return mpi_failed(diagnostic, "can't combine", error);
    }
    return status == MW_OK ? MW_OK
                           : mw_fail(diagnostic, status, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                                     "can't put together what the ranks have to say");
}

/* --- to and from all ---------------------------------------------------------------- */

static enum mw_status scatter(void *context, const struct mw_parts *parts, char **data,
                              uint64_t *bytes, struct mw_diagnostic *diagnostic)
{
    struct mwr_mpi_transport *state = state_of(context);
    enum mw_status status = MW_OK;
    enum mw_status worst = MW_OK;
    int error;

    *data = NULL;
    *bytes = 0;
    error = MWR_PMPI(Scatter)(state->rank == 0 ? parts->sizes : NULL, 1, MPI_UINT64_T, bytes, 1,
                              MPI_UINT64_T, 0, state->comm);
    mwr_recorder_note_traffic(of_all(state, sizeof *bytes), sizeof *bytes);
    if (error != MPI_SUCCESS) {
        return mpi_failed(diagnostic, "can't scatter", error);
    }
    if (*bytes > 0) {
        *data = malloc(*bytes);
        status = *data ? MW_OK
                       : mw_no_memory(diagnostic, NULL, "for %llu bytes from rank 0",
                                      (unsigned long long)*bytes);
    }
    if (agree(context, status, &worst, diagnostic) != MW_OK || worst != MW_OK) {
        free(*data);
        *data = NULL;
        return status != MW_OK ? status : worst;
    }
    if (state->rank != 0) {
        error = receive_bytes(state, *data, *bytes, 0);
    } else {
        if (*bytes > 0) {
            memcpy(*data, parts->parts[0], *bytes);
        }
        for (int i = 1; error == MPI_SUCCESS && i < state->size; i++) {
            error = send_bytes(state, parts->parts[i], parts->sizes[i], i);
        }
    }
    return error == MPI_SUCCESS ? MW_OK : mpi_failed(diagnostic, "can't scatter", error);
}

static enum mw_status broadcast(void *context, void *data, uint64_t bytes,
                                struct mw_diagnostic *diagnostic)
{
    bool is_root = state_of(context)->rank == 0;
    int error = MPI_SUCCESS;

    for (uint64_t done = 0; error == MPI_SUCCESS && done < bytes; done += PIECE_BYTES) {
        uint64_t piece = bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES;

        error = MWR_PMPI(Bcast)((char *)data + done, (int)piece, MPI_BYTE, 0,
                                state_of(context)->comm);
        mwr_recorder_note_traffic(is_root ? piece : 0, is_root ? 0 : piece);
    }
    return error == MPI_SUCCESS ? MW_OK : mpi_failed(diagnostic, "can't broadcast", error);
}

static enum mw_status exscan(void *context, uint64_t mine, uint64_t *before, uint64_t *total,
                             struct mw_diagnostic *diagnostic)
{
    struct mwr_mpi_transport *state = state_of(context);
    int error;

    *before = 0;
    error = MWR_PMPI(Exscan)(&mine, before, 1, MPI_UINT64_T, MPI_SUM, state->comm);
    mwr_recorder_note_traffic(sizeof mine, sizeof *before);
    if (state->rank == 0) {
        *before = 0; /* MPI leaves it undefined there */
    }
    if (error == MPI_SUCCESS) {
        error = MWR_PMPI(Allreduce)(&mine, total, 1, MPI_UINT64_T, MPI_SUM, state->comm);
        mwr_recorder_note_traffic(sizeof mine, sizeof *total);
    }
    return error == MPI_SUCCESS ? MW_OK : mpi_failed(diagnostic, "can't add up", error);
}

/* --- the output ------------------------------------------------------------------- */

static enum mw_status output_open(void *context, const char *path, uint64_t nonce,
                                  struct mw_diagnostic *diagnostic)
{
    struct mwr_mpi_transport *state = state_of(context);
    enum mw_status status = MW_OK;
    enum mw_status worst = MW_OK;
    int error;

    if (state->rank == 0) {
        status = mwr_output_make(path, nonce, diagnostic);
    }
    if (agree(context, status, &worst, diagnostic) != MW_OK || worst != MW_OK) {
        return status != MW_OK ? status : MW_ERROR_PEER;
    }
    if (state->rank != 0) {
        status = mwr_output_see(path, nonce, diagnostic);
    }
    if (status == MW_OK) {
        status = mwr_output_has_memory(diagnostic);
    }
    if (agree(context, status, &worst, diagnostic) != MW_OK || worst != MW_OK) {
        if (state->rank == 0) {
            unlink(path);
        }
        return status != MW_OK ? status : MW_ERROR_PEER;
    }
    error = mwr_output_open(state->comm, path, &state->file);
    state->path = path;
    if (error != MPI_SUCCESS) {
        status = mpi_failed(diagnostic, "MPI can't open the output", error);
        state->file = MPI_FILE_NULL;
    }
    if (agree(context, status, &worst, diagnostic) != MW_OK || worst != MW_OK) {
        if (state->file != MPI_FILE_NULL) {
            MWR_PMPI(File_close)(&state->file);
        }
        if (state->rank == 0) {
            unlink(path);
        }
        return status != MW_OK ? status : MW_ERROR_PEER;
    }
    return MW_OK;
}

/* Reads bytes at offset of source into buffer, all of them. */
static enum mw_status read_piece(int source, uint64_t offset, char *buffer, uint64_t bytes,
                                 struct mw_diagnostic *diagnostic)
{
    uint64_t got = 0;

    while (got < bytes) {
        ssize_t count = pread(source, buffer + got, bytes - got, (off_t)(offset + got));

        if (count <= 0) {
            return mw_fail(diagnostic, MW_ERROR_SYSTEM, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                           "can't read the scratch file back");
        }
        got += (uint64_t)count;
    }
    return MW_OK;
}

/*
 * What MPI says of a failure is its own; whether the device is full can be found out. Open MPI's
 * ROMIO leaves the status of a process that writes nothing as it is.
 */
static enum mw_status check_written(const struct mwr_mpi_transport *state, int error,
                                    const MPI_Status *written, uint64_t bytes,
                                    struct mw_diagnostic *diagnostic)
{
    int count = 0;

    if (error == MPI_SUCCESS &&
        (bytes == 0 || (MWR_PMPI(Get_count)(written, MPI_BYTE, &count) == MPI_SUCCESS &&
                        (uint64_t)count == bytes))) {
        return MW_OK;
    }
    errno = mwr_output_room(state->path, state->end);
    if (error != MPI_SUCCESS) {
        return errno == 0 ? mpi_failed(diagnostic, "MPI can't write the output", error)
                          : mw_fail(diagnostic, mw_file_write_error(), NULL,
                                    MW_DIAGNOSTIC_OFFSET_NONE, "can't write the output");
    }
    return mw_fail(diagnostic, MW_ERROR_SPACE, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                   "MPI wrote %d of %llu bytes of the output", count, (unsigned long long)bytes);
}

static enum mw_status write_together(struct mwr_mpi_transport *state, int source,
                                     uint64_t source_offset, uint64_t bytes,
                                     uint64_t target_offset, char *buffer,
                                     struct mw_diagnostic *diagnostic)
{
    MPI_Status written;
    enum mw_status status = MW_OK;
    int error;

    if (bytes > 0) {
        status = buffer ? read_piece(source, source_offset, buffer, bytes, diagnostic)
                        : MW_ERROR_MEMORY;
    }
    if (status != MW_OK) {
        bytes = 0; /* takes part all the same */
    }
    error = MWR_PMPI(File_write_at_all)(state->file, (MPI_Offset)target_offset, buffer,
                                        (int)bytes, MPI_BYTE, &written);
    return status != MW_OK ? status : check_written(state, error, &written, bytes, diagnostic);
}

static enum mw_status write_alone(struct mwr_mpi_transport *state, int source,
                                  uint64_t source_offset, uint64_t bytes, uint64_t target_offset,
                                  char *buffer, struct mw_diagnostic *diagnostic)
{
    enum mw_status status = bytes == 0 || buffer ? MW_OK : MW_ERROR_MEMORY;

    for (uint64_t done = 0; status == MW_OK && done < bytes; done += BUFFER_BYTES) {
        uint64_t piece = bytes - done < BUFFER_BYTES ? bytes - done : BUFFER_BYTES;

        status = read_piece(source, source_offset + done, buffer, piece, diagnostic);
        if (status == MW_OK) {
            MPI_Status written;
            int error = MWR_PMPI(File_write_at)(state->file, (MPI_Offset)(target_offset + done),
                                                buffer, (int)piece, MPI_BYTE, &written);

            status = check_written(state, error, &written, piece, diagnostic);
        }
    }
    return status;
}

/*
 * Whether the output may become so large: any process may be the one that writes for others,
 * and MPI's own errors say less. Collective; end is 0 where there is nothing to write.
 */
static enum mw_status agree_on_end(void *context, uint64_t end, struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;
    enum mw_status worst = MW_OK;
    uint64_t highest = 0;
    int error = MWR_PMPI(Allreduce)(&end, &highest, 1, MPI_UINT64_T, MPI_MAX,
                                    state_of(context)->comm);

    mwr_recorder_note_traffic(sizeof end, sizeof highest);
    if (error != MPI_SUCCESS) {
        return mpi_failed(diagnostic, "can't agree on the size of the output", error);
    }
    state_of(context)->end = highest;
    if (highest > mw_file_bytes_allowed(0)) {
        errno = EFBIG;
        status = mw_fail(diagnostic, MW_ERROR_SPACE, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                         "the output would have %llu bytes, which the process's limit on files "
                         "forbids",
                         (unsigned long long)highest);
    }
    if (agree(context, status, &worst, status == MW_OK ? diagnostic : NULL) != MW_OK ||
        worst != MW_OK) {
        return status != MW_OK ? status : MW_ERROR_PEER;
    }
    return MW_OK;
}

static enum mw_status output_write(void *context, int source, uint64_t source_offset,
                                   uint64_t bytes, uint64_t target_offset,
                                   struct mw_diagnostic *diagnostic)
{
    struct mwr_mpi_transport *state = state_of(context);
    uint64_t before;
    uint64_t total = 0;
    char *buffer = bytes > 0 ? malloc(bytes < BUFFER_BYTES ? bytes : BUFFER_BYTES) : NULL;
    enum mw_status status =
        agree_on_end(context, bytes > 0 ? target_offset + bytes : 0, diagnostic);

    if (status == MW_OK) {
        status = exscan(context, bytes, &before, &total, diagnostic);
    }
    if (status == MW_OK && total <= COLLECTIVE_BYTES) {
        status = write_together(state, source, source_offset, bytes, target_offset, buffer,
                                diagnostic);
    } else if (status == MW_OK) {
        status = write_alone(state, source, source_offset, bytes, target_offset, buffer,
                             diagnostic);
    }
    if (status == MW_ERROR_MEMORY) {
        status = mw_no_memory(diagnostic, NULL, "to write the output");
    }
    free(buffer);
    return status;
}

static enum mw_status output_close(void *context, struct mw_diagnostic *diagnostic)
{
    struct mwr_mpi_transport *state = state_of(context);
    int error;

    if (state->file == MPI_FILE_NULL) {
        return MW_OK;
    }
    error = MWR_PMPI(File_close)(&state->file);
    state->file = MPI_FILE_NULL;
    return error == MPI_SUCCESS ? MW_OK
                                : mpi_failed(diagnostic, "MPI can't close the output", error);
}

void mwr_transport_mpi_init(struct mw_transport *transport, struct mwr_mpi_transport *state,
                            MPI_Comm comm)
{
    state->comm = comm;
    state->file = MPI_FILE_NULL;
    MWR_PMPI(Comm_rank)(comm, &state->rank);
    MWR_PMPI(Comm_size)(comm, &state->size);
    *transport = (struct mw_transport){
        .context = state,
        .rank = (uint32_t)state->rank,
        .size = (uint32_t)state->size,
        .gather = gather,
        .combine = combine,
        .scatter = scatter,
        .broadcast = broadcast,
        .exscan = exscan,
        .agree = agree,
        .output_open = output_open,
        .output_write = output_write,
        .output_close = output_close,
    };
}
