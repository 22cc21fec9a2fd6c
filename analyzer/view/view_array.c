#include "analyzer/view/view_array.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analyzer/view/view_scratch.h"
#include "formats/base/file.h"

#define FIRST_BYTES ((uint64_t)256 << 10)
#define STEP_BYTES  ((uint64_t)64 << 20) /* no more at a time: what is not used takes place */

/* Some file systems know no files without names. */
static int open_nameless(void)
{
    const char *directory = mwa_view_temporary();
    int file = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    char path[4096];

    if (file >= 0 ||
        snprintf(path, sizeof path, "%s/mpiwatch-view-XXXXXX", directory) >= (int)sizeof path) {
        return file;
    }
    file = mkostemp(path, O_CLOEXEC);
    if (file >= 0) {
        unlink(path);
    }
    return file;
}

enum mw_status mwa_view_array_init(struct mwa_view_array *array, size_t item,
                                   struct mw_diagnostic *diagnostic)
{
    *array = (struct mwa_view_array){ .item = item, .file = open_nameless() };
    return array->file >= 0 ? MW_OK
                            : mw_fail(diagnostic, mw_file_write_error(), mwa_view_temporary(),
                                      MW_DIAGNOSTIC_OFFSET_NONE, "can't make a file in it");
}

void mwa_view_array_fini(struct mwa_view_array *array)
{
    if (array->room > 0) { /* else it is somebody else's */
        munmap(array->data, array->room);
    }
    if (array->file > 0) {
        close(array->file);
    }
    *array = (struct mwa_view_array){ .count = 0 };
}

static enum mw_status grow(struct mwa_view_array *array, uint64_t needed,
                           struct mw_diagnostic *diagnostic)
{
    uint64_t room = array->room ? array->room : FIRST_BYTES;
    void *data;

    while (room < needed) {
        room += room < STEP_BYTES ? room : STEP_BYTES;
    }
    errno = room > mw_file_bytes_allowed(0) ? EFBIG
                                            : posix_fallocate(array->file, (off_t)array->room,
                                                              (off_t)(room - array->room));
    if (errno != 0) {
        return mw_fail(diagnostic, mw_file_write_error(), mwa_view_temporary(),
                       MW_DIAGNOSTIC_OFFSET_NONE,
                       "no room for the %.0f MB that the view takes so far; $TMPDIR names another "
                       "place", (double)room / 1e6);
    }
    data = array->data ? mremap(array->data, array->room, room, MREMAP_MAYMOVE)
                       : mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED, array->file, 0);
    if (data == MAP_FAILED) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, mwa_view_temporary(),
                       MW_DIAGNOSTIC_OFFSET_NONE, "a file in it can't be mapped");
    }
    array->data = data;
    array->room = room;
    return MW_OK;
}

enum mw_status mwa_view_array_add(struct mwa_view_array *array, uint64_t count,
                                  struct mw_diagnostic *diagnostic)
{
    const uint64_t needed = (array->count + count) * array->item;
    enum mw_status status = MW_OK;

    if (array->count + count >= UINT32_MAX) {
        return mw_fail(diagnostic, MW_ERROR_SPACE, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "there are more calls or messages than can be numbered");
    }
    if (needed > array->room) {
        status = grow(array, needed, diagnostic);
    }
    array->count += status == MW_OK ? count : 0;
    return status;
}
