/* Which thread looks at a location is chance: what it finds waits for the locations before it. */
#include "analyzer/validate/all_events.h"

#include "analyzer/validate/events.h"
#include "analyzer/validate/ordered_findings.h"

/* What the threads have in common. */
struct checks {
    const OTF2_EvtReaderCallbacks *callbacks;
    const struct mwa_defined *defined;
    struct mwa_ordered_findings found; /* by location */
    atomic_bool has_failed;            /* in reading one of them */
    atomic_bool *is_corrupt;
};

static enum mw_status visit(void *user, uint32_t worker, struct mwa_input *input,
                            uint32_t location, struct mw_diagnostic *diagnostic)
{
    struct checks *checks = user;
    struct mwa_findings found;
    enum mw_status status;

    mwa_ordered_findings_begin(&checks->found, &found);
    if (!mwa_check_events(input, location, checks->defined, checks->callbacks, &found)) {
        atomic_store(&checks->has_failed, true);
        atomic_store(checks->is_corrupt, true);
    }
    if (found.by_severity[MWA_CORRUPT] > 0) {
        atomic_store(checks->is_corrupt, true);
    }
    status = mwa_ordered_findings_put(&checks->found, location, &found, diagnostic);
    if (status != MW_OK) {
        atomic_store(checks->is_corrupt, true);
    }
    return status;
}

bool mwa_check_all_events(struct mwa_input *input, const struct mwa_defined *defined,
                          const struct mwa_beside *beside, atomic_bool *is_corrupt,
                          struct mwa_findings *findings)
{
    const uint32_t threads =
        beside ? mwa_threads_worth_it_beside(input) : mwa_threads_worth_it(input);
    OTF2_EvtReaderCallbacks *callbacks = mwa_event_callbacks();
    struct checks checks = { .callbacks = callbacks,
                             .defined = defined,
                             .is_corrupt = is_corrupt };
    struct mw_diagnostic diagnostic = { 0 };
    enum mw_status status =
        mwa_ordered_findings_init(&checks.found, findings,
                                  mwa_input_trace(input)->location_count, &diagnostic);

    if (status == MW_OK) {
        status = callbacks ? mwa_each_location_beside(input, threads, beside, visit, &checks,
                                                      &diagnostic)
                           : mw_no_memory(&diagnostic, NULL, "for libotf2");
    }
    mwa_ordered_findings_fini(&checks.found);
    if (status != MW_OK) {
        mwa_findings_add_failure(findings, &diagnostic);
    }
    OTF2_EvtReaderCallbacks_Delete(callbacks); /* null as well */
    return status == MW_OK && !checks.has_failed;
}
