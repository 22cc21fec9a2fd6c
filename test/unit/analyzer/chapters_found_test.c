#include "analyzer/analysis/chapters_found.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/analysis/chapters_told.h"
#include "analyzer/load/block_pass.h"
#include "test/data/archives_delay.h"
#include "test/unit/analyzer/archive_fixture.h"
#include "test/unit/analyzer/forked_team.h"

/* Where a run may be cut, found by several processes, is where one finds that it may. */

#define MOST 1000u /* as many chapters as can be */

static struct fixture fixture;
static char cache[] = "/tmp/mpiwatch-chapters_found.XXXXXX";

/* What a process has, and how many events it has read to find the chapters. */
struct finder {
    struct mwa_input *input;
    struct mwa_block_states *states;
    struct mwa_chapters *chapters;
    struct mw_buffer packed;
    uint64_t read;
};

static void count(void *user, uint64_t events)
{
    ((struct finder *)user)->read = events;
}

static void open_finder(struct finder *finder)
{
    *finder = (struct finder){ .input = NULL };
    cr_assert_eq(mwa_input_open(fixture.directory, &finder->input, &fixture.diagnostic), MW_OK);
    mwa_input_set_progress(finder->input, count, finder);
    finder->states = mwa_block_states_open(finder->input);
}

static void close_finder(struct finder *finder)
{
    mw_buffer_fini(&finder->packed);
    mwa_chapters_free(finder->chapters);
    mwa_block_states_close(finder->states);
    mwa_input_close(finder->input);
}

/* Makes an archive, and keeps where it can be cut. */
static void begin(void)
{
    struct mwa_input *input = NULL;

    cr_assert_not_null(mkdtemp(cache));
    setenv("XDG_CACHE_HOME", cache, 1);
    fixture_make(&fixture, make_delay_chain);
    cr_assert_eq(mwa_input_open(fixture.directory, &input, &fixture.diagnostic), MW_OK);
    cr_assert_eq(mwa_block_pass(input, NULL, &fixture.diagnostic), MW_OK);
    mwa_input_close(input);
}

static void end(void)
{
    char command[128];

    fixture_close(&fixture);
    snprintf(command, sizeof command, "rm -r %s", cache);
    cr_expect_eq(system(command), 0);
}

/* What a process of team finds is what one has found: by reading a share, or, where one of them
 * knows of no places, by the first one alone. */
static enum mw_status find_as(const struct mwa_team *team, const struct finder *one, bool is_shared)
{
    struct finder finder;
    enum mw_status status;

    open_finder(&finder);
    if (!is_shared && team->transport.rank == 1) {
        mwa_block_states_close(finder.states);
        finder.states = NULL;
    }
    status = mwa_chapters_find_together(team, finder.input, finder.states, MOST,
                                        &finder.chapters, &fixture.diagnostic);
    mwa_chapters_pack(finder.chapters, &finder.packed);
    if (finder.packed.bytes != one->packed.bytes ||
        memcmp(finder.packed.data, one->packed.data, one->packed.bytes) != 0) {
        status = MW_ERROR_FORMAT;
    }
    if (is_shared ? finder.read == 0 || finder.read >= one->read
                  : finder.read != (mwa_team_is_first(team) ? one->read : 0)) {
        status = MW_ERROR_USAGE;
    }
    close_finder(&finder);
    return status;
}

Test(chapters_found, by_several_are_those_of_one, .init = begin, .fini = end)
{
    struct finder one;

    open_finder(&one);
    one.chapters = mwa_chapters_find(one.input, one.states, MOST, NULL);
    cr_assert_not_null(one.chapters);
    cr_assert_gt(one.chapters->count, 2);
    mwa_chapters_pack(one.chapters, &one.packed);
    for (int is_shared = 0; is_shared <= 1; is_shared++) {
        struct mwa_team team;
        enum mw_status status;

        forked_team_make(&team);
        status = find_as(&team, &one, is_shared);
        cr_expect(forked_team_end(&team, status, MW_OK), "status %d, shared: %d", status,
                  is_shared);
    }
    close_finder(&one);
}

/* Nobody knows of places: there are no chapters, and nobody reads. */
Test(chapters_found, may_be_none, .init = begin, .fini = end)
{
    struct mwa_team team;
    struct finder finder;
    enum mw_status status;

    forked_team_make(&team);
    open_finder(&finder);
    status = mwa_chapters_find_together(&team, finder.input, NULL, MOST, &finder.chapters,
                                        &fixture.diagnostic);
    if (finder.chapters || finder.read > 0) {
        status = MW_ERROR_FORMAT;
    }
    close_finder(&finder);
    cr_expect(forked_team_end(&team, status, MW_OK), "status %d", status);
}
