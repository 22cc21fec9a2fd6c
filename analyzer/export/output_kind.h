#ifndef MWA_EXPORT_OUTPUT_KIND_H
#define MWA_EXPORT_OUTPUT_KIND_H

#include <stdbool.h>

/* What mpiwatch-analyze writes, and how that is told from the files of others: by its contents. */

enum mwa_output_kind {
    MWA_OUTPUT_TEXT,
    MWA_OUTPUT_JSON,
    MWA_OUTPUT_TABLE,
    MWA_OUTPUT_PAGE,
    MWA_OUTPUT_PICTURE,
    MWA_OUTPUT_PERFETTO,
    MWA_OUTPUT_CHROME,
    MWA_OUTPUT_ARCHIVE,  /* a ZIP file */
    MWA_OUTPUT_DIRECTORY /* with an archive in it */
};

/* "a picture": the kind, for sentences. */
const char *mwa_output_kind_name(enum mwa_output_kind kind);

/*
 * True when the file or directory at path is of that kind and mpiwatch-analyze has written it;
 * of archives those of export --otf2, which carry MWA_EXPORT_PROPERTY. False when it can't be
 * read.
 */
bool mwa_output_is_ours(const char *path, enum mwa_output_kind kind);

/* The property of OTF2's anchor file that tells what was exported from what was recorded. */
#define MWA_EXPORT_PROPERTY "MPIWATCH::EXPORT"

/* Who wrote a picture and a trace for Chrome, for those who look into them. */
#define MWA_OUTPUT_WRITER "mpiwatch-analyze"

#endif
