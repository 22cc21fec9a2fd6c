#include "analyzer/model/ranges.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ELLIPSIS   "\xe2\x80\xa6"
#define PIECE_MAX  24u /* of a range, with its comma */

/* A text that grows. */
struct text {
    char *bytes;
    uint64_t capacity;
    uint64_t length;
    uint64_t most;
    bool is_full; /* it has got its ellipsis */
    bool no_memory;
};

static void add(struct text *text, const char *piece)
{
    uint64_t length = strlen(piece);

    if (text->is_full || text->no_memory) {
        return;
    }
    if (text->most > 0 && text->length + length > text->most) {
        piece = ELLIPSIS;
        length = strlen(piece);
        text->is_full = true;
    }
    if (!mwa_grow(&text->bytes, &text->capacity, text->length + length + 1, 1)) {
        text->no_memory = true;
        return;
    }
    memcpy(text->bytes + text->length, piece, length + 1);
    text->length += length;
}

/* How many ranks from at on rise by one, or are all unknown. */
static uint64_t run_at(const uint32_t *ranks, uint64_t count, uint64_t at)
{
    uint64_t length = 1;

    while (at + length < count &&
           ranks[at + length] == (ranks[at] == MWA_NONE ? MWA_NONE : ranks[at] + length)) {
        length++;
    }
    return length;
}

static void add_ranges(struct text *text, const uint32_t *ranks, uint64_t count)
{
    for (uint64_t at = 0; at < count && !text->is_full;) {
        uint64_t length = run_at(ranks, count, at);
        const char *comma = at > 0 ? "," : "";
        char piece[PIECE_MAX + 8];

        if (ranks[at] == MWA_NONE && length > 1) {
            snprintf(piece, sizeof piece, "%s?x%" PRIu64, comma, length);
        } else if (ranks[at] == MWA_NONE) {
            snprintf(piece, sizeof piece, "%s?", comma);
        } else if (length == 1) {
            snprintf(piece, sizeof piece, "%s%" PRIu32, comma, ranks[at]);
        } else {
            snprintf(piece, sizeof piece, "%s%" PRIu32 "-%" PRIu32, comma, ranks[at],
                     ranks[at + length - 1]);
        }
        add(text, piece);
        at += length;
    }
}

static char *finish(struct text *text)
{
    add(text, "");
    if (text->no_memory) {
        free(text->bytes);
        return NULL;
    }
    return text->bytes ? text->bytes : strdup("");
}

char *mwa_ranges(const uint32_t *ranks, uint64_t count, uint64_t most)
{
    struct text text = { .most = most };

    add_ranges(&text, ranks, count);
    return finish(&text);
}

char *mwa_ranges_of_comm(const struct mwa_trace *trace, uint32_t comm, uint64_t most)
{
    const struct mwa_comm *of = &trace->comms[comm];
    struct text text = { .most = most };

    if (of->group != MWA_NONE && trace->groups[of->group].self) {
        add(&text, "each");
    }
    for (unsigned i = 0; i < 2; i++) {
        uint64_t count;
        const uint32_t *members = mwa_trace_members(trace, comm, i, &count);

        add(&text, i > 0 && of->remote_group != MWA_NONE ? "|" : "");
        add_ranges(&text, members, count);
    }
    return finish(&text);
}
