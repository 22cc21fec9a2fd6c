#ifndef MWA_VALIDATE_CONTAINER_H
#define MWA_VALIDATE_CONTAINER_H

#include "analyzer/load/files.h"
#include "analyzer/validate/findings.h"

/*
 * Checks the files of an archive byte by byte, without looking at what they mean: of a ZIP
 * file the CRC and the size of every member, and that mpiwatch.idx says where the members'
 * blocks are, by inflating each block by itself; of a directory the files that
 * mpiwatch.sums lists. What is missing of these two is told where mpiwatch.json shows that
 * they belong there. A ZIP file is read by so many threads, or by fewer where there is little in
 * it; what is found doesn't depend on that. Memory: mpiwatch.idx, at most 1 GiB, 16 bytes per
 * member, and some 200 KiB a thread.
 *
 * files is read through streams of its own log, which is left as it was before.
 */
void mwa_check_container(struct mwa_files *files, uint32_t threads,
                         struct mwa_findings *findings);

#endif
