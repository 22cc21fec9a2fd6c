#include "analyzer/render/delays.h"

#include <inttypes.h>

#include "analyzer/render/clean.h"
#include "analyzer/render/units.h"
#include "analyzer/render/values.h"

#define CELLS_LISTED 256u /* in JSON: the rest is in the ranks' sums */

const char *mwa_delay_activity(const struct mwa_trace *trace, const struct mwa_delay_cell *cell)
{
    if (cell->region == MWA_NONE) {
        return "others";
    }
    return cell->region < trace->region_count ? trace->regions[cell->region].name : "computation";
}

/* --- text --------------------------------------------------------------------------------- */

static void put_cell(const struct mwa_results *results, const struct mwa_delay_cell *cell,
                     FILE *out)
{
    uint64_t whole = mwa_waits_total_ns(&results->waits);
    char text[4][MWA_UNITS_BYTES];

    fprintf(out, "%6" PRIu32 " %10s %10s %10s %10s  ", cell->rank,
            mwa_time_text(cell->short_ns + cell->long_ns, text[0]),
            mwa_share_text(cell->short_ns + cell->long_ns, whole, text[1]),
            mwa_time_text(cell->short_ns, text[2]), mwa_time_text(cell->long_ns, text[3]));
    mwa_put_clean(mwa_delay_activity(results->trace, cell), out);
    putc('\n', out);
}

void mwa_text_delays(const struct mwa_results *results, uint32_t top, FILE *out)
{
    const struct mwa_delays *delays = &results->waits.delays;
    char text[3][MWA_UNITS_BYTES];

    if (delays->short_ns + delays->long_ns + delays->unexplained_ns == 0) {
        return;
    }
    fprintf(out, "\ndelays cost %s of waiting directly, %s passed on by waits; not explained: %s\n",
            mwa_time_text(delays->short_ns, text[0]), mwa_time_text(delays->long_ns, text[1]),
            mwa_time_text(delays->unexplained_ns, text[2]));
    for (uint64_t i = 0; i < delays->cell_count && i < top; i++) {
        if (i == 0) {
            fprintf(out, "%6s %10s %10s %10s %10s  %s\n", "rank", "costs", "of waiting",
                    "directly", "passed on", "by more time than those that waited in");
        }
        put_cell(results, &delays->cells[i], out);
    }
}

/* --- JSON --------------------------------------------------------------------------------- */

static json_t *ranks_json(const uint64_t *list, uint64_t count)
{
    json_t *array = json_array();

    for (uint64_t i = 0; i < count; i++) {
        json_array_append_new(array, mwa_json_number(list ? list[i] : 0));
    }
    return array;
}

static json_t *cells_json(const struct mwa_trace *trace, const struct mwa_delays *delays)
{
    json_t *array = json_array();

    for (uint64_t i = 0; i < delays->cell_count && i < CELLS_LISTED; i++) {
        const struct mwa_delay_cell *cell = &delays->cells[i];
        bool is_mpi = cell->region < trace->region_count &&
                      trace->regions[cell->region].kind != MWA_REGION_USER;
        json_t *object = json_object();

        json_object_set_new(object, "rank", mwa_json_number(cell->rank));
        json_object_set_new(object, "activity", mwa_json_text(mwa_delay_activity(trace, cell)));
        json_object_set_new(object, "is_mpi", json_boolean(is_mpi));
        json_object_set_new(object, "short_term_ns", mwa_json_number(cell->short_ns));
        json_object_set_new(object, "long_term_ns", mwa_json_number(cell->long_ns));
        json_array_append_new(array, object);
    }
    return array;
}

json_t *mwa_json_delays(const struct mwa_results *results)
{
    const struct mwa_delays *delays = &results->waits.delays;
    json_t *object = json_object();

    json_object_set_new(object, "short_term_ns", mwa_json_number(delays->short_ns));
    json_object_set_new(object, "long_term_ns", mwa_json_number(delays->long_ns));
    json_object_set_new(object, "unexplained_ns", mwa_json_number(delays->unexplained_ns));
    json_object_set_new(object, "indirect_wait_ns", mwa_json_number(delays->indirect_ns));
    json_object_set_new(object, "per_rank_short_term_ns",
                        ranks_json(delays->rank_short_ns, delays->rank_count));
    json_object_set_new(object, "per_rank_long_term_ns",
                        ranks_json(delays->rank_long_ns, delays->rank_count));
    json_object_set_new(object, "worst", cells_json(results->trace, delays));
    return object;
}
