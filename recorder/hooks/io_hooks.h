#ifndef MWR_HOOKS_IO_HOOKS_H
#define MWR_HOOKS_IO_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/dispatch/mpi_header.h"
#include "recorder/state/objects.h"
#include "recorder/state/requests.h"
#include "recorder/state/thread.h"

/*
 * MPI-IO: which file is open, and for each operation the bytes asked for, the bytes done
 * (by its status) and where in the file it begins. That is known of operations with an
 * explicit offset or on the process's own pointer; shared pointers are not asked, since
 * others may move them, nor files opened for sequential access.
 */

#define MWR_OFFSET_UNKNOWN ((int64_t)-1)

void mwr_after_file_open(struct mwr_call *call, int result, unsigned id, MPI_Comm comm,
                         const char *path, int mode, MPI_File file);
struct mwr_object *mwr_before_file_close(struct mwr_call *call, MPI_File file);
void mwr_after_file_close(struct mwr_call *call, int result, struct mwr_object *object);
void mwr_after_file_delete(struct mwr_call *call, int result, const char *path);
void mwr_after_file_seek(struct mwr_call *call, int result, MPI_File file, int64_t offset,
                         int whence, bool is_shared);
void mwr_after_file_sync(struct mwr_call *call, int result, MPI_File file);

/* Byte offsets, or MWR_OFFSET_UNKNOWN: of the own pointer, and of an explicit offset. */
int64_t mwr_file_position(const struct mwr_call *call, MPI_File file);
int64_t mwr_file_offset(const struct mwr_call *call, MPI_File file, MPI_Offset offset);

struct mwr_transfer {
    uint32_t mode;  /* OTF2_IoOperationMode */
    uint32_t flags; /* OTF2_IoOperationFlag */
    int64_t offset;
    int64_t count;
    MPI_Datatype datatype;
};

void mwr_after_transfer(struct mwr_call *call, int result, MPI_File file,
                        struct mwr_transfer transfer, const MPI_Status *status);
void mwr_after_transfer_begun(struct mwr_call *call, int result, MPI_File file,
                              struct mwr_transfer transfer, const MPI_Request *request);
/* Split collective operations: one of a file may be under way. */
void mwr_after_split_begun(struct mwr_call *call, int result, MPI_File file,
                           struct mwr_transfer transfer);
void mwr_after_split_end(struct mwr_call *call, int result, MPI_File file,
                         const MPI_Status *status);

void mwr_io_complete(struct mwr_call *call, const struct mwr_request *request,
                     const MPI_Status *status, int error);

#endif
