/* So much that to wake a thread for it does not count, and so little that what is not yet freed, of
 * a few times as much, is no memory to speak of. */
#include "analyzer/exchange/relay_room.h"

#include "analyzer/load/each_location.h"

uint32_t mwa_relay_room(const struct mwa_input *input)
{
    return mwa_threads_worth_it(input) > 1 ? 2048 : 0;
}
