#include "formats/base/utf8.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The length that a first byte promises, 0 if none begins with it. */
static size_t promised(unsigned char first)
{
    if (first < 0x80) {
        return 1;
    }
    if (first < 0xc2 || first > 0xf4) {
        return 0;
    }
    return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/* Whether the second byte makes an overlong form, a surrogate or more than U+10FFFF. */
static bool is_forbidden(unsigned char first, unsigned char second)
{
    return (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
           (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
}

size_t mw_utf8_sequence(const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
    size_t length = promised(bytes[0]);

    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xc0) != 0x80) { /* also at the text's end */
            return 0;
        }
    }
    return length > 1 && is_forbidden(bytes[0], bytes[1]) ? 0 : length;
}

char *mw_utf8_clean(const char *text)
{
    char *clean = malloc(strlen(text) * 3 + 1);
    char *next = clean;

    while (clean && *text) {
        size_t length = mw_utf8_sequence(text);
        const char *from = length > 0 ? text : MW_UTF8_REPLACEMENT;
        size_t bytes = length > 0 ? length : sizeof MW_UTF8_REPLACEMENT - 1;

        memcpy(next, from, bytes);
        next += bytes;
        text += length > 0 ? length : 1;
    }
    if (clean) {
        *next = '\0';
    }
    return clean;
}
