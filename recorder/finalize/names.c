/*
 * Names are taken from /proc and the C library: programs may call MPI_Init without
 * argc and argv, and those in Fortran and Python always do.
 */
#include "recorder/finalize/names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "formats/base/shell_word.h"
#include "recorder/output_pattern.h"

void mwr_name_program(char *text, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", text, size - 1);

    text[length > 0 ? length : 0] = '\0';
}

/* Appends one word, quoted if need be; text is filled up to *length. */
static void append_word(char *text, size_t size, size_t *length, const char *word)
{
    if (*length > 0 && *length + 1 < size) {
        text[(*length)++] = ' ';
    }
    if (size - *length >= 3) {
        mw_shell_word(word, "", text + *length, size - *length);
        *length += strlen(text + *length);
    }
}

void mwr_name_arguments(char *text, size_t size)
{
    char words[8192];
    int descriptor = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t bytes = descriptor >= 0 ? read(descriptor, words, sizeof words - 1) : 0;
    size_t length = 0;

    text[0] = '\0';
    if (descriptor >= 0) {
        close(descriptor);
    }
    if (bytes <= 0) {
        return;
    }
    words[bytes] = '\0';
    for (ssize_t at = 0; at < bytes; at += (ssize_t)strlen(words + at) + 1) {
        append_word(text, size, &length, words + at);
    }
}

void mwr_name_output(const struct mwr_settings *settings, char *text, size_t size)
{
    char directory[MWR_SETTING_PATH_BYTES] = "";
    char output[MWR_SETTING_PATH_BYTES];
    const char *ending = settings->format == MW_ARCHIVE_ZIP ? ".otf2.zip" : ".otf2";
    time_t now = time(NULL);
    struct tm broken;
    char date[32] = "";

    mwr_output_expand(settings->output, program_invocation_short_name, output, sizeof output);
    if (output[0] == '/') {
        snprintf(text, size, "%s", output);
        return;
    }
    if (!getcwd(directory, sizeof directory)) {
        snprintf(directory, sizeof directory, ".");
    }
    if (output[0]) {
        snprintf(text, size, "%s/%s", directory, output);
        return;
    }
    if (localtime_r(&now, &broken)) {
        strftime(date, sizeof date, "%Y%m%d-%H%M%S", &broken);
    }
    snprintf(text, size, "%s/%s-%s-%d%s", directory, program_invocation_short_name, date,
             (int)getpid(), ending);
}
