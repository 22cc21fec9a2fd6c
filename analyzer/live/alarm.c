/*
 * There is one explanation, that of mpiwatch-top --why, which runs for it as it does for a user.
 * Nothing of the program's is held open: a pipe that the launcher reads is opened for as long as a
 * sentence takes, by the name that /proc has for it.
 */
#include "analyzer/live/alarm.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "formats/base/nearby.h"
#include "formats/base/printable.h"
#include "formats/base/scratch.h"
#include "formats/base/shell_word.h"

#define PROGRAM "mpiwatch-top"
#define LOOK_NS 100000000L
#define LINE_BYTES_MAX 16384u /* of NAME.run, whose readers take twice as much */
#define FLAG_APPEND 02000u    /* O_APPEND, as proc_pid_fdinfo(5) has it */

/* --- asking ------------------------------------------------------------------------------ */

/* Waits for it, and ends it with all its children when the run has ended. *code: its status. */
static bool await(struct mwa_live *live, pid_t child, int *code)
{
    const struct timespec pause = {.tv_nsec = LOOK_NS};
    int status = 0;

    while (waitpid(child, &status, WNOHANG) == 0) {
        for (uint32_t i = 0; i < live->process_count; i++) {
            (void)!mwa_live_process_look(&live->processes[i]);
        }
        if (!mwa_live_is_running(live)) {
            kill(-child, SIGKILL);
            waitpid(child, &status, 0);
            return false;
        }
        nanosleep(&pause, NULL);
    }
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return *code == 0;
}

static enum mw_status run(struct mwa_live *live, char **arguments, const char *out,
                          struct mw_diagnostic *diagnostic)
{
    char path[PATH_MAX];
    char *environment[] = {"LC_ALL=C", NULL, NULL};
    char temporary[PATH_MAX + 16];
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t child;
    int code = 0;
    int error;

    if (!mw_nearby_command(BINDIR, PROGRAM, path, sizeof path)) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       PROGRAM " is not found");
    }
    snprintf(temporary, sizeof temporary, "TMPDIR=%.*s", (int)(strrchr(out, '/') - out), out);
    environment[1] = temporary;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out, O_WRONLY | O_CREAT | O_EXCL,
                                     0600);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    error = posix_spawn(&child, path, &actions, &attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error != 0 || !await(live, child, &code)) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "it gave no explanation (status %d)", code);
    }
    return MW_OK;
}

enum mw_status mwa_alarm_ask(struct mwa_live *live, json_t **document,
                             struct mw_diagnostic *diagnostic)
{
    const char *parent = getenv("TMPDIR");
    char **arguments = calloc(live->process_count + (size_t)4, sizeof *arguments);
    struct mw_scratch scratch = {.path = ""};
    char out[4096];
    uint32_t count = 0;
    enum mw_status status;

    *document = NULL;
    if (!arguments) {
        return mw_no_memory(diagnostic, NULL, "to explain the run");
    }
    arguments[count++] = PROGRAM;
    arguments[count++] = "--why";
    arguments[count++] = "--json";
    for (uint32_t i = 0; i < live->process_count; i++) {
        arguments[count++] = live->processes[i].spool->path;
    }
    status = mw_scratch_create(&scratch, parent && *parent ? parent : "/tmp", diagnostic);
    if (status == MW_OK) {
        status = mw_path_join(out, scratch.path, "why", diagnostic);
    }
    if (status == MW_OK) {
        status = run(live, arguments, out, diagnostic);
    }
    if (status == MW_OK && !(*document = json_load_file(out, 0, NULL))) {
        status = mw_fail(diagnostic, MW_ERROR_FORMAT, out, MW_DIAGNOSTIC_OFFSET_NONE,
                         "this is no explanation");
    }
    mw_scratch_remove(&scratch);
    free(arguments);
    return status;
}

static const char *verdict_of(const json_t *document)
{
    const char *verdict = json_string_value(json_object_get(document, "verdict"));

    return verdict ? verdict : "unknown";
}

bool mwa_alarm_is_proved(const struct mwa_live *live, const json_t *document)
{
    const json_t *ranks = json_object_get(document, "ranks");
    const json_t *rank;
    size_t i;

    if (strcmp(verdict_of(document), "deadlock") != 0 ||
        json_array_size(ranks) != live->run->size || live->process_count != live->run->size) {
        return false;
    }
    json_array_foreach(ranks, i, rank) {
        const char *where = json_string_value(json_object_get(rank, "where"));

        if (!where || strcmp(where, "unknown") == 0 || live->processes[i].is_elsewhere) {
            return false;
        }
    }
    return true;
}

bool mwa_alarm_is_same(const json_t *one, const json_t *other)
{
    return one && other && strcmp(verdict_of(one), verdict_of(other)) == 0 &&
           json_equal(json_object_get(one, "ranks"), json_object_get(other, "ranks"));
}

/* --- saying ------------------------------------------------------------------------------ */

/* The first process here that runs; null: none. */
static const struct mwa_live_process *first_here(const struct mwa_live *live)
{
    for (uint32_t i = 0; i < live->process_count; i++) {
        const struct mwa_live_process *process = &live->processes[i];

        if (process->state == MW_RUN_RUNNING && !process->is_elsewhere && process->proc >= 0) {
            return process;
        }
    }
    return NULL;
}

/* Whether what is added to a regular file stays where it is put. */
static bool appends(const struct mwa_live_process *process)
{
    char text[256];
    unsigned flags = 0;
    int file = openat(process->proc, "fdinfo/2", O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? -1 : read(file, text, sizeof text - 1);
    const char *at;

    if (file >= 0) {
        close(file);
    }
    text[got > 0 ? got : 0] = '\0';
    at = strstr(text, "flags:");
    return at && sscanf(at, "flags: %o", &flags) == 1 && (flags & FLAG_APPEND) != 0;
}

/* A reader that takes nothing makes nobody wait: then it is lost. */
static void write_error(const struct mwa_live *live, const char *text, size_t bytes)
{
    const struct mwa_live_process *process = first_here(live);
    struct stat about;
    int file = process ? openat(process->proc, "fd/2",
                                O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
                       : -1;

    if (file >= 0 && fstat(file, &about) == 0 &&
        (!S_ISREG(about.st_mode) || appends(process))) {
        (void)!write(file, text, bytes);
    }
    if (file >= 0) {
        close(file);
    }
}

void mwa_alarm_say(const struct mwa_live *live, const char *format, ...)
{
    char said[4096];
    char line[8192];
    va_list arguments;
    int length;

    va_start(arguments, format);
    vsnprintf(said, sizeof said, format, arguments);
    va_end(arguments);
    length = snprintf(line, sizeof line, "mpiwatch: %s", said);
    if (length > 0) {
        mw_printable(line, said, sizeof said - 1);
        strncat(said, "\n", sizeof said - strlen(said) - 1);
        write_error(live, said, strlen(said));
    }
}

/* The file's own run, opened to add to it; -1: it is another's, or not there. */
static int open_run_file(const struct mwa_live *live, const char *path)
{
    char nonce[32];
    char head[256] = "";
    struct stat about;
    int file = path ? open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
                    : -1;

    snprintf(nonce, sizeof nonce, "\"nonce\":\"%016llx\"", (unsigned long long)live->run->nonce);
    if (file >= 0 && (fstat(file, &about) != 0 || !S_ISREG(about.st_mode) ||
                      pread(file, head, sizeof head - 1, 0) <= 0 || !strstr(head, nonce))) {
        close(file);
        file = -1;
    }
    return file;
}

static void note(const struct mwa_live *live, const char *path, double seconds,
                 const json_t *document)
{
    const struct mwa_live_process *process = first_here(live);
    const int file = open_run_file(live, path);
    json_t *sentences = json_deep_copy(json_object_get(document, "sentences"));
    json_t *hang = json_pack("{s:{s:s?, s:f, s:I, s:s, s:o*}}", "hang", "host",
                             process ? process->spool->host : NULL, "after_s", seconds, "time",
                             (json_int_t)time(NULL), "verdict", verdict_of(document), "sentences",
                             sentences);
    const size_t flags = JSON_COMPACT | JSON_REAL_PRECISION(6);
    char *line = hang ? json_dumps(hang, flags) : NULL;

    while (line && strlen(line) >= LINE_BYTES_MAX && json_array_size(sentences) > 0) {
        json_array_remove(sentences, json_array_size(sentences) - 1);
        free(line);
        line = json_dumps(hang, flags);
    }
    if (file >= 0 && line && strlen(line) < LINE_BYTES_MAX) {
        line[strlen(line)] = '\n'; /* in one write, without the end */
        (void)!write(file, line, strcspn(line, "\n") + 1);
    }
    if (file >= 0) {
        close(file);
    }
    free(line);
    json_decref(hang);
}

void mwa_alarm_tell(const struct mwa_live *live, const char *run_file, double seconds,
                    const json_t *document)
{
    const json_t *sentences = json_object_get(document, "sentences");
    const struct mwa_live_process *process = first_here(live);
    const bool is_part = live->process_count < live->run->size;
    const char *host = process ? process->spool->host : NULL;
    char place[4096];

    if (json_array_size(sentences) == 0) {
        mwa_alarm_say(live, "no progress%s%s for %.3g s; why is not known", is_part ? " on " : "",
                      is_part && host ? host : "", seconds);
    }
    for (size_t i = 0; i < json_array_size(sentences); i++) {
        const char *sentence = json_string_value(json_array_get(sentences, i));

        if (i == 0) {
            mwa_alarm_say(live, "no progress%s%s for %.3g s: %s", is_part ? " on " : "",
                          is_part && host ? host : "", seconds, sentence ? sentence : "");
        } else {
            mwa_alarm_say(live, "%s", sentence ? sentence : "");
        }
    }
    if (is_part) {
        mwa_alarm_say(live, "%u of the %u ranks are on other hosts; what they do is not seen here",
                      live->run->size - live->process_count, live->run->size);
    }
    if (run_file) {
        mwa_alarm_say(live, "next: mpiwatch-top %s",
                      mw_shell_word(run_file, "", place, sizeof place));
    }
    note(live, run_file, seconds, document);
}

/* --- ending it --------------------------------------------------------------------------- */

/* The process that has this spool mapped is the one that writes it, whatever its number is. */
static bool has_spool(const struct mwa_live_process *process)
{
    const char *name = strrchr(process->spool->path, '/');
    char line[PATH_MAX + 256];
    bool is_there = false;
    int file = process->proc < 0 ? -1 : openat(process->proc, "maps", O_RDONLY | O_CLOEXEC);
    FILE *maps = file < 0 ? NULL : fdopen(file, "r");

    if (!maps) {
        if (file >= 0) {
            close(file);
        }
        return false;
    }
    while (name && !is_there && fgets(line, sizeof line, maps)) {
        const char *at = strstr(line, name);

        is_there = at && at[strlen(name)] == '/';
    }
    fclose(maps);
    return is_there;
}

void mwa_alarm_signal(const struct mwa_live *live, int signal)
{
    for (uint32_t i = 0; i < live->process_count; i++) {
        const struct mwa_live_process *process = &live->processes[i];

        if (process->is_elsewhere || process->state != MW_RUN_RUNNING || !has_spool(process)) {
            continue;
        }
        /* By its directory in /proc, which is no other process's if this one has just gone. */
        if (syscall(SYS_pidfd_send_signal, process->proc, signal, NULL, 0u) != 0 &&
            errno == ENOSYS) {
            kill((pid_t)process->spool->pid, signal);
        }
    }
}
