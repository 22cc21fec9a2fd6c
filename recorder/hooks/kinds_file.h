#ifndef MWR_HOOKS_KINDS_FILE_H
#define MWR_HOOKS_KINDS_FILE_H

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_Events.h>

#include "recorder/hooks/io_hooks.h"

/* The kinds of MPI-IO (see kinds.h). */

/* --- files ------------------------------------------------------------------------ */
#define MWR_BEFORE_FILE_OPEN
#define MWR_AFTER_FILE_OPEN                                                                     \
    mwr_after_file_open(&mwr_call, mwr_result, mwr_id, comm, filename, amode,                   \
                        MWR_VALUE(fh, MPI_FILE_NULL));
#define MWR_BEFORE_FILE_CLOSE                                                                   \
    struct mwr_object *mwr_object =                                                             \
        mwr_before_file_close(&mwr_call, MWR_VALUE(fh, MPI_FILE_NULL));
#define MWR_AFTER_FILE_CLOSE mwr_after_file_close(&mwr_call, mwr_result, mwr_object);
#define MWR_BEFORE_FILE_DELETE
#define MWR_AFTER_FILE_DELETE mwr_after_file_delete(&mwr_call, mwr_result, filename);
#define MWR_BEFORE_FILE_SEEK
#define MWR_AFTER_FILE_SEEK                                                                     \
    mwr_after_file_seek(&mwr_call, mwr_result, fh, (int64_t)offset, whence, false);
/* A new view's pointers are at its beginning. */
#define MWR_BEFORE_FILE_VIEW
#define MWR_AFTER_FILE_VIEW                                                                     \
    mwr_after_file_seek(&mwr_call, mwr_result, fh, 0, MPI_SEEK_SET, false);
#define MWR_BEFORE_FILE_SEEK_SHARED
#define MWR_AFTER_FILE_SEEK_SHARED                                                              \
    mwr_after_file_seek(&mwr_call, mwr_result, fh, (int64_t)offset, whence, true);
#define MWR_BEFORE_FILE_SYNC
#define MWR_AFTER_FILE_SYNC mwr_after_file_sync(&mwr_call, mwr_result, fh);

/* --- transfers: where they begin, and their forms -------------------------------------- */
#define MWR_AT mwr_file_offset(&mwr_call, fh, offset)
#define MWR_HERE mwr_offset
#define MWR_SOMEWHERE MWR_OFFSET_UNKNOWN
#define MWR_KEEP_OFFSET int64_t mwr_offset = mwr_file_position(&mwr_call, fh);
#define MWR_TRANSFER(operation, form, where)                                                    \
    (struct mwr_transfer)                                                                       \
    {                                                                                           \
        .mode = OTF2_IO_OPERATION_MODE_##operation, .flags = OTF2_IO_OPERATION_FLAG_##form,     \
        .offset = where, .count = (int64_t)count, .datatype = datatype                          \
    }
#define MWR_TRANSFERRED(operation, form, where)                                                 \
    mwr_after_transfer(&mwr_call, mwr_result, fh, MWR_TRANSFER(operation, form, where), status);
#define MWR_TRANSFER_BEGUN(operation, form, where)                                              \
    mwr_after_transfer_begun(&mwr_call, mwr_result, fh, MWR_TRANSFER(operation, form, where),   \
                             request);
#define MWR_SPLIT_BEGUN(operation, where)                                                       \
    mwr_after_split_begun(&mwr_call, mwr_result, fh,                                            \
                          MWR_TRANSFER(operation, COLLECTIVE, where));
#define MWR_SPLIT_END mwr_after_split_end(&mwr_call, mwr_result, fh, status);

#define MWR_BEFORE_FILE_READ MWR_OWN_STATUS MWR_KEEP_OFFSET
#define MWR_AFTER_FILE_READ MWR_TRANSFERRED(READ, NONE, MWR_HERE)
#define MWR_BEFORE_FILE_IREAD MWR_KEEP_OFFSET
#define MWR_AFTER_FILE_IREAD MWR_TRANSFER_BEGUN(READ, NONE, MWR_HERE)
#define MWR_BEFORE_FILE_READ_ALL MWR_OWN_STATUS MWR_KEEP_OFFSET
#define MWR_AFTER_FILE_READ_ALL MWR_TRANSFERRED(READ, COLLECTIVE, MWR_HERE)
#define MWR_BEFORE_FILE_IREAD_ALL MWR_KEEP_OFFSET
#define MWR_AFTER_FILE_IREAD_ALL MWR_TRANSFER_BEGUN(READ, COLLECTIVE, MWR_HERE)
#define MWR_BEFORE_FILE_READ_ALL_BEGIN MWR_KEEP_OFFSET
#define MWR_AFTER_FILE_READ_ALL_BEGIN MWR_SPLIT_BEGUN(READ, MWR_HERE)
#define MWR_BEFORE_FILE_READ_SHARED MWR_OWN_STATUS
#define MWR_AFTER_FILE_READ_SHARED MWR_TRANSFERRED(READ, NONE, MWR_SOMEWHERE)
#define MWR_BEFORE_FILE_IREAD_SHARED
#define MWR_AFTER_FILE_IREAD_SHARED MWR_TRANSFER_BEGUN(READ, NONE, MWR_SOMEWHERE)
#define MWR_BEFORE_FILE_READ_ORDERED MWR_OWN_STATUS
#define MWR_AFTER_FILE_READ_ORDERED MWR_TRANSFERRED(READ, COLLECTIVE, MWR_SOMEWHERE)
#define MWR_BEFORE_FILE_READ_ORDERED_BEGIN
#define MWR_AFTER_FILE_READ_ORDERED_BEGIN MWR_SPLIT_BEGUN(READ, MWR_SOMEWHERE)
#define MWR_BEFORE_FILE_READ_AT MWR_OWN_STATUS
#define MWR_AFTER_FILE_READ_AT MWR_TRANSFERRED(READ, NONE, MWR_AT)
#define MWR_BEFORE_FILE_IREAD_AT
#define MWR_AFTER_FILE_IREAD_AT MWR_TRANSFER_BEGUN(READ, NONE, MWR_AT)
#define MWR_BEFORE_FILE_READ_AT_ALL MWR_OWN_STATUS
#define MWR_AFTER_FILE_READ_AT_ALL MWR_TRANSFERRED(READ, COLLECTIVE, MWR_AT)
#define MWR_BEFORE_FILE_IREAD_AT_ALL
#define MWR_AFTER_FILE_IREAD_AT_ALL MWR_TRANSFER_BEGUN(READ, COLLECTIVE, MWR_AT)
#define MWR_BEFORE_FILE_READ_AT_ALL_BEGIN
#define MWR_AFTER_FILE_READ_AT_ALL_BEGIN MWR_SPLIT_BEGUN(READ, MWR_AT)
#define MWR_BEFORE_FILE_READ_END MWR_OWN_STATUS
#define MWR_AFTER_FILE_READ_END MWR_SPLIT_END
#define MWR_BEFORE_FILE_WRITE MWR_OWN_STATUS MWR_KEEP_OFFSET
#define MWR_AFTER_FILE_WRITE MWR_TRANSFERRED(WRITE, NONE, MWR_HERE)
#define MWR_BEFORE_FILE_IWRITE MWR_KEEP_OFFSET
#define MWR_AFTER_FILE_IWRITE MWR_TRANSFER_BEGUN(WRITE, NONE, MWR_HERE)
#define MWR_BEFORE_FILE_WRITE_ALL MWR_OWN_STATUS MWR_KEEP_OFFSET
#define MWR_AFTER_FILE_WRITE_ALL MWR_TRANSFERRED(WRITE, COLLECTIVE, MWR_HERE)
#define MWR_BEFORE_FILE_IWRITE_ALL MWR_KEEP_OFFSET
#define MWR_AFTER_FILE_IWRITE_ALL MWR_TRANSFER_BEGUN(WRITE, COLLECTIVE, MWR_HERE)
#define MWR_BEFORE_FILE_WRITE_ALL_BEGIN MWR_KEEP_OFFSET
#define MWR_AFTER_FILE_WRITE_ALL_BEGIN MWR_SPLIT_BEGUN(WRITE, MWR_HERE)
#define MWR_BEFORE_FILE_WRITE_SHARED MWR_OWN_STATUS
#define MWR_AFTER_FILE_WRITE_SHARED MWR_TRANSFERRED(WRITE, NONE, MWR_SOMEWHERE)
#define MWR_BEFORE_FILE_IWRITE_SHARED
#define MWR_AFTER_FILE_IWRITE_SHARED MWR_TRANSFER_BEGUN(WRITE, NONE, MWR_SOMEWHERE)
#define MWR_BEFORE_FILE_WRITE_ORDERED MWR_OWN_STATUS
#define MWR_AFTER_FILE_WRITE_ORDERED MWR_TRANSFERRED(WRITE, COLLECTIVE, MWR_SOMEWHERE)
#define MWR_BEFORE_FILE_WRITE_ORDERED_BEGIN
#define MWR_AFTER_FILE_WRITE_ORDERED_BEGIN MWR_SPLIT_BEGUN(WRITE, MWR_SOMEWHERE)
#define MWR_BEFORE_FILE_WRITE_AT MWR_OWN_STATUS
#define MWR_AFTER_FILE_WRITE_AT MWR_TRANSFERRED(WRITE, NONE, MWR_AT)
#define MWR_BEFORE_FILE_IWRITE_AT
#define MWR_AFTER_FILE_IWRITE_AT MWR_TRANSFER_BEGUN(WRITE, NONE, MWR_AT)
#define MWR_BEFORE_FILE_WRITE_AT_ALL MWR_OWN_STATUS
#define MWR_AFTER_FILE_WRITE_AT_ALL MWR_TRANSFERRED(WRITE, COLLECTIVE, MWR_AT)
#define MWR_BEFORE_FILE_IWRITE_AT_ALL
#define MWR_AFTER_FILE_IWRITE_AT_ALL MWR_TRANSFER_BEGUN(WRITE, COLLECTIVE, MWR_AT)
#define MWR_BEFORE_FILE_WRITE_AT_ALL_BEGIN
#define MWR_AFTER_FILE_WRITE_AT_ALL_BEGIN MWR_SPLIT_BEGUN(WRITE, MWR_AT)
#define MWR_BEFORE_FILE_WRITE_END MWR_OWN_STATUS
#define MWR_AFTER_FILE_WRITE_END MWR_SPLIT_END

#endif
