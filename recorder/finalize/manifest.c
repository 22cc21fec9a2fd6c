#include "recorder/finalize/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
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

static void print_entries(FILE *file, const struct mw_parts *parts)
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
}

/* Appends text; sets errno. To go past RLIMIT_FSIZE would be a SIGXFSZ for the program. */
static bool append(int descriptor, const char *text, size_t bytes)
{
    struct rlimit limit;
    off_t size = lseek(descriptor, 0, SEEK_END);

    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        (uint64_t)size + bytes > limit.rlim_cur) {
        errno = EFBIG;
        return false;
    }
    while (bytes > 0) {
        ssize_t written = write(descriptor, text, bytes);

        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        text += written;
        bytes -= (size_t)written;
    }
    return true;
}

static bool write_file(const char *path, const struct mw_parts *parts)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *memory = open_memstream(&text, &bytes);
    int descriptor;
    bool written = false;

    if (!memory) {
        return false;
    }
    print_entries(memory, parts);
    if (fclose(memory) == 0) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
        written = descriptor >= 0 && append(descriptor, text, bytes);
        written &= descriptor >= 0 && close(descriptor) == 0;
    }
    free(text);
    return written;
}

static void write_or_say(const struct mw_parts *parts)
{
    char path[MWR_PATH_BYTES + 8];
    char reason[128];

    manifest_path(path, sizeof path);
    if (!write_file(path, parts)) {
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
        write_or_say(&parts);
    }
    mw_parts_fini(&parts);
    free(entry);
}

/* Whether one of the file's last lines says how a rank ended that should not have. */
static bool has_end(int descriptor)
{
    char tail[129];
    off_t size = lseek(descriptor, 0, SEEK_END);
    off_t from = size > (off_t)sizeof tail - 1 ? size - (off_t)sizeof tail + 1 : 0;
    ssize_t got = pread(descriptor, tail, sizeof tail - 1, from);

    tail[got > 0 ? got : 0] = '\0';
    return strstr(tail, "\"ended\":\"abort\"") || strstr(tail, "\"ended\":\"exit\"");
}

bool mwr_manifest_note_end(const char *how, int code)
{
    char path[MWR_PATH_BYTES + 8];
    char line[128];
    int length = snprintf(line, sizeof line, "{\"rank\":%u,\"ended\":\"%s\",\"code\":%d}\n",
                          mwr_recorder.rank, how, code);
    int descriptor;
    bool first;

    manifest_path(path, sizeof path);
    descriptor = open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0) {
        return true; /* on a host that doesn't see the file */
    }
    first = !has_end(descriptor);
    (void)!append(descriptor, line, (size_t)length);
    close(descriptor);
    return first;
}

/* How often word is in the file; 0 without memory. */
static uint32_t count_in(int descriptor, const char *word)
{
    off_t size = lseek(descriptor, 0, SEEK_END);
    char *text = size > 0 ? malloc((size_t)size + 1) : NULL;
    ssize_t got = text ? pread(descriptor, text, (size_t)size, 0) : 0;
    uint32_t count = 0;

    if (text) {
        text[got > 0 ? got : 0] = '\0';
        for (const char *at = text; (at = strstr(at, word)) != NULL; at += strlen(word)) {
            count++;
        }
    }
    free(text);
    return count;
}

bool mwr_manifest_note_last(void)
{
    char path[MWR_PATH_BYTES + 8];
    char line[128];
    int length = snprintf(line, sizeof line, "{\"rank\":%u,\"ended\":\"sessions\",\"code\":0}\n",
                          mwr_recorder.rank);
    int descriptor;
    bool is_last = false;

    manifest_path(path, sizeof path);
    descriptor = open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0) {
        return false;
    }
    /* Locked, so that only one can find itself to be the last. */
    if (flock(descriptor, LOCK_EX) == 0 && append(descriptor, line, (size_t)length)) {
        is_last = count_in(descriptor, "\"ended\":\"sessions\"") == mwr_recorder.size;
    }
    close(descriptor);
    return is_last;
}

void mwr_manifest_remove(void)
{
    char path[MWR_PATH_BYTES + 8];

    manifest_path(path, sizeof path);
    unlink(path);
}
