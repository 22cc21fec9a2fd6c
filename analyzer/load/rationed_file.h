#ifndef MWA_LOAD_RATIONED_FILE_H
#define MWA_LOAD_RATIONED_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/*
 * A file that is read here and there, of which there may be more than files can be open: half of
 * those that may are kept open, and all further ones are opened for each read. Each file is for
 * one thread at a time, but different ones may be any thread's.
 */
struct mwa_rationed_file {
    int descriptor; /* -1: it is opened for each read, as */
    char *path;     /* and has to be the same one */
    dev_t device;
    ino_t inode;
};

/*
 * Opens the file at path; of a pipe nobody is waited for. *found: what it is.
 *
 * \return true, and mwa_rationed_close is due; false with errno, and nothing is.
 */
bool mwa_rationed_open(struct mwa_rationed_file *file, const char *path, struct stat *found);
void mwa_rationed_close(struct mwa_rationed_file *file);

/* As pread and fstat; errno ESTALE: another file has taken its place. */
ssize_t mwa_rationed_read(const struct mwa_rationed_file *file, void *buffer, size_t size,
                          uint64_t offset);
int mwa_rationed_stat(const struct mwa_rationed_file *file, struct stat *found);

#endif
