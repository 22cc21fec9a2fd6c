/*
 * Spools have random names, on the hosts' own disks: without this file, which is
 * written as recording starts, nobody would find those of a killed run. Who writes
 * to it later holds it against the nonce first, since it may be somebody else's by
 * then.
 */
#include "recorder/finalize/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "formats/base/output_name.h"
#include "formats/base/shell_word.h"
#include "recorder/finalize/foresight.h"
#include "recorder/finalize/hosts.h"
#include "recorder/recorder.h"

#define HEAD_BYTES 80 /* of the nonce and what is before it */
#define TRIES 100000u
/* How long a rank waits for rank 0's file to appear on its file system. */
#define APPEAR_ATTEMPTS 20
#define APPEAR_NS 50000000

struct entry {
    uint32_t pid;
    bool has_spool;
    uint64_t room; /* bytes that its calls may take, 0: not known */
    char host[64];
    char spool[MWR_PATH_BYTES]; /* or why there is none; told without what is behind its end */
};

/* How the file begins, which tells it from those of other runs. */
static void print_head(char *text, size_t size)
{
    snprintf(text, size, "{\"schema\":\"mpiwatch-run/1\",\"nonce\":\"%016llx\",",
             (unsigned long long)mwr_recorder.nonce);
}

/* The run's own file, opened; -1: it is not there, not seen from here, or another one. */
static int open_own(int flags)
{
    char expected[HEAD_BYTES];
    char found[HEAD_BYTES] = "";
    struct stat about;
    int descriptor = mwr_recorder.run_file[0]
                         ? open(mwr_recorder.run_file,
                                flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
                         : -1;

    if (descriptor < 0) {
        return -1;
    }
    print_head(expected, sizeof expected);
    if (fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode) ||
        pread(descriptor, found, strlen(expected), 0) != (ssize_t)strlen(expected) ||
        strcmp(found, expected) != 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
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

/* What rank i has told. */
static void take_entry(const struct mw_parts *parts, uint32_t i, struct entry *entry)
{
    memset(entry, 0, sizeof *entry);
    memcpy(entry, parts->parts[i],
           parts->sizes[i] < sizeof *entry ? parts->sizes[i] : sizeof *entry - 1);
}

static void print_entries(FILE *file, const struct mw_parts *parts)
{
    char head[HEAD_BYTES];

    print_head(head, sizeof head);
    fprintf(file, "%s\"ranks\":%u,\"output\":", head, parts->count);
    print_string(file, mwr_recorder.output);
    fputs("}\n", file);
    for (uint32_t i = 0; i < parts->count; i++) {
        struct entry entry;

        take_entry(parts, i, &entry);
        fprintf(file, "{\"rank\":%u,\"pid\":%u,\"host\":", i, entry.pid);
        print_string(file, entry.host);
        fputs(",\"spool\":", file);
        print_string(file, entry.has_spool ? entry.spool : "");
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

/* Makes the file under the first free name, in path of MWR_PATH_BYTES; -1 and errno. */
static int create(char *path)
{
    char output[MWR_PATH_BYTES];

    for (unsigned number = 0; number < TRIES; number++) {
        int descriptor;

        if (mw_output_numbered(mwr_recorder.output, number, output, NULL) != MW_OK) {
            errno = ENAMETOOLONG;
            return -1;
        }
        snprintf(path, MWR_PATH_BYTES, "%.4050s.run", output);
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
        if (descriptor >= 0 || errno != EEXIST) {
            return descriptor;
        }
    }
    return -1;
}

/* Makes the file; one that could not be written to its end is taken away. Sets errno. */
static bool write_file(char *path, const char *text, size_t bytes)
{
    int descriptor = create(path);
    bool written;
    int error;

    if (descriptor < 0) {
        return false;
    }
    written = append(descriptor, text, bytes);
    error = errno;
    if (close(descriptor) != 0 && written) {
        written = false;
        error = errno;
    }
    if (!written) {
        unlink(path);
        errno = error;
    }
    return written;
}

/* Rank 0; path becomes "" when it can't be written. */
static void write_or_say(const struct mw_parts *parts, char *path)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *memory = open_memstream(&text, &bytes);
    bool written = false;
    char reason[128];

    path[0] = '\0';
    if (memory) {
        print_entries(memory, parts);
        written = fclose(memory) == 0 && write_file(path, text, bytes);
    }
    if (!written) {
        mwr_say("%s.run: can't write it: %s; the archive will have the same trouble",
                mwr_recorder.output, strerror_r(errno, reason, sizeof reason));
        path[0] = '\0';
    }
    free(text);
}

/* Rank 0 says what the others would say, each of them. */
static void say_foreseen(const struct mw_parts *parts)
{
    struct mwr_foresight foresight = {0};

    for (uint32_t i = 0; i < parts->count; i++) {
        struct entry entry;

        take_entry(parts, i, &entry);
        if (entry.has_spool) {
            mwr_foresight_take_room(&foresight, i, entry.room, entry.spool);
        } else {
            mwr_foresight_take_trouble(&foresight, i, entry.spool);
        }
    }
    mwr_foresight_say(&foresight);
}

/* Whether this rank sees the file: at once, or where files take their time to appear after that. */
static bool sees_file(void)
{
    const struct timespec pause = {.tv_nsec = APPEAR_NS};
    int descriptor = open_own(O_RDONLY);

    for (int i = 0; descriptor < 0 && i < APPEAR_ATTEMPTS; i++) {
        nanosleep(&pause, NULL);
        descriptor = open_own(O_RDONLY);
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
    return descriptor >= 0;
}

/* Whether all ranks see the file; said where not, since the archive will not be seen either. */
static void find_out_who_sees(const struct mw_transport *transport)
{
    enum mw_status worst = MW_OK;

    if (!mwr_recorder.run_file[0]) {
        return;
    }
    mwr_recorder.run_file_is_shared =
        transport->agree(transport->context, sees_file() ? MW_OK : MW_ERROR_SYSTEM, &worst,
                         NULL) == MW_OK &&
        worst == MW_OK;
    if (!mwr_recorder.run_file_is_shared && transport->rank == 0) {
        mwr_say("%s: not all ranks see the file: the archive will not be written there; --output "
                "names a place that all hosts share",
                mwr_recorder.run_file);
    }
}

void mwr_manifest_write(const struct mw_transport *transport, const char *trouble)
{
    struct entry entry = {.pid = (uint32_t)getpid(),
                          .has_spool = mwr_recorder.spool[0] != '\0',
                          .room = mwr_recorder.spool_limit};
    struct mw_parts parts = {0};
    uint32_t bytes;
    enum mw_status status;

    mwr_host_name(entry.host, sizeof entry.host);
    snprintf(entry.spool, sizeof entry.spool, "%s",
             entry.has_spool ? mwr_recorder.spool : trouble);
    status = transport->gather(transport->context, &entry,
                               offsetof(struct entry, spool) + strlen(entry.spool), &parts, NULL);
    if (status == MW_OK && transport->rank == 0) {
        write_or_say(&parts, mwr_recorder.run_file);
        say_foreseen(&parts);
    } else if (status != MW_OK && !entry.has_spool) {
        mwr_say("rank %u records nothing: %s", mwr_recorder.rank, trouble);
    }
    mw_parts_fini(&parts);
    /*
     * No rank leaves before: what it will say of the file is true. As few bytes as there are, which
     * the MPI sends without waiting for those that take them and begin their work.
     */
    bytes = (uint32_t)strlen(mwr_recorder.run_file) + 1;
    if (transport->broadcast(transport->context, &bytes, sizeof bytes, NULL) != MW_OK ||
        transport->broadcast(transport->context, mwr_recorder.run_file, bytes, NULL) != MW_OK) {
        mwr_recorder.run_file[0] = '\0';
    }
    find_out_who_sees(transport);
}

/* Where there are other hosts the spools' names are not for this host's shell to complete. */
static const char *name_spools(char *text, size_t size)
{
    char place[MWR_PATH_BYTES];
    char ending[64];

    if (mwr_recorder.hosts > 1) {
        snprintf(ending, sizeof ending, "/mpiwatch-%016llx-*",
                 (unsigned long long)mwr_recorder.nonce);
        return mw_shell_word(mwr_recorder.settings.spool, ending, text, size);
    }
    snprintf(text, size, "%s/mpiwatch-%016llx-*",
             mw_shell_word(mwr_recorder.settings.spool, "", place, sizeof place),
             (unsigned long long)mwr_recorder.nonce);
    return text;
}

const char *mwr_manifest_next(char *text, size_t size)
{
    const char *where = mwr_recorder.hosts > 1 ? "under mpirun on its hosts, " : "";
    int descriptor = open_own(O_RDONLY);
    char word[MWR_PATH_BYTES];

    text[0] = '\0';
    if (mwr_recorder.run_file_is_shared && descriptor >= 0) {
        snprintf(text, size, "%smpiwatch-recover %s", where,
                 mw_shell_word(mwr_recorder.run_file, "", word, sizeof word));
    } else if (mwr_recorder.spool[0]) {
        snprintf(text, size, "%smpiwatch-recover %s%s", where,
                 mwr_recorder.hosts > 1 ? "-o FILE-THAT-ALL-SHARE " : "",
                 name_spools(word, sizeof word));
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
    return text;
}

/* Whether one of the file's last lines says how a rank ended that should not have. */
static bool has_end(int descriptor)
{
    char tail[129];
    off_t size = lseek(descriptor, 0, SEEK_END);
    off_t from = size > (off_t)sizeof tail - 1 ? size - (off_t)sizeof tail + 1 : 0;
    ssize_t got = pread(descriptor, tail, sizeof tail - 1, from);

    tail[got > 0 ? got : 0] = '\0';
    return strstr(tail, "\"ended\":\"abort\"") || strstr(tail, "\"ended\":\"exit\"") ||
           strstr(tail, "\"ended\":\"error\"") || strstr(tail, "\"ended\":\"signal\"");
}

bool mwr_manifest_note_end(const char *how, int code)
{
    char line[128];
    int length = snprintf(line, sizeof line, "{\"rank\":%u,\"ended\":\"%s\",\"code\":%d}\n",
                          mwr_recorder.rank, how, code);
    int descriptor;
    bool first;

    descriptor = open_own(O_RDWR | O_APPEND);
    if (descriptor < 0) {
        return true; /* on a host that doesn't see the file, or there is none */
    }
    first = !has_end(descriptor);
    (void)!append(descriptor, line, (size_t)length);
    close(descriptor);
    return first;
}

bool mwr_manifest_note_signal(int number)
{
    char line[128];
    int length = snprintf(line, sizeof line, "{\"rank\":%u,\"ended\":\"signal\",\"code\":%d}\n",
                          mwr_recorder.rank, number);
    int descriptor = open_own(O_RDWR | O_APPEND);
    bool is_first = false;

    if (descriptor < 0) {
        return false;
    }
    /* A launcher ends all of them at the same moment. Who has the lock says it. */
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && !has_end(descriptor)) {
        is_first = append(descriptor, line, (size_t)length);
    }
    close(descriptor);
    return is_first;
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
    char line[128];
    int length = snprintf(line, sizeof line, "{\"rank\":%u,\"ended\":\"sessions\",\"code\":0}\n",
                          mwr_recorder.rank);
    int descriptor;
    bool is_last = false;

    descriptor = open_own(O_RDWR | O_APPEND);
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
    int descriptor = open_own(O_RDONLY);

    if (descriptor >= 0) {
        close(descriptor);
        unlink(mwr_recorder.run_file);
    }
}
