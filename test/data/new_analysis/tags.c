/* The analysis that a test adds to the analyzer: each location's tags, merged. */
#include "analyzer/analysis/messages/tags.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/model/map.h"
#include "formats/base/order.h"

struct partial {
    const struct mwa_trace *trace;
    struct mwa_tags tags;
    uint64_t capacity;
};

static enum mw_status add(struct partial *partial, const struct mwa_tag *added)
{
    struct mwa_tags *tags = &partial->tags;
    uint64_t at = 0;

    while (at < tags->count && tags->rows[at].tag != added->tag) {
        at++;
    }
    if (at == tags->count) {
        if (!mwa_grow(&tags->rows, &partial->capacity, at + 1, sizeof *tags->rows)) {
            return MW_ERROR_MEMORY;
        }
        tags->rows[tags->count++] = (struct mwa_tag){ .tag = added->tag };
    }
    tags->rows[at].count += added->count;
    tags->rows[at].bytes += added->bytes;
    return MW_OK;
}

static enum mw_status take(void *partial, const struct mwa_moment *moment)
{
    const struct mwa_message_data *message = &moment->event->of.message;

    return add(partial, &(struct mwa_tag){ message->tag, 1, message->bytes });
}

static enum mw_status merge(void *into, const void *from)
{
    const struct mwa_tags *tags = &((const struct partial *)from)->tags;
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < tags->count && status == MW_OK; i++) {
        status = add(into, &tags->rows[i]);
    }
    return status;
}

static int by_tag(const void *one, const void *other)
{
    return mw_order(((const struct mwa_tag *)one)->tag, ((const struct mwa_tag *)other)->tag);
}

static enum mw_status finish(const void *partial, void *result)
{
    const struct mwa_tags *from = &((const struct partial *)partial)->tags;
    struct mwa_tags *tags = result;

    tags->rows = calloc(from->count + 1, sizeof *tags->rows);
    if (!tags->rows) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < from->count; i++) {
        tags->rows[i] = from->rows[i];
    }
    tags->count = from->count;
    qsort(tags->rows, tags->count, sizeof *tags->rows, by_tag);
    return MW_OK;
}

static void fini(void *partial)
{
    mwa_tags_fini(&((struct partial *)partial)->tags);
}

const struct mwa_analysis mwa_tags_analysis = { .name = "tags",
                                                .kinds = MWA_KIND(MWA_SEND) | MWA_KIND(MWA_ISEND),
                                                .size = sizeof(struct partial),
                                                .event = take,
                                                .merge = merge,
                                                .finish = finish,
                                                .fini = fini };

void mwa_tags_fini(struct mwa_tags *tags)
{
    free(tags->rows);
    *tags = (struct mwa_tags){ 0 };
}
