#ifndef MWA_SIDECAR_SIDE_BY_SIDE_CRC_H
#define MWA_SIDECAR_SIDE_BY_SIDE_CRC_H

#include <stdint.h>

/*
 * The CRC-32 of zlib of so many bytes, by at most four threads where they are many: a sidecar of
 * some GB is checked as a whole before anything of it is shown. Where no thread can be had this one
 * does it. Any number of threads.
 */
uint32_t mwa_side_by_side_crc(const void *bytes, uint64_t count);

#endif
