#ifndef MW_FORMATS_BASE_PRINTABLE_H
#define MW_FORMATS_BASE_PRINTABLE_H

#include <stddef.h>

/*
 * What goes to a terminal: names of files and programs may hold anything, and a terminal obeys
 * escape sequences.
 */

/*
 * The bytes of the character that text begins with, if it can be shown: none of the control
 * characters (C0, DEL, C1) and UTF-8. 0 otherwise, when the first byte is to be written as a
 * number; 0 also at the end of text.
 */
size_t mw_printable_character(const char *text);

/*
 * Copies text to shown, of size bytes, with every byte that can't be shown as an octal number
 * ("\033"). What does not fit is cut off. Returns shown.
 */
const char *mw_printable(const char *text, char *shown, size_t size);

#endif
