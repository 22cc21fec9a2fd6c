/* Most parts have nothing wrong with them: only what is found takes memory. */
#include "analyzer/validate/ordered_findings.h"

#include <stdlib.h>
#include <string.h>

struct mwa_found_part {
    bool is_through;
    struct mwa_findings *found; /* null: nothing */
};

enum mw_status mwa_ordered_findings_init(struct mwa_ordered_findings *ordered,
                                         struct mwa_findings *findings, uint64_t count,
                                         struct mw_diagnostic *diagnostic)
{
    *ordered = (struct mwa_ordered_findings){ .lock = PTHREAD_MUTEX_INITIALIZER,
                                              .findings = findings };
    ordered->parts = calloc(count + 1, sizeof *ordered->parts);
    if (!ordered->parts) {
        return mw_no_memory(diagnostic, NULL, "for what is found");
    }
    ordered->count = count;
    return MW_OK;
}

void mwa_ordered_findings_fini(struct mwa_ordered_findings *ordered)
{
    for (uint64_t i = ordered->told; i < ordered->count; i++) {
        if (ordered->parts[i].found) {
            mwa_findings_fini(ordered->parts[i].found);
            free(ordered->parts[i].found);
        }
    }
    free(ordered->parts);
    pthread_mutex_destroy(&ordered->lock);
}

void mwa_ordered_findings_begin(const struct mwa_ordered_findings *ordered,
                                struct mwa_findings *found)
{
    *found = (struct mwa_findings){ .archive = ordered->findings->archive };
    memcpy(found->root, ordered->findings->root, sizeof found->root);
}

/* Tells what can be told; the lock is held. */
static void tell(struct mwa_ordered_findings *ordered)
{
    while (ordered->told < ordered->count && ordered->parts[ordered->told].is_through) {
        struct mwa_findings *found = ordered->parts[ordered->told++].found;

        if (found) {
            mwa_findings_move(ordered->findings, found);
            free(found);
        }
    }
}

enum mw_status mwa_ordered_findings_put(struct mwa_ordered_findings *ordered, uint64_t part,
                                        struct mwa_findings *found,
                                        struct mw_diagnostic *diagnostic)
{
    struct mwa_findings *kept = NULL;

    if (found->count + found->left_out > 0) {
        kept = malloc(sizeof *kept);
        if (!kept) {
            mwa_findings_fini(found);
            return mw_no_memory(diagnostic, NULL, "for what is found");
        }
        *kept = *found;
    }
    *found = (struct mwa_findings){ 0 };
    pthread_mutex_lock(&ordered->lock);
    ordered->parts[part] = (struct mwa_found_part){ true, kept };
    tell(ordered);
    pthread_mutex_unlock(&ordered->lock);
    return MW_OK;
}
