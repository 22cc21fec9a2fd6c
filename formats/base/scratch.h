#ifndef MW_FORMATS_BASE_SCRATCH_H
#define MW_FORMATS_BASE_SCRATCH_H

#include "formats/base/status.h"

/* A directory of one's own for temporary files. */
struct mw_scratch {
    char path[4096]; /* "" when there is none */
};

/* Makes a fresh directory in parent. \return MW_OK; MW_ERROR_SYSTEM, MW_ERROR_SPACE. */
enum mw_status mw_scratch_create(struct mw_scratch *scratch, const char *parent,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Removes the directory with all that is in it. A zeroed one is fine. */
void mw_scratch_remove(struct mw_scratch *scratch);

/* Puts path/name into text of 4096 bytes. \return MW_OK; MW_ERROR_USAGE when too long. */
enum mw_status mw_path_join(char *text, const char *path, const char *name,
                            struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Removes what is at path, directories with their contents; symbolic links are not followed. */
void mw_remove_tree(const char *path);

/* The same of what is called name in an opened directory. */
void mw_remove_tree_at(int directory, const char *name);

#endif
