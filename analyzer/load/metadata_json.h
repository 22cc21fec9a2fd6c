#ifndef MWA_LOAD_METADATA_JSON_H
#define MWA_LOAD_METADATA_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "analyzer/load/files.h"
#include "formats/base/status.h"

/*
 * mpiwatch.json as a tree of jansson's. A tree takes up to 75 times the bytes of its text, and
 * deflate makes that a thousand times of what is in the file: what the tree will need is counted
 * before it is made, and it must be no more than a share of the memory that the process may have.
 */

/* Of RLIMIT_DATA, which --max-memory sets. The rest is for what is taken out of the tree. */
#define MWA_JSON_MEMORY_SHARE 8u

/*
 * \return MW_OK and *root, to be freed with json_decref; *root is null when there is no such file.
 * \return MW_ERROR_MEMORY, also when the tree would be too large, with the offset from which on;
 * MW_ERROR_SYSTEM; MW_ERROR_FORMAT when it is no JSON or larger than 1 GiB.
 */
enum mw_status mwa_metadata_json(struct mwa_files *files, json_t **root,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* What is counted; begins with zeros. */
struct mwa_json_cost {
    uint64_t bytes; /* that a tree needs at the most while it is made */
    bool in_string;
    bool escaped;          /* behind a backslash */
    uint64_t word;         /* characters so far of a number, or of what should be a name */
    uint64_t longest_word; /* of them all */
};

/* Goes over the next size bytes of a text: those before the first that goes over limit. */
uint64_t mwa_json_cost_add(struct mwa_json_cost *cost, const char *text, uint64_t size,
                           uint64_t limit);

#endif
