#ifndef MW_FORMATS_BASE_UTF8_H
#define MW_FORMATS_BASE_UTF8_H

#include <stddef.h>

#define MW_UTF8_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* The bytes of the UTF-8 sequence (RFC 3629) that text begins with, 0 if it is none. */
size_t mw_utf8_sequence(const char *text);

/* A copy of text with U+FFFD for each byte that is not UTF-8; malloc'd, null without memory. */
char *mw_utf8_clean(const char *text);

#endif
