/* The JSON report inside the page. */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "analyzer/page/sections.h"
#include "analyzer/table/tables.h"
#include "formats/base/order.h"

#define DATA_BYTES  ((size_t)36 << 10)  /* which lists are cut down to */
#define PAIRS_MAX   4096u
#define LIST_MIN    4u

/* Of a list that has more elements than this one is cut for sure, since they take more bytes than
 * all may: no others are made. */
#define LIST_MAX    (PAIRS_MAX + 1)

_Static_assert(LIST_MAX * sizeof "{'a':0,'b':0}" > DATA_BYTES, "elements have two members");

static int by_bytes(const void *left, const void *right)
{
    const struct mwa_pair *a = left, *b = right;

    return mw_order(b->bytes, a->bytes) ?: mw_order(a->from, b->from) ?: mw_order(a->to, b->to);
}

static int by_ranks(const void *left, const void *right)
{
    const struct mwa_pair *a = left, *b = right;

    return mw_order(a->from, b->from) ?: mw_order(a->to, b->to);
}

/* The report with the heaviest pairs only: a million objects would be no help to anyone. */
static json_t *report_of(const struct mwa_results *results, struct mwa_json_cut *cut)
{
    struct mwa_results heaviest = *results;
    uint64_t count = results->traffic.pair_count;
    struct mwa_pair *pairs = NULL;
    json_t *object;

    if (count > PAIRS_MAX) {
        pairs = malloc(count * sizeof *pairs);
        if (!pairs) {
            return NULL;
        }
        memcpy(pairs, results->traffic.pairs, count * sizeof *pairs);
        qsort(pairs, count, sizeof *pairs, by_bytes);
        qsort(pairs, PAIRS_MAX, sizeof *pairs, by_ranks);
        heaviest.traffic.pairs = pairs;
        heaviest.traffic.pair_count = PAIRS_MAX;
    }
    object = mwa_document_json_cut(&mwa_report_document, &heaviest, cut);
    json_object_set_new(json_object_get(object, "messages"), "pairs_left_out",
                        json_integer((json_int_t)(count - heaviest.traffic.pair_count)));
    free(pairs);
    return object;
}

/* How many elements of a list were not made, and are not counted yet. */
static uint64_t take_left_out(struct mwa_json_cut *cut, const json_t *list)
{
    uint64_t rows = 0;

    for (uint64_t i = 0; i < cut->count; i++) {
        if (cut->lists[i].list == list) {
            rows += cut->lists[i].rows;
            cut->lists[i].rows = 0;
        }
    }
    return rows;
}

/* Leaves the first elements of a list that is too long, and counts the others beside it. */
static void cut_list(json_t *object, const char *key, json_t *list, size_t most,
                     struct mwa_json_cut *cut)
{
    size_t left_out = json_array_size(list) - most + take_left_out(cut, list);
    char name[128];

    snprintf(name, sizeof name, "%s_left_out", key);
    left_out += (size_t)json_integer_value(json_object_get(object, name));
    while (json_array_size(list) > most) {
        json_array_remove(list, json_array_size(list) - 1);
    }
    json_object_set_new(object, name, json_integer((json_int_t)left_out));
}

static void cut_lists(json_t *value, size_t most, struct mwa_json_cut *cut)
{
    if (json_is_object(value)) {
        for (void *at = json_object_iter(value); at; at = json_object_iter_next(value, at)) {
            cut_lists(json_object_iter_value(at), most, cut);
        }
        /* Keys that are added end an iteration: it begins anew. */
        for (void *at = json_object_iter(value); at;) {
            json_t *list = json_object_iter_value(at);
            bool long_one = json_is_array(list) && json_array_size(list) > most;

            if (long_one) {
                cut_list(value, json_object_iter_key(at), list, most, cut);
            }
            at = long_one ? json_object_iter(value) : json_object_iter_next(value, at);
        }
    }
    for (size_t i = 0; json_is_array(value) && i < json_array_size(value); i++) {
        cut_lists(json_array_get(value, i), most, cut);
    }
}

/* Inside of script elements nothing may look like the end of one, or a comment; jansson leaves
 * DEL. */
static void put_escaped(const char *text, FILE *out)
{
    for (const char *at = text; *at; at++) {
        if (*at == '<' || *at == '>' || *at == '&' || *at == 0x7f) {
            fprintf(out, "\\u%04x", *at);
        } else {
            putc(*at, out);
        }
    }
}

/* Prints object, of whose lists those in cut are not whole. */
static void put_json(struct mwa_page *page, json_t *object, struct mwa_json_cut *cut)
{
    size_t most = 2 * PAIRS_MAX;
    char *text = object ? json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;

    while (text && strlen(text) > DATA_BYTES && most > LIST_MIN) {
        free(text);
        most /= 2;
        cut_lists(object, most, cut);
        text = json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII);
    }
    if (text) {
        put_escaped(text, page->out);
    } else {
        page->status = MW_ERROR_MEMORY;
    }
    free(text);
    json_decref(object);
}

void mwa_page_put_json(struct mwa_page *page, json_t *object)
{
    struct mwa_json_cut none = { .most = 0 };

    put_json(page, object, &none);
}

void mwa_section_data(struct mwa_page *page)
{
    struct mwa_json_cut cut = { .most = LIST_MAX };

    put_json(page, report_of(page->results, &cut), &cut);
    free(cut.lists);
}
