#include <criterion/criterion.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/load/each_location.h"
#include "analyzer/validate/found_in_parts.h"
#include "analyzer/validate/all_together.h"
#include "test/data/archives.h"
#include "test/data/archives_comms.h"
#include "test/unit/analyzer/archive_fixture.h"

static struct fixture fixture;
static uint64_t readers; /* of events of a location, that were opened */

/* The linker's names for the analyzer's own and for what stands in its place. */
enum mw_status __real_mwa_event_reader_open(struct mwa_input *input, uint32_t location,
                                            struct mwa_event_reader **reader,
                                            struct mw_diagnostic *diagnostic);
enum mw_status __wrap_mwa_event_reader_open(struct mwa_input *input, uint32_t location,
                                            struct mwa_event_reader **reader,
                                            struct mw_diagnostic *diagnostic);

enum mw_status __wrap_mwa_event_reader_open(struct mwa_input *input, uint32_t location,
                                            struct mwa_event_reader **reader,
                                            struct mw_diagnostic *diagnostic)
{
    readers++;
    return __real_mwa_event_reader_open(input, location, reader, diagnostic);
}

static void open_mistakes(void)
{
    fixture_make(&fixture, make_comm_mistakes);
    cr_assert_eq(mwa_input_open(fixture.directory, &fixture.input, &fixture.diagnostic), MW_OK);
}

/* --- beside locations ------------------------------------------------------------------------ */

struct meeting {
    _Atomic uint64_t taken; /* locations */
    uint64_t before;        /* when what is beside began, after the patience of it */
    bool waits;
};

static void wait_for_one(void *user)
{
    struct meeting *meeting = user;

    for (int i = 0; meeting->waits && i < 10000 && atomic_load(&meeting->taken) == 0; i++) {
        usleep(1000);
    }
    meeting->before = atomic_load(&meeting->taken);
}

static enum mw_status take(void *user, uint32_t worker, struct mwa_input *input,
                           uint32_t location, struct mw_diagnostic *diagnostic)
{
    struct meeting *meeting = user;

    atomic_fetch_add(&meeting->taken, 1);
    return MW_OK;
}

Test(each_location, has_something_beside_done_while_others_take_locations)
{
    struct meeting meeting = { .waits = true };
    const struct mwa_beside beside = { wait_for_one, &meeting };

    open_mistakes();
    cr_expect_eq(mwa_each_location_beside(fixture.input, 2, &beside, take, &meeting, NULL), MW_OK);
    cr_expect_gt(meeting.before, 0, "no other thread has begun");
    cr_expect_eq(meeting.taken, 2);
    fixture_close(&fixture);
}

Test(each_location, has_it_done_first_by_one_thread)
{
    struct meeting meeting = { 0 };
    const struct mwa_beside beside = { wait_for_one, &meeting };

    open_mistakes();
    cr_expect_eq(mwa_each_location_beside(fixture.input, 1, &beside, take, &meeting, NULL), MW_OK);
    cr_expect_eq(meeting.before, 0);
    cr_expect_eq(meeting.taken, 2);
    fixture_close(&fixture);
}

/* --- giving up ------------------------------------------------------------------------------- */

static enum mw_status pass_over(void *user, const struct mwa_event *event)
{
    return MW_OK;
}

static enum mw_status read_some(struct mwa_input *input)
{
    struct mwa_event_reader *reader;
    enum mw_status status;

    cr_assert_eq(mwa_event_reader_open(input, 0, &reader, NULL), MW_OK);
    status = mwa_event_reader_read(reader, 2, pass_over, NULL, NULL);
    mwa_event_reader_close(reader);
    return status;
}

Test(input, is_read_no_further_once_it_is_given_up)
{
    atomic_bool is_given_up = false;
    struct mwa_input *share, *of_share;

    open_mistakes();
    cr_assert_eq(mwa_input_share(fixture.input, &share, NULL), MW_OK);
    mwa_input_give_up_if(share, &is_given_up);
    cr_assert_eq(mwa_input_share(share, &of_share, NULL), MW_OK);
    cr_expect_eq(read_some(share), MW_OK);
    atomic_store(&is_given_up, true);
    cr_expect_eq(read_some(share), MW_ERROR_PEER);
    cr_expect_eq(read_some(of_share), MW_ERROR_PEER);
    cr_expect_eq(read_some(fixture.input), MW_OK, "the others of the archive go on");
    mwa_input_close(of_share);
    mwa_input_close(share);
    fixture_close(&fixture);
}

/* --- all locations together ------------------------------------------------------------------ */

static const struct mwa_finding *found_with(const struct mwa_findings *findings, const char *words)
{
    for (uint64_t i = 0; i < findings->count; i++) {
        if (strstr(findings->list[i].text, words)) {
            return &findings->list[i];
        }
    }
    return NULL;
}

Test(validate, reads_each_location_once_for_all_that_is_known_of_them_together)
{
    atomic_bool is_given_up = false;
    struct mwa_together together = { .is_given_up = &is_given_up };
    struct mwa_findings findings = { 0 };

    open_mistakes();
    together.input = fixture.input;
    readers = 0;
    mwa_together_read(&together);
    cr_expect_eq(readers, 2);
    cr_expect_eq(together.all.status, MW_OK);
    cr_expect_eq(together.all.results.matching.matched, 1);
    mwa_together_tell(&together, &findings);
    cr_expect(found_with(&findings, "(Comm 2): rank 0 creates it more than once; 1 such in all"));
    cr_expect(found_with(&findings, "rank 1 uses or frees it without having created it; 1 such"));
    cr_expect(found_with(&findings, "rank 0 uses it after it was freed; 1 such in all"));
    cr_expect(!found_with(&findings, "before it is created"));
    mwa_findings_fini(&findings);
    mwa_together_fini(&together);
    fixture_close(&fixture);
}

Test(validate, does_not_begin_again_what_is_given_up)
{
    atomic_bool is_given_up = true;
    struct mwa_together together = { .is_given_up = &is_given_up };

    open_mistakes();
    together.input = fixture.input;
    mwa_together_read(&together);
    cr_expect_eq(together.all.status, MW_ERROR_PEER);
    cr_expect_null(together.lives.share);
    mwa_together_fini(&together);
    fixture_close(&fixture);
}

Test(rank_records, say_what_the_profile_says)
{
    void (*const makers[])(const char *) = { make_open, make_empty, make_comm_mistakes };
    static const uint64_t open_calls[] = { 1, 0, 0 };
    static const uint64_t without_events[] = { 0, 2, 0 };

    for (unsigned i = 0; i < sizeof makers / sizeof makers[0]; i++) {
        const struct mwa_results *results = &fixture.results;
        uint64_t without = 0;

        fixture_make(&fixture, makers[i]);
        cr_assert_eq(mwa_input_open(fixture.directory, &fixture.input, NULL), MW_OK);
        cr_assert_eq(mwa_collect(fixture.input, fixture.directory,
                                 MWA_NEED_PROFILE | MWA_NEED_RANK_RECORDS, NULL, &fixture.results,
                                 NULL),
                     MW_OK);
        cr_expect_eq(results->rank_records.open_calls, open_calls[i]);
        cr_expect_eq(results->profile.open_calls, open_calls[i]);
        for (uint32_t rank = 0; rank < results->trace->rank_count; rank++) {
            without += !results->rank_records.has_events[rank];
            cr_expect_eq(results->rank_records.has_events[rank],
                         results->profile.ranks[rank].has_events);
        }
        cr_expect_eq(without, without_events[i]);
        fixture_close(&fixture);
    }
}

/* --- parts ----------------------------------------------------------------------------------- */

/* Every third part has something: two of the parts that 6 divides. */
static void look(void *user, uint64_t part, struct mwa_findings *found)
{
    usleep(part % 5 * 100);
    for (unsigned i = 0; part % 3 == 0 && i <= (part % 6 == 0); i++) {
        mwa_findings_add(found, MWA_NOTE, "", part, "%u", i);
    }
}

Test(found_in_parts, stands_in_the_order_of_the_parts)
{
    for (uint32_t threads = 1; threads <= 4; threads++) {
        struct mwa_findings findings = { 0 };
        uint64_t at = 0;

        mwa_findings_add(&findings, MWA_NOTE, "", 0, "first");
        mwa_find_in_parts(&findings, 100, threads, look, NULL);
        cr_assert_eq(findings.count, 1 + 34 + 17);
        for (uint64_t part = 0; part < 100; part += 3) {
            cr_expect_eq(findings.list[++at].offset, part);
            cr_expect_str_eq(findings.list[at].text, "0");
            if (part % 6 == 0) {
                cr_expect_eq(findings.list[++at].offset, part);
                cr_expect_str_eq(findings.list[at].text, "1");
            }
        }
        mwa_findings_fini(&findings);
    }
}

/* What is left out of a list that is full is counted as if one thread had found it. */
static void look_at_many(void *user, uint64_t part, struct mwa_findings *found)
{
    for (unsigned i = 0; i < 300; i++) {
        mwa_findings_add(found, MWA_CORRUPT, "", part, "%u", i);
    }
}

Test(found_in_parts, is_counted_beyond_the_most_that_is_kept)
{
    struct mwa_findings findings = { 0 };

    mwa_find_in_parts(&findings, 5, 3, look_at_many, NULL);
    cr_expect_eq(findings.count, MWA_FINDINGS_MAX);
    cr_expect_eq(findings.left_out, 1500 - MWA_FINDINGS_MAX);
    cr_expect_eq(findings.by_severity[MWA_CORRUPT], 1500);
    cr_expect_eq(findings.list[MWA_FINDINGS_MAX - 1].offset, 3);
    mwa_findings_fini(&findings);
}
