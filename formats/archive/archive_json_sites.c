/*
 * What OTF2's regions can't say of call sites: the function, and what a tool needs to find lines
 * later that could not be found at the end of the run.
 */
#include "formats/archive/archive_json_sites.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/archive/stack_definitions.h"
#include "formats/base/order.h"
#include "formats/table/calls.h"

static int by_place(const void *left, const void *right)
{
    const struct mw_merged_site *const *a = left;
    const struct mw_merged_site *const *b = right;

    return mw_order((*a)->place, (*b)->place) ?: mw_order((*a)->spot, (*b)->spot);
}

static void write_modules(struct mw_json *json, const struct mw_merged_sites *sites)
{
    mw_json_array(json, "modules");
    for (uint32_t i = 0; i < sites->module_count; i++) {
        mw_json_object(json, NULL);
        mw_json_text(json, "path", sites->modules[i].path);
        mw_json_text(json, "build_id", sites->modules[i].build_id);
        mw_json_object_end(json);
    }
    mw_json_array_end(json);
}

static void write_address(struct mw_json *json, const struct mw_merged_spot *spot)
{
    char address[32];

    snprintf(address, sizeof address, "0x%" PRIx64, spot->address);
    mw_json_object(json, NULL);
    mw_json_unsigned(json, "module", spot->module);
    mw_json_text(json, "address", address);
    mw_json_object_end(json);
}

static int by_context(const void *left, const void *right)
{
    const struct mw_merged_frame *const *a = left;
    const struct mw_merged_frame *const *b = right;

    return mw_order((*a)->context, (*b)->context) ?: mw_order((*a)->spot, (*b)->spot);
}

/* Of what addresses the calling contexts are, by id. */
static void write_contexts(struct mw_json *json, const struct mw_merged_sites *sites)
{
    const struct mw_merged_frame **sorted = malloc((sites->frame_count + 1) * sizeof *sorted);
    uint32_t first = mw_stack_first_context(sites);
    uint32_t next = 0;

    for (uint32_t i = 0; sorted && i < sites->frame_count; i++) {
        sorted[i] = &sites->frames[i];
    }
    if (!sorted || sites->frame_count == 0) {
        free(sorted);
        return;
    }
    qsort(sorted, sites->frame_count, sizeof *sorted, by_context);
    mw_json_array(json, "contexts");
    for (uint32_t i = 0; i < sites->context_count; i++) {
        mw_json_object(json, NULL);
        mw_json_unsigned(json, "context", first + i);
        mw_json_array(json, "addresses");
        for (; next < sites->frame_count && sorted[next]->context == i; next++) {
            if (!sites->spots[sorted[next]->spot].is_line &&
                (next == 0 || sorted[next - 1]->context != i ||
                 sorted[next - 1]->spot != sorted[next]->spot)) {
                write_address(json, &sites->spots[sorted[next]->spot]);
            }
        }
        mw_json_array_end(json);
        mw_json_object_end(json);
    }
    mw_json_array_end(json);
    free(sorted);
}

void mw_json_sites(struct mw_json *json, const struct mw_merged *merged, uint32_t first_region)
{
    const struct mw_merged_sites *sites = &merged->sites;
    const struct mw_merged_site **sorted = malloc((sites->site_count + 1) * sizeof *sorted);
    uint32_t next = 0;

    if (!sorted || sites->site_count == 0) {
        free(sorted);
        return;
    }
    for (uint32_t i = 0; i < sites->site_count; i++) {
        sorted[i] = &sites->sites[i];
    }
    qsort(sorted, sites->site_count, sizeof *sorted, by_place);
    write_modules(json, sites);
    mw_json_array(json, "sites");
    for (uint32_t i = 0; i < sites->place_count; i++) {
        const struct mw_merged_place *place = &sites->places[i];

        mw_json_object(json, NULL);
        mw_json_unsigned(json, "region", first_region + i);
        mw_json_text(json, "call", mw_call_name(place->call));
        mw_json_text(json, "file", place->file);
        mw_json_unsigned(json, "line", place->line);
        mw_json_text(json, "function", place->function);
        mw_json_array(json, "addresses");
        for (; next < sites->site_count && sorted[next]->place == i; next++) {
            if (!sites->spots[sorted[next]->spot].is_line &&
                (next == 0 || sorted[next - 1]->place != i ||
                 sorted[next - 1]->spot != sorted[next]->spot)) {
                write_address(json, &sites->spots[sorted[next]->spot]);
            }
        }
        mw_json_array_end(json);
        mw_json_object_end(json);
    }
    mw_json_array_end(json);
    write_contexts(json, sites);
    free(sorted);
}
