/*
 * Answers that belong to nothing that is drawn, in one list: the page asks for them when its user
 * looks for something.
 */
#include "analyzer/view/view_asks.h"

#include <string.h>

#include "analyzer/view/view_part.h"

typedef unsigned (*asked)(struct mwa_view_index *index, const struct mwa_view_question *question,
                          json_t **answer);

static unsigned refuse(const char *sentence, json_t **answer)
{
    *answer = json_pack("{s:s}", "error", sentence);
    return 400;
}

/* What stands there as ticks since the first event, cut to what there is; else otherwise. */
static uint64_t time_of(const struct mwa_view_store *store,
                        const struct mwa_view_question *question, const char *name,
                        uint64_t otherwise)
{
    uint64_t ticks;

    if (!mwa_view_argument(question, name, &ticks)) {
        return otherwise;
    }
    return ticks < store->to - store->from ? store->from + ticks : store->to;
}

static unsigned ask_part(struct mwa_view_index *index, const struct mwa_view_question *question,
                         json_t **answer)
{
    const struct mwa_view_store *store = mwa_view_index_store(index);
    const char *ranks = mwa_view_argument_text(question, "ranks");
    const uint64_t from = time_of(store, question, "from", store->from);
    const uint64_t to = time_of(store, question, "to", store->to);
    uint64_t job, ends;

    if (mwa_view_argument(question, "job", &job)) {
        if (mwa_view_argument(question, "end", &ends)) {
            mwa_view_part_end(job);
        }
        *answer = mwa_view_part_ask(job);
        return 200;
    }
    if (ranks && !mwa_view_part_is_list(ranks)) {
        return refuse("That is no list of ranks, such as 0-3,8.", answer);
    }
    *answer = mwa_view_part_begin(mwa_view_index_path(index),
                                  mwa_trace_since_begin(store->trace, from),
                                  mwa_trace_since_begin(store->trace, to), ranks);
    return 200;
}

unsigned mwa_view_asks(struct mwa_view_index *index, const struct mwa_view_question *question,
                       json_t **answer)
{
    static const struct {
        const char *path;
        asked ask;
    } asks[] = { { "/part", ask_part } };

    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        if (strcmp(question->path, asks[i].path) == 0) {
            return asks[i].ask(index, question, answer);
        }
    }
    return 0;
}
