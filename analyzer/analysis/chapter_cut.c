/* Both chapters have the call of main threads that is between them: the first one's end is behind
 * it. */
#include "analyzer/analysis/chapter_cut.h"

bool mwa_chapter_has(const struct mwa_chapter *chapter, uint32_t location)
{
    return !chapter || !chapter->start || chapter->start->locations[location].is_there;
}

bool mwa_chapter_begins(const struct mwa_reading_start *start, uint32_t location, uint64_t events)
{
    return start && start->locations[location].is_there && start->locations[location].has_first &&
           start->locations[location].events + 1 == events;
}

uint64_t mwa_chapter_before(const struct mwa_chapter *chapter, uint32_t location)
{
    return chapter && chapter->start ? chapter->start->locations[location].first.events : 0;
}

uint64_t mwa_chapter_end(const struct mwa_chapter *chapter, uint32_t location)
{
    return chapter->next && chapter->next->locations[location].is_there
               ? chapter->next->locations[location].first.events
               : UINT64_MAX;
}
