/*
 * The engine tells in bursts, and analyses take longer for some than for others: with a few times
 * 8192 under way neither waits for the other. What is not yet freed of these takes some 7 MB, which
 * a run has to be worth.
 */
#include "analyzer/exchange/relay_room.h"

#include "analyzer/load/each_location.h"
#include "analyzer/model/trace.h"

#define ROOM         8192u
#define EVENTS_LEAST 4000000u

uint32_t mwa_relay_room(const struct mwa_input *input)
{
    return mwa_threads_worth_it(input) > 1 &&
                   mwa_defined_events(mwa_input_trace(input)) >= EVENTS_LEAST
               ? ROOM
               : 0;
}
