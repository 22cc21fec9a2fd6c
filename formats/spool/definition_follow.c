/*
 * All of it is read again: definitions are few beside events. That there are more, the length of
 * the next one tells, since a process makes room ahead; one that is being written has no sound
 * checksum yet, and is read the next time.
 */
#include "formats/spool/definition_follow.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/base/file.h"

#define NAME "/definitions"
#define BYTES_MAX ((off_t)1 << 31)

static bool open_file(struct mw_definition_follower *follower, const char *directory)
{
    const size_t bytes = strlen(directory);
    struct mw_diagnostic diagnostic;

    follower->path = malloc(bytes + sizeof NAME);
    if (!follower->path) {
        return false;
    }
    memcpy(follower->path, directory, bytes);
    memcpy(follower->path + bytes, NAME, sizeof NAME);
    follower->is_open = mw_file_open_regular(follower->path, "definitions", &follower->descriptor,
                                             &diagnostic) == MW_OK;
    if (!follower->is_open) {
        free(follower->path);
        follower->path = NULL;
    }
    return true;
}

static bool has_more(const struct mw_definition_follower *follower)
{
    uint32_t length = 0;

    return pread(follower->descriptor, &length, sizeof length, (off_t)follower->end) ==
               (ssize_t)sizeof length &&
           length > 0;
}

bool mw_definition_follow(struct mw_definition_follower *follower, const char *directory,
                          struct mw_definition_reader **reader)
{
    struct mw_diagnostic diagnostic;
    struct stat about;
    enum mw_status status;

    *reader = NULL;
    if (!follower->is_open && !open_file(follower, directory)) {
        return false;
    }
    if (!follower->is_open || !has_more(follower) || fstat(follower->descriptor, &about) != 0 ||
        about.st_size > BYTES_MAX) {
        return true;
    }
    follower->image = malloc((size_t)about.st_size);
    if (!follower->image) {
        return false;
    }
    status = mw_file_read(follower->descriptor, follower->image, (size_t)about.st_size, 0,
                          follower->path, &diagnostic);
    if (status == MW_OK) {
        status = mw_definition_reader_create_image(follower->path, follower->image,
                                                   (size_t)about.st_size, reader, &diagnostic);
    }
    if (status != MW_OK) {
        free(follower->image);
        follower->image = NULL;
        *reader = NULL;
    }
    return status != MW_ERROR_MEMORY;
}

void mw_definition_followed(struct mw_definition_follower *follower,
                            struct mw_definition_reader *reader)
{
    follower->end = mw_definition_reader_offset(reader);
    mw_definition_reader_destroy(reader);
    free(follower->image);
    follower->image = NULL;
}

void mw_definition_follower_fini(struct mw_definition_follower *follower)
{
    if (follower->is_open) {
        close(follower->descriptor);
    }
    free(follower->path);
    free(follower->image);
    *follower = (struct mw_definition_follower){.is_open = false};
}
