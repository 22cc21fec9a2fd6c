/* Which thread takes a part is chance: what it finds waits for the parts before it. */
#include "analyzer/validate/found_in_parts.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "analyzer/model/work_together.h"
#include "analyzer/validate/ordered_findings.h"

/* What the threads have in common. */
struct parts {
    struct mwa_ordered_findings found;
    mwa_part_check *check;
    void *user;
    _Atomic uint64_t next;
    atomic_bool lacks_memory;
};

static void *work(void *argument)
{
    struct parts *parts = argument;
    uint64_t part;

    while (!atomic_load(&parts->lacks_memory) &&
           (part = atomic_fetch_add(&parts->next, 1)) < parts->found.count) {
        struct mwa_findings found;

        mwa_ordered_findings_begin(&parts->found, &found);
        parts->check(parts->user, part, &found);
        if (mwa_ordered_findings_put(&parts->found, part, &found, NULL) != MW_OK) {
            atomic_store(&parts->lacks_memory, true);
        }
    }
    return NULL;
}

void mwa_find_in_parts(struct mwa_findings *findings, uint64_t count, uint32_t threads,
                       mwa_part_check *check, void *user)
{
    struct parts parts = { .check = check, .user = user };
    struct mw_diagnostic diagnostic = { 0 };
    enum mw_status status =
        mwa_ordered_findings_init(&parts.found, findings, count, &diagnostic);

    if (status == MW_OK) {
        mwa_work_together(threads, work, &parts);
        if (parts.lacks_memory) {
            status = mw_no_memory(&diagnostic, NULL, "for what is found");
        }
    }
    mwa_ordered_findings_fini(&parts.found);
    if (status != MW_OK) {
        mwa_findings_add_failure(findings, &diagnostic);
    }
}
