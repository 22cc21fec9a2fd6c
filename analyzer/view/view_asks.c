/*
 * Answers that belong to nothing that is drawn, in one list: the page asks for them when its user
 * looks for something.
 */
#include "analyzer/view/view_asks.h"

#include <string.h>
#include <unistd.h>

#include "analyzer/table/values.h"
#include "analyzer/view/view_called.h"
#include "analyzer/view/view_comms.h"
#include "analyzer/view/view_detail.h"
#include "analyzer/view/view_find.h"
#include "analyzer/view/view_part.h"

#define TEXT_MOST 1000u /* bytes of what is looked for */

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
    const char *path = mwa_view_index_path(index), *fate;
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
    fate = mwa_view_index_fate(index);
    if (fate && access(path, F_OK) == 0) { /* what is there now is not what is shown */
        return refuse(fate, answer);
    }
    *answer = mwa_view_part_begin(path, mwa_trace_since_begin(store->trace, from),
                                  mwa_trace_since_begin(store->trace, to), ranks);
    return 200;
}

/* --- search --------------------------------------------------------------------------------- */

static unsigned found_json(const struct mwa_view_match *match,
                           const struct mwa_view_question *question, json_t **answer)
{
    const struct mwa_view_store *store = match->store;
    struct mwa_view_spot spot = { time_of(store, question, "at", store->from), 0 };
    uint64_t back = 0, counts = 0, call, until;
    uint32_t hit;

    mwa_view_argument(question, "back", &back);
    mwa_view_argument(question, "count", &counts);
    if (mwa_view_argument(question, "call", &call) && call < MWA_NONE) {
        spot.call = call + 1;
    }
    hit = mwa_view_find(match, spot, back != 0, &until);
    *answer = json_pack("{s:o,s:o}", "hit", mwa_view_place(store, hit), "until",
                        until == UINT64_MAX ? json_null() : mwa_json_number(until - store->from));
    if (counts != 0) {
        const struct mwa_view_found found = mwa_view_count(match, hit);

        json_object_set_new(*answer, "count", mwa_json_number(found.all));
        json_object_set_new(*answer, "position", mwa_json_number(found.until_hit));
        json_object_set_new(*answer, "is_whole", json_boolean(found.is_whole));
    }
    return 200;
}

static unsigned ask_search(struct mwa_view_index *index, const struct mwa_view_question *question,
                           json_t **answer)
{
    static const char *const names[MWA_VIEW_SOUGHTS] = { "region", "comm", "tag", "size", "line" };
    const char *by = mwa_view_argument_text(question, "by");
    const char *text = mwa_view_argument_text(question, "text");
    struct mw_diagnostic diagnostic = { .status = MW_OK };
    struct mwa_view_match match;
    unsigned sought = 0, status;
    char why[300];

    while (by && sought < MWA_VIEW_SOUGHTS && strcmp(by, names[sought]) != 0) {
        sought++;
    }
    if (!by || sought == MWA_VIEW_SOUGHTS || !text || strlen(text) > TEXT_MOST) {
        return refuse("That can't be looked for.", answer);
    }
    if (mwa_view_match_init(&match, mwa_view_index_store(index), (enum mwa_view_sought)sought,
                            text, &diagnostic) == MW_OK) {
        status = found_json(&match, question, answer);
    } else {
        mw_diagnostic_text(&diagnostic, why, sizeof why);
        status = refuse(why, answer);
    }
    mwa_view_match_fini(&match);
    return status;
}

static unsigned ask_comms(struct mwa_view_index *index, const struct mwa_view_question *question,
                          json_t **answer)
{
    *answer = mwa_view_comms(mwa_view_index_store(index));
    return 200;
}

static unsigned ask_kinds(struct mwa_view_index *index, const struct mwa_view_question *question,
                          json_t **answer)
{
    *answer = mwa_view_wait_kinds(mwa_view_index_store(index));
    return 200;
}

static unsigned ask_called(struct mwa_view_index *index, const struct mwa_view_question *question,
                           json_t **answer)
{
    *answer = mwa_view_called(mwa_view_index_store(index));
    return 200;
}

unsigned mwa_view_asks(struct mwa_view_index *index, const struct mwa_view_question *question,
                       json_t **answer)
{
    static const struct {
        const char *path;
        asked ask;
    } asks[] = { { "/part", ask_part }, { "/search", ask_search }, { "/comms", ask_comms },
               { "/kinds", ask_kinds }, { "/called", ask_called } };

    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        if (strcmp(question->path, asks[i].path) == 0) {
            return mwa_view_index_store(index) ? asks[i].ask(index, question, answer)
                                               : MWA_VIEW_UNREAD;
        }
    }
    return 0;
}
