#include "formats/spool/run_file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/base/file.h"

/* The shortest line of a rank; what a file says of ranks is not believed beyond what it holds. */
#define RANK_LINE "{\"rank\":0,\"pid\":0,\"host\":\"\",\"spool\":\"\"}\n"
/* The longest: a host and a path of 4096 bytes, all of them escaped with six characters. */
#define LINE_BYTES_MAX 32768

/* Where the value of key begins in a line of JSON without nesting, or null. */
static const char *value_of(const char *line, const char *key)
{
    char quoted[32];
    const char *found;

    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    found = strstr(line, quoted);
    return found ? found + strlen(quoted) : NULL;
}

/* One character of a JSON string, as the recorder writes them: \", \\ and \u00XX. */
static char take_character(const char **at)
{
    char digits[5] = "";
    char character = *(*at)++;

    if (character != '\\') {
        return character;
    }
    character = **at;
    if (character == 'u' && strnlen(*at + 1, 4) == 4) {
        memcpy(digits, *at + 1, 4);
        *at += 5;
        return (char)strtoul(digits, NULL, 16);
    }
    *at += character != '\0';
    return character;
}

/* The string that is key's value, malloc'd: *text, null: there is none. False without memory. */
static bool take_text(const char *line, const char *key, char **text)
{
    const char *at = value_of(line, key);
    const bool is_there = at && *at == '"';
    size_t length = 0;

    *text = is_there ? malloc(strlen(at) + 1) : NULL;
    if (!*text) {
        return !is_there;
    }
    for (at++; *at && *at != '"';) {
        (*text)[length++] = take_character(&at);
    }
    (*text)[length] = '\0';
    return true;
}

static bool number_of(const char *line, const char *key, uint32_t *number)
{
    const char *at = value_of(line, key);
    char *end;
    unsigned long value = at ? strtoul(at, &end, 10) : 0;

    *number = (uint32_t)value;
    return at && end != at && value <= UINT32_MAX;
}

/* What the run's own line says besides. MW_ERROR_FORMAT: no output. */
static enum mw_status take_output(struct mw_run_file *file, const char *line)
{
    if (!take_text(line, "output", &file->output)) {
        return MW_ERROR_MEMORY;
    }
    file->spools = calloc(file->ranks + (size_t)1, sizeof *file->spools);
    file->hosts = calloc(file->ranks + (size_t)1, sizeof *file->hosts);
    return !file->spools || !file->hosts ? MW_ERROR_MEMORY
           : file->output                ? MW_OK
                                         : MW_ERROR_FORMAT;
}

/* The first line: the run. MW_ERROR_FORMAT: it is none. */
static enum mw_status take_run(struct mw_run_file *file, const char *line, uint64_t bytes)
{
    char *schema = NULL, *nonce = NULL;
    enum mw_status status = take_text(line, "schema", &schema) && take_text(line, "nonce", &nonce)
                                ? MW_OK
                                : MW_ERROR_MEMORY;

    if (status == MW_OK) {
        const bool is_run = schema && nonce && strcmp(schema, "mpiwatch-run/1") == 0 &&
                            number_of(line, "ranks", &file->ranks) &&
                            file->ranks <= bytes / strlen(RANK_LINE);

        file->nonce = is_run ? strtoull(nonce, NULL, 16) : 0;
        status = is_run ? take_output(file, line) : MW_ERROR_FORMAT;
    }
    free(schema);
    free(nonce);
    return status;
}

/* A line of a rank; those that say how one ended are in its definitions as well. False without
 * memory. */
static bool take_rank(struct mw_run_file *file, const char *line)
{
    uint32_t rank;

    return !number_of(line, "rank", &rank) || rank >= file->ranks || file->spools[rank] ||
           file->hosts[rank] ||
           (take_text(line, "spool", &file->spools[rank]) &&
            take_text(line, "host", &file->hosts[rank]));
}

/* The next whole line, in line of LINE_BYTES_MAX; false at the end, or when it is too long. */
static bool read_line(FILE *stream, char *line)
{
    return fgets(line, LINE_BYTES_MAX, stream) && strchr(line, '\n');
}

static enum mw_status take_lines(struct mw_run_file *file, FILE *stream, const char *path,
                                 uint64_t bytes, struct mw_diagnostic *diagnostic)
{
    char *line = malloc(LINE_BYTES_MAX);
    enum mw_status status;

    if (!line) {
        return mw_no_memory(diagnostic, path, "to read it");
    }
    status = read_line(stream, line) ? take_run(file, line, bytes) : MW_ERROR_FORMAT;
    while (status == MW_OK && read_line(stream, line)) {
        status = take_rank(file, line) ? MW_OK : MW_ERROR_MEMORY;
    }
    free(line);
    return status == MW_ERROR_MEMORY ? mw_no_memory(diagnostic, path, "to read it")
           : status == MW_ERROR_FORMAT
               ? mw_fail(diagnostic, status, path, MW_DIAGNOSTIC_OFFSET_NONE,
                         "this is no NAME.run of mpiwatch")
               : status;
}

enum mw_status mw_run_file_read(struct mw_run_file *file, const char *path,
                                 struct mw_diagnostic *diagnostic)
{
    struct stat about;
    FILE *stream;
    int descriptor;
    enum mw_status status;

    memset(file, 0, sizeof *file);
    status = mw_file_open_regular(path, "it", &descriptor, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    stream = fdopen(descriptor, "r");
    if (!stream || fstat(descriptor, &about) != 0) {
        status = mw_fail(diagnostic, MW_ERROR_SYSTEM, path, MW_DIAGNOSTIC_OFFSET_NONE,
                         "can't look at it");
        goto out;
    }
    file->is_own = about.st_uid == geteuid() && !(about.st_mode & S_IWOTH);
    file->device = about.st_dev;
    file->inode = about.st_ino;
    status = take_lines(file, stream, path, mw_file_bytes_without_hole(descriptor), diagnostic);
out:
    if (stream) {
        fclose(stream);
    } else {
        close(descriptor);
    }
    if (status != MW_OK) {
        mw_run_file_fini(file);
    }
    return status;
}

void mw_run_file_fini(struct mw_run_file *file)
{
    for (uint32_t rank = 0; file->spools && rank < file->ranks; rank++) {
        free(file->spools[rank]);
    }
    for (uint32_t rank = 0; file->hosts && rank < file->ranks; rank++) {
        free(file->hosts[rank]);
    }
    free(file->spools);
    free(file->hosts);
    free(file->output);
    memset(file, 0, sizeof *file);
}
