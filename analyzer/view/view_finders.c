/* Of a message there may be several: threads that probe for the same, or one that probes twice. */
#include "analyzer/view/view_finders.h"

#include <stdlib.h>

struct mwa_view_finder {
    uint32_t call;
    uint32_t next; /* that has found the same before, or that can be used again; and 1, 0: none */
};

void mwa_view_finders_fini(struct mwa_view_finders *finders)
{
    free(finders->list);
    *finders = (struct mwa_view_finders){ .count = 0 };
}

enum mw_status mwa_view_finders_add(struct mwa_view_finders *finders,
                                    const struct mwa_view_store *store, uint32_t call,
                                    uint64_t *note, struct mw_diagnostic *diagnostic)
{
    uint32_t at = finders->free;

    if (at == 0) {
        if (!mwa_grow(&finders->list, &finders->capacity, finders->count + 1u,
                      sizeof *finders->list)) {
            return mw_no_memory(diagnostic, NULL, "for messages that were probed for");
        }
        at = ++finders->count;
    } else {
        finders->free = finders->list[at - 1].next;
    }
    finders->list[at - 1] = (struct mwa_view_finder){ call, (uint32_t)*note };
    *note = at;
    mwa_view_call_at(store, call)->finds_alone = true;
    return MW_OK;
}

uint32_t mwa_view_finders_received(struct mwa_view_finders *finders,
                                   const struct mwa_view_store *store, uint64_t note)
{
    uint32_t first = MWA_NONE;

    for (uint32_t at = (uint32_t)note, next; at > 0; at = next) {
        struct mwa_view_finder *finder = &finders->list[at - 1];

        next = finder->next;
        first = finder->call;
        mwa_view_call_at(store, first)->finds_alone = false;
        finder->next = finders->free;
        finders->free = at;
    }
    return first;
}
