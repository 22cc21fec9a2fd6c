#include "formats/base/shell_word.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "formats/base/printable.h"

enum quotes { QUOTES_NONE, QUOTES_SINGLE, QUOTES_DOLLAR };

/* Those that word needs. */
static enum quotes quotes_of(const char *word)
{
    /* These mean nothing to a shell. */
    bool is_plain = word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789_@%+=:,./-")] == '\0';

    while (*word && mw_printable_character(word) > 0) {
        word += mw_printable_character(word);
    }
    return *word ? QUOTES_DOLLAR : is_plain ? QUOTES_NONE : QUOTES_SINGLE;
}

/* One character of word as it stands between the quotes, in text; how much of word it is. */
static size_t take(const char *word, enum quotes quotes, char text[8])
{
    size_t length = mw_printable_character(word);

    if (quotes == QUOTES_DOLLAR && (length == 0 || *word == '\'' || *word == '\\')) {
        snprintf(text, 8, *word == '\n' ? "\\n" : "\\%03o", (unsigned char)*word);
        return 1;
    }
    if (quotes == QUOTES_SINGLE && *word == '\'') {
        memcpy(text, "'\\''", 5);
        return 1;
    }
    memcpy(text, word, length);
    text[length] = '\0';
    return length;
}

/* Appends word; two bytes stay free. */
static size_t append(const char *word, enum quotes quotes, char *text, size_t length, size_t size)
{
    char character[8];

    while (*word && length + 6 < size) {
        word += take(word, quotes, character);
        memcpy(text + length, character, strlen(character));
        length += strlen(character);
    }
    return length;
}

const char *mw_shell_word(const char *path, const char *ending, char *text, size_t size)
{
    enum quotes quotes = quotes_of(path);
    size_t length = 0;

    if (size < 4) {
        return "";
    }
    quotes = quotes_of(ending) > quotes ? quotes_of(ending) : quotes;
    quotes = quotes == QUOTES_NONE && !*path && !*ending ? QUOTES_SINGLE : quotes;
    if (quotes == QUOTES_DOLLAR) {
        text[length++] = '$';
    }
    if (quotes != QUOTES_NONE) {
        text[length++] = '\'';
    }
    length = append(path, quotes, text, length, size);
    length = append(ending, quotes, text, length, size);
    if (quotes != QUOTES_NONE) {
        text[length++] = '\'';
    }
    text[length] = '\0';
    return text;
}
