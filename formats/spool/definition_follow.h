#ifndef MW_FORMATS_SPOOL_DEFINITION_FOLLOW_H
#define MW_FORMATS_SPOOL_DEFINITION_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/spool/definition_reader.h"

/*
 * The definitions of a process that runs, whenever there are more of them. The file is kept open,
 * so that what was written last can be read when it has been taken away. All zero: not begun.
 */
struct mw_definition_follower {
    int descriptor; /* with is_open */
    bool is_open;
    uint64_t end;   /* in the file, of what has been read */
    char *image;    /* of the file, as long as it is read */
    char *path;
};

/*
 * Gives a reader of all definitions if there are more than at the last time, and else null: the
 * file is not there (yet), or it can't be read. It has to be given back.
 *
 * \return false: no memory.
 */
bool mw_definition_follow(struct mw_definition_follower *follower, const char *directory,
                          struct mw_definition_reader **reader) MW_MUST_CHECK;

/* Gives the reader back; as far as it has come counts as read. */
void mw_definition_followed(struct mw_definition_follower *follower,
                            struct mw_definition_reader *reader);

void mw_definition_follower_fini(struct mw_definition_follower *follower);

#endif
