#include "analyzer/validate/validate.h"

#include "analyzer/validate/all_events.h"
#include "analyzer/validate/all_together.h"
#include "analyzer/validate/container.h"
#include "analyzer/validate/defined.h"
#include "analyzer/validate/described.h"

/* The files, opened by themselves: the definitions may be unreadable. */
static bool check_files(const char *path, uint32_t threads, struct mwa_findings *findings,
                        struct mwa_validated *validated)
{
    struct mw_diagnostic diagnostic = { 0 };
    struct mwa_files *files = NULL;

    if (mwa_files_open(path, &files, &diagnostic) != MW_OK) {
        mwa_findings_add_failure(findings, &diagnostic);
        return false;
    }
    mwa_files_place(files, "", findings->root, sizeof findings->root);
    validated->members = mwa_files_zip(files) ? mwa_zip_count(mwa_files_zip(files)) : 0;
    mwa_check_container(files, threads, findings);
    mwa_files_close(files);
    return true;
}

/*
 * The events of each location, and what is known of all of them together: the latter by one thread,
 * and for sound archives alone. Where several may read, it is done beside, and given up or
 * forgotten when something is corrupt.
 */
static void check_all_events(struct mwa_input *input, const struct mwa_defined *defined,
                             struct mwa_findings *findings, struct mwa_validated *validated)
{
    atomic_bool is_corrupt = false;
    struct mwa_together together = { .input = input, .is_given_up = &is_corrupt };
    const struct mwa_beside work = { mwa_together_read, &together };
    const bool is_beside = findings->by_severity[MWA_CORRUPT] == 0 &&
                           mwa_threads_worth_it_beside(input) > 1;
    const bool fine = mwa_check_all_events(input, defined, is_beside ? &work : NULL, &is_corrupt,
                                           findings) &&
                      findings->by_severity[MWA_CORRUPT] == 0;

    if (fine && !is_beside) {
        mwa_together_read(&together);
    }
    if (fine && together.all.status == MW_OK) {
        validated->events = together.all.results.pass.events;
        validated->messages = together.all.results.matching.matched;
    }
    if (fine) {
        mwa_together_tell(&together, findings);
    }
    mwa_together_fini(&together);
}

/* Definitions and events. */
static void check_contents(const char *path, uint32_t threads, struct mwa_findings *findings,
                           struct mwa_validated *validated)
{
    struct mw_diagnostic diagnostic = { 0 };
    struct mwa_defined defined = { 0 };
    struct mwa_input *input = NULL;

    if (mwa_input_open(path, &input, &diagnostic) != MW_OK ||
        mwa_check_definitions(input, &defined, findings, &diagnostic) != MW_OK) {
        mwa_findings_add_failure(findings, &diagnostic);
    } else {
        validated->locations = mwa_input_trace(input)->location_count;
        mwa_input_set_threads(input, threads);
        mwa_check_described(input, findings);
        check_all_events(input, &defined, findings, validated);
    }
    mwa_defined_fini(&defined);
    mwa_input_close(input);
}

void mwa_validate(const char *path, uint32_t threads, struct mwa_findings *findings,
                  struct mwa_validated *validated)
{
    findings->archive = path;
    *validated = (struct mwa_validated){ 0 };
    if (check_files(path, threads, findings, validated)) {
        check_contents(path, threads, findings, validated);
    }
}
