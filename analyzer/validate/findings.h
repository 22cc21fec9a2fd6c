#ifndef MWA_VALIDATE_FINDINGS_H
#define MWA_VALIDATE_FINDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/base/status.h"

/* What is wrong with an archive, in the order in which it was found. Not thread-safe. */

/*
 * Worth knowing, the archive is as it was meant to be; something that belongs to the run is
 * missing; the archive contradicts itself or can't be read.
 */
#define MWA_SEVERITIES(SEVERITY)       \
    SEVERITY(NOTE, "note")             \
    SEVERITY(INCOMPLETE, "incomplete") \
    SEVERITY(CORRUPT, "corrupt")

enum mwa_severity {
#define MWA_CONSTANT(constant, name) MWA_##constant,
    MWA_SEVERITIES(MWA_CONSTANT)
#undef MWA_CONSTANT
};

struct mwa_finding {
    enum mwa_severity severity;
    char *member;    /* the file in the archive, "" when the archive as a whole is meant */
    uint64_t offset; /* in it; MW_DIAGNOSTIC_OFFSET_NONE: nowhere in particular */
    char *text;      /* a sentence without a full stop */
};

#define MWA_FINDINGS_MAX 1000u

/* All zero is none. */
struct mwa_findings {
    const char *archive; /* its path, which is left out of members; may be null */
    char root[1024];     /* what stands before a member's name in its path; "": not known */
    struct mwa_finding *list;
    uint64_t count;
    uint64_t capacity;
    uint64_t left_out; /* beyond MWA_FINDINGS_MAX, or for want of memory */
    uint64_t by_severity[3]; /* also those left out */
};

void mwa_findings_fini(struct mwa_findings *findings);

/*
 * Adds one, its text printf-formatted. where is a member's name or a diagnostic's: then
 * the root, or the archive's path and the '!' or '/' behind it, are left out.
 */
void mwa_findings_add(struct mwa_findings *findings, enum mwa_severity severity,
                      const char *where, uint64_t offset, const char *format, ...)
    MW_PRINTF(5, 6);

/* Adds what a function failed with, as corrupt. */
void mwa_findings_add_failure(struct mwa_findings *findings,
                              const struct mw_diagnostic *diagnostic);

/*
 * Adds those of from to into, in their order, as if they had been found there; both are of one
 * archive. from is empty afterwards, but for its archive and root.
 */
void mwa_findings_move(struct mwa_findings *into, struct mwa_findings *from);

/* "note", "incomplete", "corrupt"; static storage. */
const char *mwa_severity_name(enum mwa_severity severity);

#endif
