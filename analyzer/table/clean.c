#include "analyzer/table/clean.h"

#include <string.h>

#include "formats/base/utf8.h"

/* C1 controls, and what turns the direction of writing around. */
static bool is_deceptive(const unsigned char *at, size_t bytes)
{
    if (bytes == 2) {
        return at[0] == 0xc2 && at[1] < 0xa0;
    }
    return bytes == 3 && at[0] == 0xe2 &&
           ((at[1] == 0x80 && (at[2] >= 0xa8 || at[2] == 0x8e || at[2] == 0x8f)) ||
            (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9));
}

size_t mwa_clean_character(const char *text, bool *shown)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t bytes = mw_utf8_sequence(text);

    *shown = bytes > 0 && (bytes > 1 || (at[0] >= 0x20 && at[0] != 0x7f)) &&
             !is_deceptive(at, bytes);
    return bytes > 0 ? bytes : 1;
}

/* What stands for a character that is not shown. */
static char substitute(char character)
{
    return character == '\t' || character == '\n' || character == '\r' ? ' ' : '?';
}

void mwa_put_clean_bytes(const char *text, size_t length, FILE *out)
{
    size_t begun = 0, bytes; /* of what is shown and not yet printed */
    bool shown;

    for (size_t at = 0; at < length; at += bytes) {
        bytes = mwa_clean_character(text + at, &shown);
        if (!shown) {
            fwrite(text + begun, 1, at - begun, out);
            putc(substitute(text[at]), out);
            begun = at + bytes;
        }
    }
    fwrite(text + begun, 1, length > begun ? length - begun : 0, out);
}

void mwa_put_clean(const char *text, FILE *out)
{
    mwa_put_clean_bytes(text, strlen(text), out);
}

const char *mwa_clean(const char *text, char *clean, size_t size)
{
    size_t length = 0, bytes;
    bool shown;

    for (; *text; text += bytes) {
        bytes = mwa_clean_character(text, &shown);
        if (length + (shown ? bytes : 1) >= size) {
            break;
        }
        if (shown) {
            memcpy(clean + length, text, bytes);
        } else {
            clean[length] = substitute(*text);
        }
        length += shown ? bytes : 1;
    }
    clean[length] = 0;
    return clean;
}
