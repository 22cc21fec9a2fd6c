#ifndef MW_FORMATS_ARCHIVE_ARCHIVE_JSON_USER_H
#define MW_FORMATS_ARCHIVE_ARCHIVE_JSON_USER_H

#include "formats/base/json_writer.h"
#include "formats/merge/merge.h"

/* What mpiwatch.json says of the API's use and of filtered calls; a part of archive_json. */

/* "registered" of a communicator. */
void mw_json_registered(struct mw_json *json, const struct mw_merged *merged,
                        const struct mw_merged_comm *comm);

/* "filtered" and "misuse" of a rank. */
void mw_json_rank_user(struct mw_json *json, const struct mw_merged_rank *rank);

/* "filtered" of the archive. */
void mw_json_filtered(struct mw_json *json, const struct mw_merged *merged);

#endif
