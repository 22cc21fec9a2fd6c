#ifndef MWA_CLI_MEMORY_H
#define MWA_CLI_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* How much memory the program may take. */

#define MWA_MEMORY_MIN ((uint64_t)16 << 20)

/*
 * A number of bytes, or of K, M, G, T (powers of 1024), in *bytes.
 *
 * \return true; false when text is no such number or less than MWA_MEMORY_MIN.
 */
bool mwa_memory_parse(const char *text, uint64_t *bytes);

/* How much of what the limit counts the process has already; 0: the system does not say. */
uint64_t mwa_memory_taken(void);

/*
 * From now on allocations beyond bytes in all fail, as those of a machine that has no more
 * (RLIMIT_DATA), but for spared bytes, which are not the program's own. 0 means half of the
 * machine's memory, or of what the control group of the process may take, if that is less. A lower
 * limit that is there already stays. Does nothing in a program with AddressSanitizer, which
 * reserves more than any machine has.
 */
void mwa_memory_limit(uint64_t bytes, uint64_t spared);

#endif
