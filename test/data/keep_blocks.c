/*
 * keep_blocks ARCHIVE …: reads each archive and keeps in the user's cache where its blocks begin,
 * however small it is. Prints for each how many places there are for all locations together to
 * begin at, and how many lulls; in how many chapters the run can be cut there, of 1000 that are
 * asked for; and how many places there are for each location by itself, besides its beginning, or
 * why there are none.
 */
#include <inttypes.h>
#include <stdio.h>

#include "analyzer/load/block_pass.h"
#include "analyzer/load/block_states.h"
#include "analyzer/load/chapters.h"

static enum mw_status keep(const char *path, struct mw_diagnostic *diagnostic)
{
    struct mwa_block_states *states = NULL;
    struct mwa_chapters *chapters = NULL;
    struct mwa_input *input = NULL;
    uint64_t count = 0, quiet = 0, lulls = 0;
    enum mw_status status = mwa_input_open(path, &input, diagnostic);

    if (status == MW_OK) {
        mwa_input_set_threads(input, 2);
        status = mwa_block_pass(input, NULL, diagnostic);
    }
    if (status == MW_OK) {
        states = mwa_block_states_open(input);
    }
    for (uint32_t i = 0; states && i < mwa_input_trace(input)->location_count; i++) {
        count += mwa_block_states_count(states, i);
    }
    if (states) {
        lulls = mwa_block_states_lulls(states);
        quiet = lulls > 0 ? 0 : mwa_block_states_quiet_before(states, UINT64_MAX);
        chapters = mwa_chapters_find(input, states, 1000, NULL);
    }
    if (status == MW_OK) {
        printf(states ? "%s: quiet %" PRIu64 ", lulls %" PRIu64 ", chapters %" PRIu32
                        ", blocks: %" PRIu64 "\n"
                      : "%s: they can't be read\n",
               path, quiet, lulls, chapters ? chapters->count : 1, count);
    }
    mwa_chapters_free(chapters);
    mwa_block_states_close(states);
    mwa_input_close(input);
    return status;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct mw_diagnostic diagnostic = { 0 };
        char text[2048];

        if (keep(argv[i], &diagnostic) != MW_OK) {
            printf("%s: %s\n", argv[i], mw_diagnostic_text(&diagnostic, text, sizeof text));
        }
    }
    return 0;
}
