#ifndef MWA_MODEL_TEXT_STREAM_H
#define MWA_MODEL_TEXT_STREAM_H

#include <stddef.h>
#include <stdio.h>

/*
 * A stream into memory, as open_memstream, whose text is whole or is none: where memory was short
 * glibc's loses the end of the text, and fclose says nothing of it. ftell has its length; nobody
 * seeks in it.
 *
 * \return the stream; fclose returns 0, with *text (to be freed, and with a zero behind its *size
 * bytes), or EOF, with *text null: no memory. Null likewise, with *text null.
 */
FILE *mwa_open_text(char **text, size_t *size);

#endif
