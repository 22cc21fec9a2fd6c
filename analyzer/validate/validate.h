#ifndef MWA_VALIDATE_VALIDATE_H
#define MWA_VALIDATE_VALIDATE_H

#include "analyzer/validate/findings.h"

/* How much was looked at. */
struct mwa_validated {
    uint64_t members; /* of a ZIP file, else 0 */
    uint64_t locations;
    uint64_t events;
    uint64_t messages; /* matched */
};

/*
 * Checks the archive at path from the outside in: container, definitions, events, matching
 * of messages, and what the archive says itself of what is missing. Goes as far as what it
 * finds allows. Events are read by so many threads, 1 at least; what is found doesn't depend on
 * that. findings must be empty; their archive becomes path. Never fails: what can't
 * be done is a finding.
 */
void mwa_validate(const char *path, uint32_t threads, struct mwa_findings *findings,
                  struct mwa_validated *validated);

#endif
