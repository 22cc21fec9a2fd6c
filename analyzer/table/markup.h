#ifndef MWA_TABLE_MARKUP_H
#define MWA_TABLE_MARKUP_H

#include <stdio.h>

/*
 * Prints text as the text of an element or attribute of XML or HTML. It is UTF-8, as clean.h has
 * it; U+FFFE and U+FFFF, which are no characters of XML, are '?'.
 */
void mwa_put_markup(const char *text, FILE *out);

#endif
