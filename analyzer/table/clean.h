#ifndef MWA_TABLE_CLEAN_H
#define MWA_TABLE_CLEAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Names and other texts that an archive brings are anybody's: on a terminal, in a page and in a
 * table they must neither act nor pretend. Not shown as they are: what is no UTF-8, control
 * characters (C0, DEL and C1), and what turns the direction of writing around.
 */

/* Bytes of the character at text, which has one; 1, and false in *shown, for what is none. */
size_t mwa_clean_character(const char *text, bool *shown);

/* Prints length bytes of text: blanks for tabs and ends of lines, '?' for each other character
 * that is not shown. */
void mwa_put_clean_bytes(const char *text, size_t length, FILE *out);

/* The same to its end. */
void mwa_put_clean(const char *text, FILE *out);

/* The same to its end, in clean of size bytes, cut after a whole character. Returns clean. */
const char *mwa_clean(const char *text, char *clean, size_t size);

#endif
