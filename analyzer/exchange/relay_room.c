/* So much that to wake a thread for it does not count, and that it stays in a core's own cache. */
#include "analyzer/exchange/relay_room.h"

#include "analyzer/load/each_location.h"

uint32_t mwa_relay_room(const struct mwa_input *input)
{
    return mwa_threads_worth_it(input) > 1 ? 8192 : 0;
}
