#ifndef MWA_CLI_ARGUMENT_H
#define MWA_CLI_ARGUMENT_H

#include <argp.h>
#include <stdint.h>

/* Values of options. What is none ends the program by argp_error, with a sentence. */

/* A number below limit, of the option that is named. */
void mwa_argument_number(const char *option, const char *text, unsigned long limit,
                         struct argp_state *state, uint32_t *result);

/* "1.5s", "20ms", "3us", "7ns" or "7", which is seconds. */
void mwa_argument_time(const char *text, struct argp_state *state, uint64_t *ns);

/* Of --max-memory: see mwa_memory_parse. */
void mwa_argument_memory(const char *text, struct argp_state *state, uint64_t *bytes);

#endif
