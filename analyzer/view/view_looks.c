/* Lines stay as they were printed: what a page reads is what mpiwatch-top says, to the byte. */
#include "analyzer/view/view_looks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/model/text_stream.h"

#define MILLISECOND 1000000u

static struct mwa_view_look *at(const struct mwa_view_looks *looks, uint64_t number)
{
    return (struct mwa_view_look *)&looks->list[number % MWA_VIEW_LOOKS_MOST];
}

static void forget_oldest(struct mwa_view_looks *looks)
{
    struct mwa_view_look *oldest = at(looks, looks->oldest++);

    looks->bytes -= oldest->bytes;
    free(oldest->line);
    oldest->line = NULL;
}

void mwa_view_looks_add(struct mwa_view_looks *looks, uint64_t time, char *line, uint64_t bytes)
{
    looks->oldest = looks->count == 0 ? 1 : looks->oldest;
    while (looks->oldest <= looks->count &&
           (looks->count - looks->oldest + 1 == MWA_VIEW_LOOKS_MOST ||
            looks->bytes + bytes > MWA_VIEW_LOOKS_BYTES)) {
        forget_oldest(looks);
    }
    looks->count++;
    looks->first_time = looks->count == 1 ? time : looks->first_time;
    looks->bytes += bytes;
    *at(looks, looks->count) = (struct mwa_view_look){ looks->count, time, line, bytes };
}

char *mwa_view_looks_after(const struct mwa_view_looks *looks, uint64_t number)
{
    const uint64_t first = number >= looks->count  ? looks->count + 1
                           : number < looks->oldest ? looks->oldest
                                                    : number + 1;
    char *text = NULL;
    size_t size = 0;
    FILE *out = mwa_open_text(&text, &size);

    if (!out) {
        return NULL;
    }
    putc('[', out);
    for (uint64_t i = first; i <= looks->count; i++) {
        const struct mwa_view_look *look = at(looks, i);

        fprintf(out, "%s{\"number\":%" PRIu64 ",\"at_ms\":%" PRIu64 ",\"look\":%s}",
                i > first ? "," : "", look->number,
                (look->time - looks->first_time) / MILLISECOND, look->line);
    }
    putc(']', out);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

void mwa_view_looks_fini(struct mwa_view_looks *looks)
{
    while (looks->oldest > 0 && looks->oldest <= looks->count) {
        forget_oldest(looks);
    }
}
