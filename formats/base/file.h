#ifndef MW_FORMATS_BASE_FILE_H
#define MW_FORMATS_BASE_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "formats/base/status.h"

/* Whole reads and writes at an offset. path is for diagnostics only. */

/*
 * Reads exactly bytes.
 *
 * \return MW_OK; MW_ERROR_SYSTEM; MW_ERROR_FORMAT when the file is too short.
 */
enum mw_status mw_file_read(int descriptor, void *to, size_t bytes, uint64_t offset,
                            const char *path, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* \return MW_OK; MW_ERROR_SPACE when the disk is full; MW_ERROR_SYSTEM. */
enum mw_status mw_file_write(int descriptor, const void *from, size_t bytes, uint64_t offset,
                             const char *path, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Copies bytes from one file to the other through a buffer of 1 MiB. */
enum mw_status mw_file_copy(int source, uint64_t source_offset, int target,
                            uint64_t target_offset, uint64_t bytes, const char *path,
                            struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Compares bytes of two files.
 *
 * \return MW_OK when equal; MW_ERROR_FORMAT with the target's offset when not.
 */
enum mw_status mw_file_compare(int source, uint64_t source_offset, int target,
                               uint64_t target_offset, uint64_t bytes, const char *path,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * The most bytes that a file may have: limit_bytes (0: any number), and RLIMIT_FSIZE, since to
 * go past it is a SIGXFSZ that would kill the program.
 */
uint64_t mw_file_bytes_allowed(uint64_t limit_bytes);

/*
 * Opens a regular file to be read, which somebody else may have put there: never waits for
 * the other end of a FIFO, reads no device and follows no link at the end of path. what is
 * the file in words: "the spool".
 *
 * \return MW_OK and *descriptor; MW_ERROR_SYSTEM when it can't be opened, MW_ERROR_FORMAT when
 * it is no regular file.
 */
enum mw_status mw_file_open_regular(const char *path, const char *what, int *descriptor,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * How many bytes the file has before its first hole. Files that are written from front to
 * back have none; what claims to be longer costs nobody time or memory. The file is to be read
 * from its beginning then.
 */
uint64_t mw_file_bytes_without_hole(int descriptor);

/* MW_ERROR_SPACE or MW_ERROR_SYSTEM, by errno. */
enum mw_status mw_file_write_error(void);

#endif
