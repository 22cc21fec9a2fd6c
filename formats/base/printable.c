/*
 * Control characters of the second kind (C1) are two bytes in UTF-8, and terminals
 * obey them as well.
 */
#include "formats/base/printable.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "formats/base/utf8.h"

size_t mw_printable_character(const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
    size_t length = mw_utf8_sequence(text);
    bool is_control = bytes[0] < 0x20 || bytes[0] == 0x7f ||
                      (length == 2 && bytes[0] == 0xc2 && bytes[1] < 0xa0);

    return is_control ? 0 : length;
}

const char *mw_printable(const char *text, char *shown, size_t size)
{
    size_t room = size - 1; /* before the end */
    size_t filled = 0;

    while (*text) {
        size_t length = mw_printable_character(text);
        char number[5];
        size_t needed = length > 0 ? length : sizeof number - 1;

        if (needed > room - filled) {
            break;
        }
        if (length == 0) {
            snprintf(number, sizeof number, "\\%03o", (unsigned char)*text);
        }
        memcpy(shown + filled, length > 0 ? text : number, needed);
        filled += needed;
        text += length > 0 ? length : 1;
    }
    shown[filled] = '\0';
    return shown;
}
