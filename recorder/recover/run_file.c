#include "recorder/recover/run_file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS_MAX (1u << 24) /* what a file says is not trusted beyond reason */

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

/* The string that is key's value, malloc'd; null when there is none. */
static char *text_of(const char *line, const char *key)
{
    const char *at = value_of(line, key);
    char *text = at && *at == '"' ? malloc(strlen(at) + 1) : NULL;
    size_t length = 0;

    if (!text) {
        return NULL;
    }
    for (at++; *at && *at != '"';) {
        text[length++] = take_character(&at);
    }
    text[length] = '\0';
    return text;
}

static bool number_of(const char *line, const char *key, uint32_t *number)
{
    const char *at = value_of(line, key);
    char *end;
    unsigned long value = at ? strtoul(at, &end, 10) : 0;

    *number = (uint32_t)value;
    return at && end != at && value <= UINT32_MAX;
}

/* The first line: the run. */
static bool take_run(struct mwr_run_file *file, const char *line)
{
    char *schema = text_of(line, "schema");
    char *nonce = text_of(line, "nonce");
    bool right = schema && nonce && strcmp(schema, "mpiwatch-run/1") == 0 &&
                 number_of(line, "ranks", &file->ranks) && file->ranks <= RANKS_MAX;

    if (right) {
        file->nonce = strtoull(nonce, NULL, 16);
        file->output = text_of(line, "output");
        file->spools = calloc(file->ranks + (size_t)1, sizeof *file->spools);
    }
    free(schema);
    free(nonce);
    return right && file->output && file->spools;
}

/* A line of a rank; those that say how one ended are in its definitions as well. */
static void take_rank(struct mwr_run_file *file, const char *line)
{
    uint32_t rank;

    if (number_of(line, "rank", &rank) && rank < file->ranks && !file->spools[rank]) {
        file->spools[rank] = text_of(line, "spool");
    }
}

enum mw_status mwr_run_file_read(struct mwr_run_file *file, const char *path,
                                 struct mw_diagnostic *diagnostic)
{
    FILE *stream = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    enum mw_status status = MW_OK;

    memset(file, 0, sizeof *file);
    if (!stream) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "can't open it");
    }
    if (getline(&line, &room, stream) <= 0 || !take_run(file, line)) {
        status = mw_fail(diagnostic, MW_ERROR_FORMAT, path, MW_DIAGNOSTIC_OFFSET_NONE,
                         "this is no NAME.run of mpiwatch");
    }
    while (status == MW_OK && getline(&line, &room, stream) > 0) {
        take_rank(file, line);
    }
    free(line);
    fclose(stream);
    if (status != MW_OK) {
        mwr_run_file_fini(file);
    }
    return status;
}

void mwr_run_file_fini(struct mwr_run_file *file)
{
    for (uint32_t rank = 0; file->spools && rank < file->ranks; rank++) {
        free(file->spools[rank]);
    }
    free(file->spools);
    free(file->output);
    memset(file, 0, sizeof *file);
}
