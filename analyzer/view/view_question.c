#include "analyzer/view/view_question.h"

#define TICKS_MOST ((uint64_t)1 << 53) /* whole numbers of the script */

uint64_t mwa_view_number(const struct mwa_view_question *question, const char *name,
                         uint64_t otherwise, uint64_t most)
{
    uint64_t value;

    value = mwa_view_argument(question, name, &value) ? value : otherwise;
    return value < most ? value : most;
}

void mwa_view_times(const struct mwa_view_store *store, const struct mwa_view_question *question,
                    uint64_t *from, uint64_t *to)
{
    const uint64_t length = store->to > store->from ? store->to - store->from : 0;

    *from = store->from + mwa_view_number(question, "from", 0, TICKS_MOST);
    *to = store->from + mwa_view_number(question, "to", length, TICKS_MOST);
    *to = *to > *from ? *to : *from;
}
