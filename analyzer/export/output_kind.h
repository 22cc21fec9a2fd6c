#ifndef MWA_EXPORT_OUTPUT_KIND_H
#define MWA_EXPORT_OUTPUT_KIND_H

#include <stdbool.h>

/* What mpiwatch-analyze writes, and how that is told from the files of others: by its contents. */

#define MWA_OUTPUT_KINDS(KIND)                           \
    KIND(TEXT, "text")                                   \
    KIND(JSON, "JSON")                                   \
    KIND(TABLE, "a table")                               \
    KIND(JUNIT, "JUnit XML")                             \
    KIND(PAGE, "a page")                                 \
    KIND(PICTURE, "a picture")                           \
    KIND(SVG, "an SVG picture")                          \
    KIND(LIVE_PAGE, "a page of mpiwatch-top")            \
    KIND(METRICS, "OpenMetrics")                         \
    KIND(PERFETTO, "a trace for Perfetto")               \
    KIND(CHROME, "a trace for Chrome")                   \
    KIND(FOLDED, "folded stacks")                        \
    KIND(PARAVER, "a trace for Paraver")                 \
    KIND(PARAVER_LABELS, "labels for Paraver")           \
    KIND(PARAVER_ROWS, "rows for Paraver")               \
    KIND(ARCHIVE, "an exported archive in a ZIP file")   \
    KIND(DIRECTORY, "an exported archive in a directory")

enum mwa_output_kind {
#define MWA_CONSTANT(constant, name) MWA_OUTPUT_##constant,
    MWA_OUTPUT_KINDS(MWA_CONSTANT)
#undef MWA_CONSTANT
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

/* The type of Paraver's events that are calls of MPI, of our own. */
#define MWA_PARAVER_TYPE "50000099"

/* Who wrote a picture and a trace for Chrome, for those who look into them. */
#define MWA_OUTPUT_WRITER "mpiwatch-analyze"

/* The second line of a page of mpiwatch-top. */
#define MWA_OUTPUT_LIVE_MARK "<!-- made by mpiwatch-top -->"

/* The second line of pictures in SVG. */
#define MWA_OUTPUT_SVG_MARK "<!-- made by " MWA_OUTPUT_WRITER " -->"

#endif
