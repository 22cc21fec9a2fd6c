#ifndef MW_TEST_UNIT_ANALYZER_ARCHIVE_FIXTURE_H
#define MW_TEST_UNIT_ANALYZER_ARCHIVE_FIXTURE_H

#include "analyzer/analysis/collect.h"
#include "analyzer/cli/command.h"

/* An archive of test/data/archives.h, made, read with all analyses, and removed again. */
struct fixture {
    char directory[64];
    struct mwa_input *input;
    struct mwa_results results;
    struct mw_diagnostic diagnostic;
};

/* Makes the archive in a new directory. */
void fixture_make(struct fixture *fixture, void (*make)(const char *directory));

/* Makes and reads; the test fails if that does. */
void fixture_open(struct fixture *fixture, void (*make)(const char *directory));
void fixture_close(struct fixture *fixture);

/* The row of a call, or an empty one. */
struct mwa_call_row fixture_call(const struct fixture *fixture, const char *name);

#endif
