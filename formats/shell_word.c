#include "formats/shell_word.h"

#include <stdbool.h>
#include <string.h>

/* Characters that mean nothing to a shell. */
static bool is_plain(const char *word)
{
    return word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "0123456789_@%+=:,./-")] == '\0';
}

/* Appends word with ' as '\''; two bytes stay free. */
static size_t append(const char *word, char *text, size_t length, size_t size)
{
    for (; *word && length + 6 < size; word++) {
        if (*word == '\'') {
            memcpy(text + length, "'\\''", 4);
            length += 4;
        } else {
            text[length++] = *word;
        }
    }
    return length;
}

const char *mw_shell_word(const char *path, const char *ending, char *text, size_t size)
{
    bool quotes = (!*path && !*ending) || !is_plain(path) || !is_plain(ending);
    size_t length = 0;

    if (size < 3) {
        return "";
    }
    if (quotes) {
        text[length++] = '\'';
    }
    length = append(path, text, length, size);
    length = append(ending, text, length, size);
    if (quotes) {
        text[length++] = '\'';
    }
    text[length] = '\0';
    return text;
}
