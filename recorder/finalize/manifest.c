#include "recorder/finalize/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/finalize/hosts.h"
#include "recorder/recorder.h"

struct entry {
    uint32_t pid;
    char host[64];
    char spool[MWR_PATH_BYTES];
};

static void manifest_path(char *path, size_t size)
{
    snprintf(path, size, "%s.run", mwr_recorder.output);
}

/* text as a JSON string. Bytes that are no printable ASCII are escaped one by one. */
static void print_string(FILE *file, const char *text)
{
    fputc('"', file);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\') {
            fprintf(file, "\\%c", *c);
        } else if (*c < 0x20 || *c == 0x7f) {
            fprintf(file, "\\u%04x", *c);
        } else {
            fputc(*c, file);
        }
    }
    fputc('"', file);
}

static int print_entries(FILE *file, const struct mw_parts *parts)
{
    fprintf(file, "{\"schema\":\"mpiwatch-run/1\",\"nonce\":\"%016llx\",\"ranks\":%u,\"output\":",
            (unsigned long long)mwr_recorder.nonce, parts->count);
    print_string(file, mwr_recorder.output);
    fputs("}\n", file);
    for (uint32_t i = 0; i < parts->count; i++) {
        struct entry entry;

        memcpy(&entry, parts->parts[i], sizeof entry);
        fprintf(file, "{\"rank\":%u,\"pid\":%u,\"host\":", i, entry.pid);
        print_string(file, entry.host);
        fputs(",\"spool\":", file);
        print_string(file, entry.spool);
        fputs("}\n", file);
    }
    return fclose(file);
}

static void write_file(const struct mw_parts *parts)
{
    char path[MWR_PATH_BYTES + 8];
    int descriptor;
    FILE *file = NULL;

    manifest_path(path, sizeof path);
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor >= 0) {
        file = fdopen(descriptor, "w");
    }
    if (!file || print_entries(file, parts) != 0) {
        char reason[128];

        mwr_say("%s: can't write it: %s; the archive will have the same trouble", path,
                strerror_r(errno, reason, sizeof reason));
    }
}

void mwr_manifest_write(const struct mw_transport *transport)
{
    struct entry *entry = calloc(1, sizeof *entry);
    struct entry none = {0};
    struct mw_parts parts = {0};

    if (entry) {
        entry->pid = (uint32_t)getpid();
        mwr_host_name(entry->host, sizeof entry->host);
        memcpy(entry->spool, mwr_recorder.spool, sizeof entry->spool);
    }
    if (transport->gather(transport->context, entry ? entry : &none, sizeof none, &parts, NULL) ==
            MW_OK &&
        transport->rank == 0) {
        write_file(&parts);
    }
    mw_parts_fini(&parts);
    free(entry);
}

void mwr_manifest_remove(void)
{
    char path[MWR_PATH_BYTES + 8];

    manifest_path(path, sizeof path);
    unlink(path);
}
