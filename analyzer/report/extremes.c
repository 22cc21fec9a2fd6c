/* Few of many are looked for: going through all for each takes less than sorting them. */
#include "analyzer/report/extremes.h"

#include <inttypes.h>

/* The most extreme values so far, the most extreme first. */
struct extremes {
    uint64_t index[MWA_EXTREMES_MOST];
    double value[MWA_EXTREMES_MOST];
    uint32_t count;
    uint32_t most;
};

static void take(struct extremes *extremes, uint64_t index, double value, bool is_most)
{
    uint32_t at = extremes->count;

    while (at > 0 &&
           (is_most ? value > extremes->value[at - 1] : value < extremes->value[at - 1])) {
        at--;
    }
    if (at == extremes->most) {
        return;
    }
    extremes->count += extremes->count < extremes->most;
    for (uint32_t i = extremes->count - 1; i > at; i--) {
        extremes->index[i] = extremes->index[i - 1];
        extremes->value[i] = extremes->value[i - 1];
    }
    extremes->index[at] = index;
    extremes->value[at] = value;
}

void mwa_mark_extremes(const void *of, uint64_t count, mwa_value_at *value_at, bool is_most,
                       uint32_t each, bool *is_extreme)
{
    struct extremes extremes = { .most = each };
    double value;

    for (uint64_t i = 0; i < count; i++) {
        if (value_at(of, i, &value)) {
            take(&extremes, i, value, is_most);
        }
    }
    for (uint32_t i = 0; i < extremes.count; i++) {
        is_extreme[extremes.index[i]] = true;
    }
}

bool mwa_is_flagged(const struct mwa_cell *cell)
{
    return ((const bool *)cell->parent->row)[cell->index];
}

void mwa_say_left_out(const bool *is_extreme, uint64_t count, uint32_t each, const char *what,
                      FILE *out)
{
    uint64_t left = 0;

    for (uint64_t i = 0; is_extreme && i < count; i++) {
        left += !is_extreme[i];
    }
    if (left > 0) {
        fprintf(out, "and %" PRIu64 " more: shown are %u each with %s; --all-ranks has all\n", left,
                each, what);
    }
}
