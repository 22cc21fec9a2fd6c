#include "analyzer/cli/argument.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/cli/memory.h"

void mwa_argument_number(const char *option, const char *text, unsigned long limit,
                         struct argp_state *state, uint32_t *result)
{
    unsigned long number;
    char *end;

    errno = 0;
    number = strtoul(text, &end, 10);
    if (errno || *end || end == text || text[0] == '-' || number >= limit) {
        argp_error(state, "%s needs a number below %lu, not \"%s\"", option, limit, text);
        return;
    }
    *result = (uint32_t)number;
}

void mwa_argument_time(const char *text, struct argp_state *state, uint64_t *ns)
{
    static const struct {
        const char *unit;
        double factor;
    } units[] = { { "", 1e9 }, { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "ns", 1 } };
    char *end;
    double number = strtod(text, &end);

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (end != text && strcmp(end, units[i].unit) == 0 && number >= 0 &&
            number * units[i].factor < 9e18) {
            *ns = (uint64_t)(number * units[i].factor + 0.5);
            return;
        }
    }
    argp_error(state, "a time is a number with s, ms, us or ns, not \"%s\"", text);
}

void mwa_argument_memory(const char *text, struct argp_state *state, uint64_t *bytes)
{
    if (!mwa_memory_parse(text, bytes)) {
        argp_error(state, "--max-memory needs a size from 16M on such as 512M or 4G, not \"%s\"",
                   text);
    }
}
