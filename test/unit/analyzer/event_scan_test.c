#include <criterion/criterion.h>

#include "analyzer/load/otf2_input.h"
#include "test/data/archives_comms.h"
#include "test/unit/analyzer/archive_fixture.h"

static struct fixture fixture;
static uint64_t selected; /* how often libotf2 was told of a location */

/* The linker's names for libotf2's own and for what stands in its place. */
OTF2_ErrorCode __real_OTF2_Reader_SelectLocation(OTF2_Reader *reader, OTF2_LocationRef location);
OTF2_ErrorCode __wrap_OTF2_Reader_SelectLocation(OTF2_Reader *reader, OTF2_LocationRef location);

OTF2_ErrorCode __wrap_OTF2_Reader_SelectLocation(OTF2_Reader *reader, OTF2_LocationRef location)
{
    selected++;
    return __real_OTF2_Reader_SelectLocation(reader, location);
}

/* It looks through all that it was told of each time that it is told of one more. */
Test(event_scan, tells_libotf2_of_a_location_when_it_reads_that)
{
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
    const struct mwa_trace *trace;
    struct mwa_input *share;
    uint64_t count;

    fixture_make(&fixture, make_comm_lives);
    cr_assert_eq(mwa_input_open(fixture.directory, &fixture.input, &fixture.diagnostic), MW_OK);
    cr_assert_eq(mwa_input_share(fixture.input, &share, &fixture.diagnostic), MW_OK);
    trace = mwa_input_trace(share);
    cr_assert_gt(trace->location_count, 1);
    cr_expect_eq(selected, 0);
    for (uint32_t round = 1; round <= 2; round++) { /* as often as one likes */
        for (uint32_t i = 0; i < trace->location_count; i++) {
            cr_assert_eq(mwa_input_scan(share, i, callbacks, NULL, &count, &fixture.diagnostic),
                         MW_OK);
            cr_expect_eq(count, trace->locations[i].events);
        }
        cr_expect_eq(selected, round * trace->location_count);
    }
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    mwa_input_close(share);
    fixture_close(&fixture);
}
