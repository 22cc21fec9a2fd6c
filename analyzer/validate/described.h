#ifndef MWA_VALIDATE_DESCRIBED_H
#define MWA_VALIDATE_DESCRIBED_H

#include "analyzer/load/input.h"
#include "analyzer/validate/findings.h"

/*
 * Holds what mpiwatch.json says twice, since OTF2's definitions say it as well, against
 * these: ranks, their threads and numbers of events, communicators with names and members,
 * and metrics. An archive without the file, or with one that can't be read (which opening the
 * archive tells), is passed over. Each contradiction is a finding, corrupt, that names the
 * key.
 */
void mwa_check_described(struct mwa_input *input, struct mwa_findings *findings);

#endif
