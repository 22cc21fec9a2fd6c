/* MPI calls by time. */
#include "analyzer/page/page_table.h"

#define CALLS_OPEN 15u /* in sight at once */

void mwa_section_calls(struct mwa_page *page)
{
    if (page->results->profile.call_count == 0) {
        fputs("<p>No MPI call was recorded.</p>\n", page->out);
        return;
    }
    mwa_page_table(page, "calls.calls", &mwa_calls_table, CALLS_OPEN, UINT64_MAX, NULL);
}
