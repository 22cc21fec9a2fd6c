/* As a test program brings a function of its own (test/system/any_order.c), this stands alone. */
#include "analyzer/analysis/exchanges_in_chapters.h"

#include <sys/resource.h>

#include "analyzer/load/each_location.h"

#define CHAPTERS_A_THREAD  2u       /* they don't take equally long */
#define CHAPTER_EVENTS     1000000u /* at least: to begin one takes time, too */
#define LOCATION_BYTES     (256u << 10) /* that following one takes */
#define CHAPTERS_MOST      100u     /* each opens the archive, or twice, of the 256 times
                                       that a process may */
#define SHARE_OF_MEMORY    2u       /* of what the process may have, for all that are followed */

/* How many chapters may be followed at a time. */
static uint64_t count_at_a_time(const struct mwa_input *input)
{
    const uint64_t chapter = (mwa_input_trace(input)->location_count + 1) * LOCATION_BYTES;
    const uint64_t threads = mwa_threads_worth_it(input);
    struct rlimit limit;
    uint64_t most;

    if (getrlimit(RLIMIT_DATA, &limit) != 0) {
        return 1;
    }
    most = limit.rlim_cur / SHARE_OF_MEMORY / chapter;
    return threads < most ? threads : most;
}

uint32_t mwa_chapters_wanted(const struct mwa_input *input, uint32_t processes)
{
    const uint64_t most = mwa_defined_events(mwa_input_trace(input)) / CHAPTER_EVENTS;
    const uint64_t threads = count_at_a_time(input);
    const uint64_t each = threads > 1 ? threads * CHAPTERS_A_THREAD : 1;
    const uint64_t wanted = processes * (each < CHAPTERS_MOST ? each : CHAPTERS_MOST);

    return wanted < 2 || most < 2 ? 1 : (uint32_t)(wanted < most ? wanted : most);
}
