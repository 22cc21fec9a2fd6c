#ifndef MWR_IO_HINTS_H
#define MWR_IO_HINTS_H

#include <stdbool.h>

/*
 * What --io-hints says: hints of MPI-IO for the archive, "KEY=VALUE", with ';' between and blanks
 * around them ignored. A value may have commas, '=' and blanks within, as ROMIO's have; that of a
 * "…_buffer_size" is a number of bytes from 1 to 1 GiB.
 *
 * Nothing here allocates or keeps state; thread-safe.
 */

/* With the end of the text: what every MPI takes. Open MPI allows least. */
#define MWR_IO_HINT_KEY_BYTES 36u
#define MWR_IO_HINT_VALUE_BYTES 256u

struct mwr_io_hint {
    char key[MWR_IO_HINT_KEY_BYTES];
    char value[MWR_IO_HINT_VALUE_BYTES];
};

/*
 * Takes the next hint of *list, which then is behind it.
 * \return false at the end of the list, and at something that is no hint, where *list stays.
 */
bool mwr_io_hint_next(const char **list, struct mwr_io_hint *hint);

/* Whether list has hints only; "" has none, which is right. */
bool mwr_io_hints_are_valid(const char *list);

#endif
