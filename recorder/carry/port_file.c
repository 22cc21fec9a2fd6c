/*
 * Written by the transport that archives are written by, which sees to it that all processes see
 * the one file; the name that was asked for comes when it is whole: nobody reads half of it.
 */
#include "recorder/carry/port_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "recorder/dispatch/mpi_header.h"

#define FILE_BYTES_MAX (4u << 20)

/* A descriptor of a file in memory that has the line; -1: none. */
static int line_of(const char *port, uint64_t *bytes)
{
    int file = memfd_create("port", MFD_CLOEXEC);

    *bytes = strlen(port) + 1;
    if (file >= 0 && dprintf(file, "%s\n", port) != (int)*bytes) {
        close(file);
        file = -1;
    }
    return file;
}

static enum mw_status write_lines(const struct mw_transport *transport, const char *path,
                                  const char *port, struct mw_diagnostic *diagnostic)
{
    uint64_t bytes = 0;
    uint64_t before = 0;
    uint64_t total = 0;
    enum mw_status worst = MW_OK;
    enum mw_status closed;
    int line = line_of(port, &bytes);
    enum mw_status status =
        line >= 0 ? MW_OK
                  : mw_fail(diagnostic, MW_ERROR_SYSTEM, path, MW_DIAGNOSTIC_OFFSET_NONE,
                            "no memory for a port");

    (void)!transport->agree(transport->context, status, &worst, NULL);
    if (worst == MW_OK) {
        status = transport->exscan(transport->context, bytes, &before, &total, diagnostic);
    }
    if (worst == MW_OK && status == MW_OK) {
        status = transport->output_open(transport->context, path, 0x504f525453u, diagnostic);
        if (status == MW_OK) {
            status = transport->output_write(transport->context, line, 0, bytes, before,
                                             diagnostic);
            closed = transport->output_close(transport->context, diagnostic);
            status = status != MW_OK ? status : closed;
        }
    }
    if (line >= 0) {
        close(line);
    }
    return status != MW_OK ? status : worst;
}

static enum mw_status take_place(const char *partial, const char *place,
                                 struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;

    if (link(partial, place) != 0) { /* which replaces nothing */
        status = errno == EEXIST ? MW_ERROR_EXISTS : MW_ERROR_SYSTEM;
        status = mw_fail(diagnostic, status, place, MW_DIAGNOSTIC_OFFSET_NONE,
                         status == MW_ERROR_EXISTS ? "there is such a file already"
                                                   : "can't be made");
    }
    unlink(partial);
    return status;
}

enum mw_status mwr_port_file_write(const struct mw_transport *transport, const char *place,
                                   const char *port, struct mw_diagnostic *diagnostic)
{
    FILE *stream = strcmp(place, "stdout") == 0   ? stdout
                   : strcmp(place, "stderr") == 0 ? stderr
                                                  : NULL;
    char partial[PATH_MAX];
    enum mw_status worst = MW_OK;
    enum mw_status status;

    if (stream) {
        fprintf(stream, "%s\n", port);
        return fflush(stream) == 0 ? MW_OK
                                   : mw_fail(diagnostic, MW_ERROR_SYSTEM, place,
                                             MW_DIAGNOSTIC_OFFSET_NONE, "can't be written");
    }
    snprintf(partial, sizeof partial, "%.4000s.partial", place);
    status = write_lines(transport, partial, port, diagnostic);
    if (status == MW_OK && transport->rank == 0) {
        status = take_place(partial, place, diagnostic);
    }
    (void)!transport->agree(transport->context, status, &worst, NULL);
    return status != MW_OK ? status : worst != MW_OK ? MW_ERROR_PEER : MW_OK;
}

/* --- reading ------------------------------------------------------------------------------- */

static enum mw_status take_lines(struct mwr_ports *ports, const char *place,
                                 struct mw_diagnostic *diagnostic)
{
    char *rest = ports->text;

    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        if (*line && (ports->count == MWR_PORTS_MAX || strlen(line) >= MPI_MAX_PORT_NAME)) {
            return mw_fail(diagnostic, MW_ERROR_FORMAT, place, MW_DIAGNOSTIC_OFFSET_NONE,
                           "this is no file of ports");
        }
        if (*line) {
            ports->lines[ports->count++] = line;
        }
    }
    return ports->count > 0 ? MW_OK
                            : mw_fail(diagnostic, MW_ERROR_FORMAT, place,
                                      MW_DIAGNOSTIC_OFFSET_NONE, "there is no port in it");
}

enum mw_status mwr_port_file_read(const char *place, struct mwr_ports *ports,
                                  struct mw_diagnostic *diagnostic)
{
    FILE *file = fopen(place, "re");
    size_t bytes;
    enum mw_status status;

    *ports = (struct mwr_ports){0};
    if (!file) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, place, MW_DIAGNOSTIC_OFFSET_NONE,
                       "the ports can't be read");
    }
    ports->text = calloc(1, FILE_BYTES_MAX + 1);
    ports->lines = calloc(MWR_PORTS_MAX, sizeof *ports->lines);
    if (!ports->text || !ports->lines) {
        fclose(file);
        mwr_port_file_fini(ports);
        return mw_no_memory(diagnostic, place, "to read the ports");
    }
    bytes = fread(ports->text, 1, FILE_BYTES_MAX, file);
    fclose(file);
    status = strlen(ports->text) == bytes
                 ? take_lines(ports, place, diagnostic)
                 : mw_fail(diagnostic, MW_ERROR_FORMAT, place, MW_DIAGNOSTIC_OFFSET_NONE,
                           "this is no file of ports");
    if (status != MW_OK) {
        mwr_port_file_fini(ports);
    }
    return status;
}

void mwr_port_file_fini(struct mwr_ports *ports)
{
    free(ports->lines);
    free(ports->text);
    *ports = (struct mwr_ports){0};
}
