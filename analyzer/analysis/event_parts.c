/* A location that does not call MPI is in the first chapter alone, and in the others a gap. */
#include "analyzer/analysis/event_parts.h"

#include <stdlib.h>

#include "analyzer/team/packing.h"

static const struct mwa_trace *trace_of(const struct mwa_event_parts *parts)
{
    return mwa_input_trace(parts->pass->input);
}

/* Of a location: one for each analysis. */
static void **partials_of(const struct mwa_event_parts *parts, uint64_t location)
{
    return &parts->partials[location * parts->pass->analysis_count];
}

enum mw_status mwa_event_parts_init(struct mwa_event_parts *parts, const struct mwa_pass *pass,
                                    struct mw_diagnostic *diagnostic)
{
    const uint64_t locations = mwa_input_trace(pass->input)->location_count;

    *parts = (struct mwa_event_parts){ .pass = pass };
    parts->partials = calloc(locations * pass->analysis_count + 1, sizeof *parts->partials);
    parts->last = calloc(locations + 1, sizeof *parts->last);
    return parts->partials && parts->last ? MW_OK
                                          : mw_no_memory(diagnostic, NULL, "for the locations");
}

void mwa_event_parts_keep(struct mwa_event_parts *parts, uint32_t location,
                          struct mwa_listeners *listeners, uint64_t last)
{
    void **partials = partials_of(parts, location);

    for (uint32_t i = 0; i < listeners->count; i++) {
        partials[i] = listeners->all[i].partial;
        listeners->all[i].partial = NULL;
    }
    parts->last[location] = last;
}

enum mw_status mwa_event_parts_append(struct mwa_event_parts *parts, struct mwa_event_parts *later,
                                      struct mw_diagnostic *diagnostic)
{
    for (uint64_t i = 0; i < trace_of(parts)->location_count; i++) {
        void **into = partials_of(parts, i);
        void **from = partials_of(later, i);

        for (uint32_t k = 0; k < parts->pass->analysis_count && from[k]; k++) {
            const struct mwa_analysis *analysis = parts->pass->analyses[k];

            if (analysis->parts->append(into[k], from[k]) != MW_OK) {
                return mw_no_memory(diagnostic, NULL, "for the analysis %s", analysis->name);
            }
        }
        parts->last[i] = later->last[i] > parts->last[i] ? later->last[i] : parts->last[i];
    }
    mwa_pass_result_add(&parts->result, &later->result);
    return MW_OK;
}

enum mw_status mwa_event_parts_end(struct mwa_event_parts *parts, void **totals,
                                   struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = trace_of(parts);
    enum mw_status status = mwa_pass_totals(parts->pass, totals, diagnostic);

    for (uint64_t i = 0; i < trace->location_count && status == MW_OK; i++) {
        void **partials = partials_of(parts, i);

        for (uint32_t k = 0; k < parts->pass->analysis_count && partials[k] && status == MW_OK;
             k++) {
            status = mwa_partial_end(parts->pass->analyses[k], partials[k], &trace->locations[i],
                                     parts->last[i], totals[k], diagnostic);
            mwa_partial_destroy(parts->pass->analyses[k], partials[k]);
            partials[k] = NULL;
        }
    }
    return status;
}

void mwa_event_parts_pack(const struct mwa_event_parts *parts, struct mw_buffer *to)
{
    const uint64_t locations = trace_of(parts)->location_count;

    mw_buffer_append(to, &parts->result, sizeof parts->result);
    mwa_pack_array(to, parts->last, locations, sizeof *parts->last);
    for (uint64_t i = 0; i < locations; i++) {
        void **partials = partials_of(parts, i);

        for (uint32_t k = 0; k < parts->pass->analysis_count; k++) {
            const uint8_t is_there = partials[k] != NULL;

            mw_buffer_append(to, &is_there, sizeof is_there);
            if (partials[k]) {
                parts->pass->analyses[k]->parts->pack(partials[k], to);
            }
        }
    }
}

/* Takes out what one analysis has of a location. */
static enum mw_status unpack_one(const struct mwa_event_parts *parts,
                                 const struct mwa_analysis *analysis, void **partial,
                                 struct mw_cursor *from)
{
    uint8_t is_there;

    if (!mw_cursor_take(from, &is_there, sizeof is_there) || is_there > 1) {
        return MW_ERROR_FORMAT;
    }
    if (!is_there) {
        return MW_OK;
    }
    *partial = mwa_partial_create(analysis, trace_of(parts));
    return *partial ? analysis->parts->unpack(*partial, from) : MW_ERROR_MEMORY;
}

enum mw_status mwa_event_parts_unpack(struct mwa_event_parts *parts, struct mw_cursor *from)
{
    const uint64_t locations = trace_of(parts)->location_count;
    enum mw_status status = mw_cursor_take(from, &parts->result, sizeof parts->result)
                                ? MW_OK
                                : MW_ERROR_FORMAT;

    if (status == MW_OK) {
        status = mwa_unpack_into(from, parts->last, locations, sizeof *parts->last);
    }
    for (uint64_t i = 0; i < locations && status == MW_OK; i++) {
        void **partials = partials_of(parts, i);

        for (uint32_t k = 0; k < parts->pass->analysis_count && status == MW_OK; k++) {
            status = unpack_one(parts, parts->pass->analyses[k], &partials[k], from);
        }
    }
    return status;
}

void mwa_event_parts_fini(struct mwa_event_parts *parts)
{
    const uint64_t locations = parts->partials ? trace_of(parts)->location_count : 0;

    for (uint64_t i = 0; i < locations; i++) {
        for (uint32_t k = 0; k < parts->pass->analysis_count; k++) {
            mwa_partial_destroy(parts->pass->analyses[k], partials_of(parts, i)[k]);
        }
    }
    free(parts->partials);
    free(parts->last);
    *parts = (struct mwa_event_parts){ .pass = NULL };
}
