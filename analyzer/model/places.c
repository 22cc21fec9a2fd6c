#include "analyzer/model/places.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/order.h"

/* The function of a recorder's outermost frame where it followed the stack no further. */
#define CUT "[cut]"

static int compare_places(const struct mwa_site *a, const struct mwa_site *b)
{
    return mw_order(a->region, b->region) ?: mw_order(a->line, b->line)
               ?: strcmp(a->file, b->file)
               ?: strcmp(a->function, b->function);
}

static int by_place(const void *one, const void *other)
{
    const struct mwa_site *const *a = one;
    const struct mwa_site *const *b = other;

    return compare_places(*a, *b) ?: mw_order((uintptr_t)*a, (uintptr_t)*b);
}

bool mwa_trace_find_places(struct mwa_trace *trace)
{
    struct mwa_site **sorted = malloc((trace->site_count + 1) * sizeof *sorted);

    if (!sorted) {
        return false;
    }
    for (uint64_t i = 0; i < trace->site_count; i++) {
        sorted[i] = &trace->sites[i];
    }
    qsort(sorted, trace->site_count, sizeof *sorted, by_place);
    for (uint64_t i = 0; i < trace->site_count; i++) {
        sorted[i]->place = i > 0 && compare_places(sorted[i - 1], sorted[i]) == 0
                               ? sorted[i - 1]->place
                               : (uint32_t)(sorted[i] - trace->sites);
    }
    free(sorted);
    return true;
}

uint32_t mwa_trace_stack(const struct mwa_trace *trace, uint32_t site, uint32_t *frames,
                         bool *is_cut)
{
    uint32_t frame = trace->sites[site].frame;
    uint32_t count = 0;

    for (; frame != MWA_NONE && count < MWA_STACK_FRAMES; frame = trace->frames[frame].parent) {
        frames[count++] = frame;
    }
    *is_cut = frame != MWA_NONE;
    if (count > 0 && strcmp(trace->frames[frames[count - 1]].function, CUT) == 0) {
        *is_cut = true;
        count--;
    }
    for (uint32_t i = 0; i < count / 2; i++) {
        uint32_t swapped = frames[i];

        frames[i] = frames[count - 1 - i];
        frames[count - 1 - i] = swapped;
    }
    return count;
}
