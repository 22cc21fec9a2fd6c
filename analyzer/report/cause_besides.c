/* Calls of a library are told by the line of the program that leads to it, which may lead to
 * several of them: they are places of their own, but who reads of them sees one. */
#include "analyzer/report/cause_besides.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/analysis/causes/causes.h"
#include "analyzer/analysis/summary.h"

#define MORE_BYTES 24u /* " and 3 more" */

/* Whether the call that the cause is about, or one of the first index of those beside, reads the
 * same. */
static bool is_named(const struct mwa_results *results, const struct mwa_cause *cause,
                     uint32_t index, const char *call)
{
    char other[MWA_CALL_AT_BYTES];
    bool is = strcmp(mwa_cause_call_at(results, cause, other), call) == 0;

    for (uint32_t i = 0; i < index && !is; i++) {
        is = strcmp(mwa_main_call_at(results, cause->besides[i], other), call) == 0;
    }
    return is;
}

void mwa_cause_besides(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                       size_t room)
{
    size_t length = 0;
    uint32_t more = 0;

    text[0] = 0;
    for (uint32_t i = 0; i < cause->beside_count; i++) {
        char call[MWA_CALL_AT_BYTES];

        mwa_main_call_at(results, cause->besides[i], call);
        if (is_named(results, cause, i, call)) {
            continue;
        }
        if (more > 0 || length + strlen(" and ") + strlen(call) + MORE_BYTES > room) {
            more++;
        } else {
            length += (size_t)snprintf(text + length, room - length, " and %s", call);
        }
    }
    if (more > 0) {
        snprintf(text + length, room - length, " and %" PRIu32 " more", more);
    }
}
