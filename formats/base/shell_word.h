#ifndef MW_FORMATS_BASE_SHELL_WORD_H
#define MW_FORMATS_BASE_SHELL_WORD_H

#include <stddef.h>

/* What a message offers to be pasted into a shell. */

/*
 * path and ending together as one word of a POSIX shell: in single quotes unless all its
 * characters are plain, and as $'…' with numbers for what a terminal can't show, control
 * characters say (POSIX.1-2024; bash, ksh and zsh know it for long). Fills text, of size bytes;
 * what does not fit is cut off, within the quotes. Returns text. Any thread may call it.
 */
const char *mw_shell_word(const char *path, const char *ending, char *text, size_t size);

#endif
