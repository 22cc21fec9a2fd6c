#ifndef MWR_HOOKS_KINDS_FILE_H
#define MWR_HOOKS_KINDS_FILE_H

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_Events.h>

#include "recorder/hooks/io_hooks.h"

/* The kinds of MPI-IO (see kinds.h). What these calls write is not taken for the program's: what
 * that wrote before them is told apart. */
#define MWR_NOTE_WRITTEN mwr_running_note_written(&mwr_call);

/* --- files ------------------------------------------------------------------------ */
#define MWR_BEFORE_FILE_OPEN
#define MWR_AFTER_FILE_OPEN                                                                     \
    mwr_after_file_open(&mwr_call, mwr_result, mwr_id, comm, filename, amode,                   \
                        MWR_VALUE(fh, MPI_FILE_NULL));
#define MWR_BEFORE_FILE_CLOSE                                                                   \
    MWR_NOTE_WRITTEN                                                                            \
    struct mwr_object *mwr_object =                                                             \
        mwr_before_file_close(&mwr_call, MWR_VALUE(fh, MPI_FILE_NULL));
#define MWR_AFTER_FILE_CLOSE mwr_after_file_close(&mwr_call, mwr_result, mwr_object);
#define MWR_BEFORE_FILE_DELETE
#define MWR_AFTER_FILE_DELETE mwr_after_file_delete(&mwr_call, mwr_result, filename);
#define MWR_BEFORE_FILE_SEEK MWR_NOTE_WRITTEN
#define MWR_AFTER_FILE_SEEK                                                                     \
    mwr_after_file_seek(&mwr_call, mwr_result, fh, (int64_t)offset, whence, false);
/* A new view's pointers are at its beginning. */
#define MWR_BEFORE_FILE_VIEW MWR_NOTE_WRITTEN
#define MWR_AFTER_FILE_VIEW                                                                     \
    mwr_after_file_seek(&mwr_call, mwr_result, fh, 0, MPI_SEEK_SET, false);
#define MWR_BEFORE_FILE_SEEK_SHARED MWR_NOTE_WRITTEN
#define MWR_AFTER_FILE_SEEK_SHARED                                                              \
    mwr_after_file_seek(&mwr_call, mwr_result, fh, (int64_t)offset, whence, true);
#define MWR_BEFORE_FILE_SYNC MWR_NOTE_WRITTEN
#define MWR_AFTER_FILE_SYNC mwr_after_file_sync(&mwr_call, mwr_result, fh);

/* --- transfers: READ or WRITE, their form, and where they begin ------------------------ */
#define MWR_FILE_TRANSFER_OF(operation, form, where)                                            \
    (struct mwr_transfer)                                                                       \
    {                                                                                           \
        .mode = OTF2_IO_OPERATION_MODE_##operation, .flags = OTF2_IO_OPERATION_FLAG_##form,     \
        .offset = MWR_OFFSET_##where, .count = (int64_t)count, .datatype = datatype             \
    }
#define MWR_OFFSET_AT mwr_file_offset(&mwr_call, fh, offset)
#define MWR_OFFSET_HERE mwr_offset
#define MWR_OFFSET_ANYWHERE MWR_OFFSET_UNKNOWN
#define MWR_BEFORE_AT
#define MWR_BEFORE_HERE int64_t mwr_offset = mwr_file_position(&mwr_call, fh);
#define MWR_BEFORE_ANYWHERE

#define MWR_BEFORE_FILE_TRANSFER(operation, form, where)                                        \
    MWR_OWN_STATUS MWR_NOTE_WRITTEN MWR_BEFORE_##where
#define MWR_AFTER_FILE_TRANSFER(...)                                                            \
    mwr_after_transfer(&mwr_call, mwr_result, fh, MWR_FILE_TRANSFER_OF(__VA_ARGS__), status);
#define MWR_BEFORE_FILE_ITRANSFER(operation, form, where) MWR_NOTE_WRITTEN MWR_BEFORE_##where
#define MWR_AFTER_FILE_ITRANSFER(...)                                                           \
    mwr_after_transfer_begun(&mwr_call, mwr_result, fh, MWR_FILE_TRANSFER_OF(__VA_ARGS__),      \
                             request);
#define MWR_BEFORE_FILE_SPLIT(operation, where) MWR_NOTE_WRITTEN MWR_BEFORE_##where
#define MWR_AFTER_FILE_SPLIT(operation, where)                                                  \
    mwr_after_split_begun(&mwr_call, mwr_result, fh,                                            \
                          MWR_FILE_TRANSFER_OF(operation, COLLECTIVE, where));
#define MWR_BEFORE_FILE_SPLIT_END MWR_OWN_STATUS MWR_NOTE_WRITTEN
#define MWR_AFTER_FILE_SPLIT_END mwr_after_split_end(&mwr_call, mwr_result, fh, status);

#endif
