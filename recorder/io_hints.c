/*
 * The list is read where the user's mistake can still be told to the user, by mpiwatch-record, and
 * once more where its hints are given to the MPI: only what reads is shared, not what is read.
 */
#include "recorder/io_hints.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t"
#define BUFFER "_buffer_size"
#define BUFFER_MOST (1ul << 30)

/* Copies length bytes, without blanks at their ends. False when they are none or too many. */
static bool take(const char *from, size_t length, char *text, size_t size)
{
    size_t blanks = strspn(from, BLANKS);

    if (blanks >= length) {
        return false;
    }
    from += blanks;
    length -= blanks;
    while (strchr(BLANKS, from[length - 1])) {
        length--;
    }
    if (length >= size) {
        return false;
    }
    memcpy(text, from, length);
    text[length] = '\0';
    return true;
}

/* ROMIO ends the program when it has no memory for a buffer, or its size is negative. */
static bool is_harmless(const struct mwr_io_hint *hint)
{
    size_t length = strlen(hint->key);
    char *end;
    unsigned long size;

    if (length < strlen(BUFFER) || strcmp(hint->key + length - strlen(BUFFER), BUFFER) != 0) {
        return true;
    }
    errno = 0;
    size = strtoul(hint->value, &end, 10);
    return isdigit((unsigned char)hint->value[0]) && !*end && errno == 0 && size > 0 &&
           size <= BUFFER_MOST;
}

bool mwr_io_hint_next(const char **list, struct mwr_io_hint *hint)
{
    const char *key = *list;
    size_t length = strcspn(key, ";");
    size_t before = strcspn(key, "=;");

    if (key[before] != '=' || !take(key, before, hint->key, sizeof hint->key) ||
        !take(key + before + 1, length - before - 1, hint->value, sizeof hint->value) ||
        !is_harmless(hint)) {
        return false;
    }
    *list += key[length] == ';' ? length + 1 : length;
    return true;
}

bool mwr_io_hints_are_valid(const char *list)
{
    struct mwr_io_hint hint;

    while (mwr_io_hint_next(&list, &hint)) {
    }
    return list[strspn(list, BLANKS)] == '\0';
}
