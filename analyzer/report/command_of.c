/* A path may have any byte but 0: a terminal must not act on it, and a shell must find it again. */
#include "analyzer/report/command_of.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/table/clean.h"

#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:,+@%=-"

static bool is_shown(const char *path)
{
    bool shown = true;

    while (*path && shown) {
        path += mwa_clean_character(path, &shown);
    }
    return shown;
}

/* In '…'. */
static void put_quoted(const char *path, FILE *out)
{
    putc('\'', out);
    for (; *path; path++) {
        if (*path == '\'') {
            fputs("'\\''", out);
        } else {
            putc(*path, out);
        }
    }
    putc('\'', out);
}

/* In $'…', where what is not shown is octal numbers. */
static void put_escaped(const char *path, FILE *out)
{
    fputs("$'", out);
    while (*path) {
        bool shown;
        const size_t length = mwa_clean_character(path, &shown);

        if (*path == '\'' || *path == '\\') {
            putc('\\', out);
        }
        for (size_t i = 0; i < length; i++) {
            fprintf(out, shown ? "%c" : "\\%03o", (unsigned char)path[i]);
        }
        path += length;
    }
    putc('\'', out);
}

char *mwa_command_of(const char *command, const char *path)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out) {
        return NULL;
    }
    fprintf(out, "mpiwatch-analyze %s%s", command, path ? " " : "");
    if (path && path[0] && strspn(path, PLAIN) == strlen(path)) {
        fputs(path, out);
    } else if (path) {
        (is_shown(path) ? put_quoted : put_escaped)(path, out);
    }
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
