#ifndef MW_FORMATS_BASE_OWN_FILE_H
#define MW_FORMATS_BASE_OWN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/base/status.h"

/*
 * A file that is written through memory inside somebody else's program, which may close
 * descriptors that it did not open, or put its own files over them: what was ours by number
 * is then the program's. So no descriptor is kept. The file is opened by its path each time
 * it has to grow, and used only if it is the one that was made; what is mapped stays mapped
 * (and as long as some of it is, no other file can get its inode).
 *
 * One thread at a time for each file. Nothing here is a cancellation point.
 */
struct mw_own_file {
    char *path;
    uint64_t device;
    uint64_t inode;
    uint64_t bytes; /* that are allocated */
};

/*
 * Creates the file path (O_EXCL, no symlink followed, mode 0600), empty.
 *
 * \return MW_OK, and *file is ready until mw_own_file_fini.
 * \return MW_ERROR_MEMORY, MW_ERROR_SYSTEM, MW_ERROR_SPACE: there is no file.
 */
enum mw_status mw_own_file_create(struct mw_own_file *file, const char *path,
                                  struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Maps bytes at offset (a multiple of the page size). As far as they lie past the file's end
 * they are zero, and allocated before, so that a full disk is an error code and never a SIGBUS.
 *
 * \return MW_OK and *mapped, to be unmapped with munmap.
 * \return MW_ERROR_SPACE: the device is full, or RLIMIT_FSIZE as it is now forbids it.
 * \return MW_ERROR_SYSTEM, also when path does not lead to the file any more.
 */
enum mw_status mw_own_file_map(struct mw_own_file *file, uint64_t offset, size_t bytes,
                               void **mapped, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Makes sure of room up to end, without making the file longer; where the file system can't tell,
 * there may be none.
 *
 * \return MW_OK; MW_ERROR_SPACE or MW_ERROR_SYSTEM as mw_own_file_map.
 */
enum mw_status mw_own_file_reserve(struct mw_own_file *file, uint64_t end,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Writes bytes at offset, which is at most the file's end, by system calls that no tool in the
 * program sees. When the program closes the descriptor, or leaves none, it is tried again, some
 * milliseconds in all.
 *
 * \return MW_OK; MW_ERROR_SPACE: the device is full, or RLIMIT_FSIZE as it is now forbids it;
 * MW_ERROR_SYSTEM, also when path does not lead to the file any more. Some of it may be written.
 */
enum mw_status mw_own_file_write(struct mw_own_file *file, uint64_t offset, const void *from,
                                 size_t bytes, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* How many bytes the process has written so to all such files, and in how many system calls: the
 * kernel counts them as the program's. */
void mw_own_file_all_written(uint64_t *bytes, uint64_t *calls);

/* Cuts the file to bytes, if it can. What is mapped behind them must not be touched any more. */
void mw_own_file_cut(struct mw_own_file *file, uint64_t bytes);

/* Whether path still leads to the file, or may, where the process may not look any more. */
bool mw_own_file_is_there(const struct mw_own_file *file);

/* Forgets the file, which stays. A zeroed one is fine. */
void mw_own_file_fini(struct mw_own_file *file);

/* The same, and removes it if it is still there. */
void mw_own_file_discard(struct mw_own_file *file);

#endif
