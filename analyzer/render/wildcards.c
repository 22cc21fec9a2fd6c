#include "analyzer/render/wildcards.h"

#include <inttypes.h>

#include "analyzer/render/clean.h"
#include "analyzer/render/units.h"
#include "analyzer/render/values.h"

/* The rank or communicator with the most receives of any, MWA_NONE: none has. */
static uint32_t most_of(const struct mwa_wildcard_count *list, uint64_t count)
{
    uint64_t most = 0;

    for (uint64_t i = 1; list && i < count; i++) {
        most = list[i].any > list[most].any ? i : most;
    }
    return list && count > 0 && list[most].any > 0 ? (uint32_t)most : MWA_NONE;
}

void mwa_text_wildcards(const struct mwa_results *results, FILE *out)
{
    const struct mwa_wildcards *wildcards = &results->wildcards;
    const uint32_t rank = most_of(wildcards->ranks, wildcards->rank_count);
    const uint32_t comm = most_of(wildcards->comms, wildcards->comm_count);
    char text[5][MWA_UNITS_BYTES];

    if (!wildcards->known) {
        fprintf(out, "receives for any source or tag: not known, the archive does not say\n");
        return;
    }
    fprintf(out, "receives for any source: %s, for any tag: %s, of %s",
            mwa_count_text(wildcards->total.any_source, text[0]),
            mwa_count_text(wildcards->total.any_tag, text[1]),
            mwa_count_text(wildcards->total.receives, text[2]));
    if (rank != MWA_NONE) {
        fprintf(out, "; most in rank %" PRIu32 ": %s", rank,
                mwa_count_text(wildcards->ranks[rank].any, text[3]));
    }
    if (comm != MWA_NONE) {
        fputs(", on ", out);
        mwa_put_clean(results->trace->comms[comm].name, out);
        fprintf(out, ": %s", mwa_count_text(wildcards->comms[comm].any, text[4]));
    }
    putc('\n', out);
}

static void set_count(json_t *object, const struct mwa_wildcard_count *count)
{
    json_object_set_new(object, "any_source", mwa_json_number(count->any_source));
    json_object_set_new(object, "any_tag", mwa_json_number(count->any_tag));
    json_object_set_new(object, "any", mwa_json_number(count->any));
}

static json_t *ranks_json(const struct mwa_wildcards *wildcards)
{
    json_t *array = json_array();

    for (uint64_t i = 0; wildcards->ranks && i < wildcards->rank_count; i++) {
        json_t *object;

        if (wildcards->ranks[i].receives == 0) {
            continue;
        }
        object = json_object();
        json_object_set_new(object, "rank", mwa_json_number(i));
        json_object_set_new(object, "receives", mwa_json_number(wildcards->ranks[i].receives));
        set_count(object, &wildcards->ranks[i]);
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *comms_json(const struct mwa_trace *trace, const struct mwa_wildcards *wildcards)
{
    json_t *array = json_array();

    for (uint64_t i = 0; wildcards->comms && i < wildcards->comm_count; i++) {
        json_t *object;

        if (wildcards->comms[i].any == 0) {
            continue;
        }
        object = json_object();
        json_object_set_new(object, "comm", mwa_json_text(trace->comms[i].name));
        json_object_set_new(object, "comm_uid", mwa_json_comm_uid(trace, (uint32_t)i));
        set_count(object, &wildcards->comms[i]);
        json_array_append_new(array, object);
    }
    return array;
}

json_t *mwa_json_wildcards(const struct mwa_results *results)
{
    const struct mwa_wildcards *wildcards = &results->wildcards;
    json_t *object;

    if (!wildcards->known) {
        return json_null();
    }
    object = json_object();
    json_object_set_new(object, "receives", mwa_json_number(wildcards->total.receives));
    set_count(object, &wildcards->total);
    json_object_set_new(object, "per_rank", ranks_json(wildcards));
    json_object_set_new(object, "per_comm", comms_json(results->trace, wildcards));
    return object;
}

void mwa_csv_wildcards(const struct mwa_results *results, FILE *out)
{
    const struct mwa_wildcards *wildcards = &results->wildcards;

    fprintf(out, "rank,receives,any_source,any_tag,any\n");
    for (uint64_t i = 0; wildcards->known && wildcards->ranks && i < wildcards->rank_count; i++) {
        const struct mwa_wildcard_count *count = &wildcards->ranks[i];

        if (count->receives > 0) {
            fprintf(out, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", i,
                    count->receives, count->any_source, count->any_tag, count->any);
        }
    }
}
