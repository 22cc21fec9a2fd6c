#include "test/unit/analyzer/archive_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fixture_make(struct fixture *fixture, void (*make)(const char *directory))
{
    memset(fixture, 0, sizeof *fixture);
    snprintf(fixture->directory, sizeof fixture->directory, "/tmp/mwa-test-XXXXXX");
    cr_assert_not_null(mkdtemp(fixture->directory));
    memcpy(fixture->directory + strlen(fixture->directory), "/a", 3);
    make(fixture->directory);
}

void fixture_open(struct fixture *fixture, void (*make)(const char *directory))
{
    char text[2048];

    fixture_make(fixture, make);
    cr_assert_eq(mwa_input_open(fixture->directory, &fixture->input, &fixture->diagnostic), MW_OK,
                 "%s", mw_diagnostic_text(&fixture->diagnostic, text, sizeof text));
    cr_assert_eq(mwa_collect(fixture->input, fixture->directory, MWA_NEED_PAGE, NULL,
                             &fixture->results, &fixture->diagnostic),
                 MW_OK, "%s", mw_diagnostic_text(&fixture->diagnostic, text, sizeof text));
}

void fixture_close(struct fixture *fixture)
{
    char command[128];

    mwa_results_fini(&fixture->results);
    mwa_input_close(fixture->input);
    *strrchr(fixture->directory, '/') = 0;
    snprintf(command, sizeof command, "rm -rf '%s'", fixture->directory);
    cr_expect_eq(system(command), 0);
}

struct mwa_call_row fixture_call(const struct fixture *fixture, const char *name)
{
    for (uint64_t i = 0; i < fixture->results.profile.call_count; i++) {
        if (strcmp(fixture->results.profile.calls[i].region->name, name) == 0) {
            return fixture->results.profile.calls[i];
        }
    }
    return (struct mwa_call_row){ 0 };
}
