/*
 * The transport of one process, for mpiwatch-recover: with it the steps of writing
 * an archive need not know whether there are others.
 */
#include "formats/archive/transport.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/base/file.h"

void mw_parts_fini(struct mw_parts *parts)
{
    free(parts->sizes);
    free(parts->parts);
    free(parts->data);
    memset(parts, 0, sizeof *parts);
}

struct mw_serial_output {
    int descriptor;
    char path[4096];
};

static enum mw_status serial_gather(void *context, const void *data, uint64_t bytes,
                                    struct mw_parts *parts, struct mw_diagnostic *diagnostic)
{
    memset(parts, 0, sizeof *parts);
    parts->sizes = malloc(sizeof *parts->sizes);
    parts->parts = malloc(sizeof *parts->parts);
    parts->data = malloc(bytes > 0 ? bytes : 1);
    if (!parts->sizes || !parts->parts || !parts->data) {
        mw_parts_fini(parts);
        return mw_no_memory(diagnostic, NULL, "to gather");
    }
    if (bytes > 0) {
        memcpy(parts->data, data, bytes);
    }
    parts->count = 1;
    parts->sizes[0] = bytes;
    parts->parts[0] = parts->data;
    return MW_OK;
}

static enum mw_status serial_combine(void *context, const struct mw_combined *combined,
                                     struct mw_diagnostic *diagnostic)
{
    return MW_OK;
}

static enum mw_status serial_scatter(void *context, const struct mw_parts *parts, char **data,
                                     uint64_t *bytes, struct mw_diagnostic *diagnostic)
{
    *bytes = parts->sizes[0];
    *data = NULL;
    if (*bytes == 0) {
        return MW_OK;
    }
    *data = malloc(*bytes);
    if (!*data) {
        return mw_no_memory(diagnostic, NULL, "to scatter");
    }
    memcpy(*data, parts->parts[0], *bytes);
    return MW_OK;
}

static enum mw_status serial_broadcast(void *context, void *data, uint64_t bytes,
                                       struct mw_diagnostic *diagnostic)
{
    return MW_OK;
}

static enum mw_status serial_exscan(void *context, uint64_t mine, uint64_t *before,
                                    uint64_t *total, struct mw_diagnostic *diagnostic)
{
    *before = 0;
    *total = mine;
    return MW_OK;
}

static enum mw_status serial_agree(void *context, enum mw_status mine, enum mw_status *worst,
                                   struct mw_diagnostic *diagnostic)
{
    *worst = mine;
    return MW_OK;
}

static enum mw_status serial_output_open(void *context, const char *path, uint64_t nonce,
                                         struct mw_diagnostic *diagnostic)
{
    struct mw_serial_output *output = context;
    size_t length = strlen(path);

    (void)nonce; /* nobody else has to see the file */
    if (length >= sizeof output->path) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "the path is too long");
    }
    output->descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (output->descriptor < 0) {
        return mw_fail(diagnostic, mw_file_write_error(), path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "can't create the archive");
    }
    memcpy(output->path, path, length + 1);
    return MW_OK;
}

static enum mw_status serial_output_write(void *context, int source, uint64_t source_offset,
                                          uint64_t bytes, uint64_t target_offset,
                                          struct mw_diagnostic *diagnostic)
{
    struct mw_serial_output *output = context;

    return mw_file_copy(source, source_offset, output->descriptor, target_offset, bytes,
                        output->path, diagnostic);
}

static enum mw_status serial_output_close(void *context, struct mw_diagnostic *diagnostic)
{
    struct mw_serial_output *output = context;
    int result = close(output->descriptor);

    output->descriptor = -1;
    return result == 0 ? MW_OK
                       : mw_fail(diagnostic, mw_file_write_error(), output->path,
                                 MW_DIAGNOSTIC_OFFSET_NONE, "can't close the archive");
}

enum mw_status mw_transport_serial_init(struct mw_transport *transport,
                                        struct mw_diagnostic *diagnostic)
{
    struct mw_serial_output *output = calloc(1, sizeof *output);

    if (!output) {
        return mw_no_memory(diagnostic, NULL, "for a transport");
    }
    output->descriptor = -1;
    *transport = (struct mw_transport){
        .context = output,
        .rank = 0,
        .size = 1,
        .gather = serial_gather,
        .combine = serial_combine,
        .scatter = serial_scatter,
        .broadcast = serial_broadcast,
        .exscan = serial_exscan,
        .agree = serial_agree,
        .output_open = serial_output_open,
        .output_write = serial_output_write,
        .output_close = serial_output_close,
    };
    return MW_OK;
}

void mw_transport_serial_fini(struct mw_transport *transport)
{
    struct mw_serial_output *output = transport->context;

    if (output && output->descriptor >= 0) {
        close(output->descriptor);
    }
    free(output);
    memset(transport, 0, sizeof *transport);
}
