#ifndef MWA_VALIDATE_COMM_LIVES_H
#define MWA_VALIDATE_COMM_LIVES_H

#include "analyzer/validate/findings.h"

/*
 * Events of communicators against each other, per rank: created more than once (corrupt),
 * freed more than once, freed or used without having been created, used before they were
 * created or after they were freed (notes: a release may have failed, and other tools tell less
 * of lives). Predefined and foreign ones, those of which no rank tells a creation, and ranks
 * with losses, pauses or an incomplete record are only held to the first two. Opens the archive
 * at path anew, and reads it by so many threads; what can't be read is a finding.
 */
void mwa_check_comm_lives(const char *path, uint32_t threads, struct mwa_findings *findings);

#endif
