#include "analyzer/team/team.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/page/page.h"
#include "analyzer/table/tables.h"
#include "analyzer/team/rank_share.h"
#include "test/data/archives.h"
#include "test/data/archives_comms.h"
#include "test/data/archives_efficiency.h"
#include "test/data/archives_neighbors.h"
#include "test/data/archives_page.h"
#include "test/data/archives_waits.h"
#include "test/unit/analyzer/archive_fixture.h"
#include "test/unit/analyzer/forked_team.h"

/*
 * What several processes find out together is what one finds out, of every analysis that may be
 * shared.
 */

static struct fixture fixture;
/* --- what it finds out --------------------------------------------------------------------- */

struct said {
    uint64_t needs;
    const struct mwa_table *document; /* null: all lists, and the page */
};

static const struct said everything = { MWA_NEED_PAGE | MWA_NEED_TABLES, NULL };

/* Of commands whose analyses see events alone, and of those that match messages as well. */
static const struct said cases[] = {
    { MWA_NEED_PROFILE | MWA_NEED_SITES, &mwa_calls_document },
    { MWA_NEED_PROFILE, &mwa_ranks_document },
    { MWA_NEED_HANG, &mwa_hang_document },
    { MWA_NEED_IMBALANCE | MWA_NEED_LOCATION_IMBALANCE, &mwa_imbalance_document },
    { MWA_NEED_COUNTERS, &mwa_counters_document },
    { MWA_NEED_COUNTERS, &mwa_series_document },
    { MWA_NEED_COMM_TIMELINE, &mwa_comm_timeline_document },
    { MWA_NEED_PAGE, &mwa_report_document },
    { MWA_NEED_TRAFFIC | MWA_NEED_HOST_PAIRS | MWA_NEED_WILDCARDS | MWA_NEED_QUEUEING,
      &mwa_messages_document },
    { MWA_NEED_RANK_STATES | MWA_NEED_RANK_WAITS | MWA_NEED_LOCATION_STATES,
      &mwa_timeline_document },
};

#define CASES (sizeof cases / sizeof cases[0])

static void (*const makes[])(const char *directory) = {
    make_plain,    make_threads,    make_nested,        make_callback,     make_open,
    make_comms,    make_paused,     make_comm_lives,    make_comm_objects, make_comm_mistakes,
    make_empty,    make_uneven,     make_region,        make_names,        make_halo,
    make_backwards, make_waits_losses, make_waits_threads, make_working_threads
};

#define MAKES (sizeof makes / sizeof makes[0])

static char *document_of(const struct mwa_table *document, const struct mwa_results *results)
{
    json_t *json = mwa_document_json(document, results);
    char *text = json_dumps(json, JSON_INDENT(1));

    json_decref(json);
    return text;
}

static char *everything_of(const struct mwa_results *results)
{
    const struct mwa_cell root = { .results = results, .row = results };
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    for (const struct mwa_named_table *table = mwa_tables; table->name; table++) {
        fprintf(out, "%s\n", table->name);
        mwa_table_csv(table->rows, &root, out);
    }
    cr_assert_eq(mwa_page_write(results, out, &fixture.diagnostic), MW_OK);
    fclose(out);
    return text;
}

/* What is said of it, with the events that were counted, or why nothing is; by a team, or null. */
static char *say(const struct mwa_team *team, const struct said *said, enum mw_status *status)
{
    const struct mwa_scope scope = { MWA_ALL_OF_IT, .team = team };
    struct mwa_results results;
    struct mwa_input *input = NULL;
    char *text = NULL;
    char *all = NULL;

    fixture.diagnostic = (struct mw_diagnostic){ 0 };
    cr_assert_eq(mwa_input_open(fixture.directory, &input, &fixture.diagnostic), MW_OK);
    *status = mwa_collect(input, fixture.directory, said->needs, &scope, &results,
                          &fixture.diagnostic);
    if (*status == MW_OK && (!team || mwa_team_is_first(team))) {
        text = said->document ? document_of(said->document, &results) : everything_of(&results);
        cr_assert_neq(asprintf(&all, "%s\n%lu %lu %lu %lu\n", text, results.pass.events,
                               results.pass.stray_leaves, results.pass.unclosed,
                               results.pass.missing_events),
                      -1);
        free(text);
    }
    mwa_results_fini(&results);
    mwa_input_close(input);
    return *status == MW_OK ? all : strdup(fixture.diagnostic.what);
}

/* Where two texts differ, from a few letters before: a page is too long to be shown. */
static const char *from_difference(const char *text, const char *other)
{
    size_t at = 0;

    while (text && other && text[at] && text[at] == other[at]) {
        at++;
    }
    return text ? text + (at > 60 ? at - 60 : 0) : "";
}

static void compare(void (*make)(const char *directory), const char *of, const struct said *said)
{
    struct mwa_team team;
    enum mw_status status_alone, status;
    char *alone;
    char *together;

    fixture_make(&fixture, make);
    alone = say(NULL, said, &status_alone);
    cr_assert_not_null(alone);
    forked_team_make(&team);
    together = say(&team, said, &status);
    cr_expect(forked_team_end(&team, status, status_alone), "%s", of);
    cr_expect(together && strcmp(together, alone) == 0, "%s: several: %.120s\none: %.120s", of,
              from_difference(together, alone), from_difference(alone, together));
    free(alone);
    free(together);
    fixture_close(&fixture);
}

Test(team, finds_out_what_one_process_does)
{
    for (unsigned make = 0; make < MAKES; make++) {
        for (unsigned which = 0; which < CASES; which++) {
            char of[64];

            snprintf(of, sizeof of, "archive %u, case %u", make, which);
            compare(makes[make], of, &cases[which]);
        }
    }
}

/* No list and no number gets lost on the way, of any analysis. */
Test(team, finds_out_for_all_tables_and_the_page_what_one_process_does)
{
    for (const struct made_archive *made = made_archives; made->name; made++) {
        compare(made->make, made->name, &everything);
    }
}

Test(team, shares_whatever_reads_events)
{
    for (unsigned which = 0; which < CASES; which++) {
        cr_expect(mwa_may_be_shared(cases[which].needs), "case %u", which);
    }
    cr_expect(mwa_may_be_shared(MWA_NEED_WAITS), "in chapters");
    cr_expect(mwa_may_be_shared(MWA_NEED_MATCHING), "in chapters");
    cr_expect_not(mwa_may_be_shared(0), "there is nothing to share");
}

/* --- failures -------------------------------------------------------------------------------- */

/* The one that fails in the least place says why, whichever process that is. */
Test(team, hears_of_the_first_failure)
{
    struct mw_diagnostic diagnostic = { 0 };
    struct mwa_team team;
    enum mw_status status = MW_OK;

    forked_team_make(&team);
    if (team.transport.rank > 0) {
        status = mw_fail(&diagnostic, MW_ERROR_FORMAT, "f", 7, "in place %u",
                         10 - team.transport.rank);
    }
    status = mwa_team_agree(&team, status, 10 - team.transport.rank, &diagnostic);
    if (mwa_team_is_first(&team)) {
        cr_expect_str_eq(diagnostic.what, "in place 8");
        cr_expect_eq(diagnostic.offset, 7);
    }
    cr_expect(forked_team_end(&team, status, MW_ERROR_FORMAT));
}

Test(team, has_a_sentence_for_who_has_none)
{
    struct mw_diagnostic diagnostic = { 0 };
    struct mwa_team team;
    enum mw_status status;

    forked_team_make(&team);
    status = mwa_team_agree(&team, team.transport.rank == 1 ? MW_ERROR_MEMORY : MW_OK, 0,
                            &diagnostic);
    if (mwa_team_is_first(&team)) {
        cr_expect_str_eq(diagnostic.what, "no memory for what processes tell each other");
        cr_expect_lt(diagnostic.rank, 0);
    }
    cr_expect(forked_team_end(&team, status, MW_ERROR_MEMORY));
}

Test(team, is_of_one_build_and_one_archive)
{
    struct mw_diagnostic diagnostic = { 0 };
    struct mwa_team team;
    enum mw_status status;

    forked_team_make(&team);
    status = mwa_team_compare(&team, 5, "reads another archive", &diagnostic);
    cr_expect_eq(status, MW_OK);
    status = mwa_team_compare(&team, team.transport.rank == 2 ? 6 : 5, "reads another archive",
                              &diagnostic);
    if (mwa_team_is_first(&team)) {
        cr_expect_str_eq(diagnostic.what, "process 2 reads another archive");
    }
    cr_expect(forked_team_end(&team, status, MW_ERROR_USAGE));
}

static enum mw_status refuse(void *user, struct mw_cursor *from)
{
    ++*(unsigned *)user;
    return MW_ERROR_FORMAT;
}

/* What can't be taken ends nothing that is collective. */
Test(team, gives_all_although_the_first_process_can_not_take_it)
{
    struct mw_buffer packed = { 0 };
    struct mwa_team team;
    unsigned taken = 0;
    enum mw_status status;

    forked_team_make(&team);
    mw_buffer_u64(&packed, 1);
    status = mwa_team_give(&team, &packed, refuse, &taken, NULL);
    mw_buffer_fini(&packed);
    if (mwa_team_is_first(&team)) {
        cr_expect_eq(taken, 1);
    }
    cr_expect(forked_team_end(&team, status, mwa_team_is_first(&team) ? MW_ERROR_FORMAT : MW_OK));
}

/* A process can't read what it was to hand on: no lack of memory. */
Test(team, says_that_something_can_not_be_read)
{
    struct mw_diagnostic diagnostic = { 0 };
    struct mw_buffer packed = { 0 };
    struct mwa_team team;
    unsigned taken = 0;
    enum mw_status status;

    forked_team_make(&team);
    packed.failed = team.transport.rank == 2;
    packed.unread = packed.failed ? EIO : 0;
    status = mwa_team_give(&team, &packed, refuse, &taken, &diagnostic);
    if (mwa_team_is_first(&team)) {
        cr_expect_eq(taken, 0);
        cr_expect_str_eq(diagnostic.what, "what was put into a file of TMPDIR can't be read");
        cr_expect_eq(diagnostic.error_number, EIO);
    }
    cr_expect(forked_team_end(&team, status, MW_ERROR_SYSTEM));
}

Test(team, tells_all_what_the_first_process_has)
{
    struct mw_buffer told = { 0 };
    struct mwa_team team;
    enum mw_status status;
    bool any = true;

    forked_team_make(&team);
    status = mwa_team_tell(&team, &told, NULL);
    cr_expect_eq(told.bytes, 0);
    if (mwa_team_is_first(&team)) {
        mw_buffer_append(&told, "chapters", 8);
    }
    status = status == MW_OK ? mwa_team_tell(&team, &told, NULL) : status;
    if (told.bytes != 8 || memcmp(told.data, "chapters", 8) != 0) {
        status = MW_ERROR_FORMAT;
    }
    mw_buffer_fini(&told);
    status = status == MW_OK ? mwa_team_any(&team, false, &any, NULL) : status;
    status = any ? MW_ERROR_FORMAT : status;
    status = status == MW_OK ? mwa_team_any(&team, team.transport.rank == 2, &any, NULL) : status;
    cr_expect(forked_team_end(&team, any ? status : MW_ERROR_FORMAT, MW_OK));
}

/* Flags of process 0: 100, of 1: 010, of 2: 001. */
Test(team, says_who_was_flagged_before)
{
    const uint8_t expected[FORKED_PROCESSES][FORKED_PROCESSES] = { { 0, 0, 0 },
                                                                   { 1, 0, 0 },
                                                                   { 1, 1, 0 } };
    uint8_t flags[FORKED_PROCESSES] = { 0 };
    struct mwa_team team;
    enum mw_status status;

    forked_team_make(&team);
    flags[team.transport.rank] = 1;
    status = mwa_team_before(&team, flags, FORKED_PROCESSES, NULL);
    if (memcmp(flags, expected[team.transport.rank], sizeof flags) != 0) {
        status = MW_ERROR_FORMAT;
    }
    cr_expect(forked_team_end(&team, status, MW_OK));
}

/* --- shares ---------------------------------------------------------------------------------- */

/* Ranks with so many events each, the first of which has a second location. */
static void share_of(const uint64_t *events, uint32_t ranks, uint32_t processes, uint32_t *owner)
{
    struct mwa_location locations[16] = { { 0 } };
    const struct mwa_trace trace = { .locations = locations,
                                     .location_count = ranks + 2,
                                     .rank_count = ranks };

    for (uint32_t i = 0; i < ranks; i++) {
        locations[i] = (struct mwa_location){ .rank = i, .events = events[i] };
    }
    locations[ranks] = (struct mwa_location){ .rank = 0, .events = 10 };
    locations[ranks + 1] = (struct mwa_location){ .rank = MWA_NONE };
    memset(owner, 0xff, (ranks + 2) * sizeof *owner);
    for (uint32_t process = 0; process < processes; process++) {
        bool *share = mwa_rank_share(&trace, process, processes);

        for (uint32_t i = 0; i < ranks + 2; i++) {
            if (share[i]) {
                cr_expect_eq(owner[i], UINT32_MAX, "location %u is read twice", i);
                owner[i] = process;
            }
        }
        free(share);
    }
    for (uint32_t i = 0; i < ranks + 2; i++) {
        cr_expect_lt(owner[i], processes, "location %u is not read", i);
    }
    cr_expect_eq(owner[ranks], owner[0], "a rank is split");
}

Test(rank_share, gives_each_process_as_many_events_and_splits_no_rank)
{
    uint32_t owner[16];

    share_of((const uint64_t[]){ 1000000, 1000000, 1000000, 1000000 }, 4, 2, owner);
    cr_expect_eq(owner[0], 0);
    cr_expect_eq(owner[1], 0);
    cr_expect_eq(owner[2], 1);
    cr_expect_eq(owner[3], 1);
    share_of((const uint64_t[]){ 9000000, 1000000, 1000000, 1000000 }, 4, 2, owner);
    cr_expect_eq(owner[0], 0);
    cr_expect_eq(owner[1], 1);
    cr_expect_eq(owner[3], 1);
    share_of((const uint64_t[]){ 1000000, 1000000, 9000000 }, 3, 3, owner);
    cr_expect_eq(owner[0], owner[1]);
    cr_expect_neq(owner[2], owner[1]);
    share_of((const uint64_t[]){ 5, 5 }, 2, 7, owner);
    cr_expect_neq(owner[0], owner[1]);
    share_of((const uint64_t[]){ UINT64_MAX, UINT64_MAX, 5 }, 3, 2, owner);
    cr_expect_neq(owner[0], owner[1], "what definitions say may be anything");
    share_of((const uint64_t[]){ 0 }, 1, 3, owner);
}
