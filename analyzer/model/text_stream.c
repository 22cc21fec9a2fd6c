/* What stdio forgets, a buffer of ours remembers: that it got no memory. */
#include "analyzer/model/text_stream.h"

#include <errno.h>
#include <stdlib.h>

#include "analyzer/model/shortage.h"
#include "formats/base/buffer.h"

struct text_stream {
    struct mw_buffer bytes;
    char **text;
    size_t *size;
};

static ssize_t take(void *cookie, const char *bytes, size_t size)
{
    struct text_stream *stream = cookie;

    mw_buffer_append(&stream->bytes, bytes, size);
    if (stream->bytes.failed) {
        errno = ENOMEM;
        return 0;
    }
    return (ssize_t)size;
}

/* For ftell, and nothing else. */
static int tell(void *cookie, off64_t *offset, int whence)
{
    const struct text_stream *stream = cookie;

    if (*offset != 0 || whence != SEEK_CUR) {
        errno = EINVAL;
        return -1;
    }
    *offset = (off64_t)stream->bytes.bytes;
    return 0;
}

static int finish(void *cookie)
{
    struct text_stream *stream = cookie;
    bool failed;

    mw_buffer_append(&stream->bytes, "", 1);
    failed = stream->bytes.failed;
    if (failed) {
        mw_buffer_fini(&stream->bytes);
    } else {
        *stream->text = stream->bytes.data;
        *stream->size = stream->bytes.bytes - 1;
    }
    free(stream);
    return failed ? -1 : 0;
}

FILE *mwa_open_text(char **text, size_t *size)
{
    const cookie_io_functions_t functions = { .write = take, .seek = tell, .close = finish };
    struct text_stream *stream = calloc(1, sizeof *stream);
    FILE *file = stream ? fopencookie(stream, "w", functions) : NULL;

    *text = NULL;
    *size = 0;
    if (!file) {
        mwa_shortage_note();
        free(stream);
        return NULL;
    }
    stream->text = text;
    stream->size = size;
    return file;
}
