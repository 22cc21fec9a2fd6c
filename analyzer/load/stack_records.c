/* A context comes behind its parent, and behind its region: one that does not has none. */
#include "analyzer/load/stack_records.h"

#define SEVERAL (MWA_NONE - 1) /* frames of a site */

static OTF2_CallbackCode result_of(struct mwa_loading *loading, bool enough)
{
    loading->no_memory |= !enough;
    return loading->no_memory ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_source_place(void *user, OTF2_SourceCodeLocationRef self,
                                         OTF2_StringRef file, uint32_t line)
{
    struct mwa_loading *loading = user;

    if (!mwa_grow(&loading->source_place, &loading->source_place_capacity,
                  loading->source_place_count + 1, sizeof *loading->source_place) ||
        !mwa_map_put(&loading->source_places, mwa_loading_key(self),
                     loading->source_place_count)) {
        return result_of(loading, false);
    }
    loading->source_place[loading->source_place_count++] =
        (struct mwa_source_place){ mwa_loading_text(loading, file), line };
    return result_of(loading, true);
}

/* The frame of a context, MWA_NONE: not known. */
static uint32_t frame_of(const struct mwa_loading *loading, OTF2_CallingContextRef context)
{
    return (uint32_t)mwa_map_get(&loading->contexts, mwa_loading_key(context));
}

static OTF2_CallbackCode on_context(void *user, OTF2_CallingContextRef self,
                                    OTF2_RegionRef region_id, OTF2_SourceCodeLocationRef place_id,
                                    OTF2_CallingContextRef parent)
{
    struct mwa_loading *loading = user;
    struct mwa_trace *trace = loading->trace;
    uint32_t index = mwa_trace_site(trace, region_id);
    struct mwa_site *site = index == MWA_NONE ? NULL : &trace->sites[index];
    uint64_t place = mwa_map_get(&loading->source_places, mwa_loading_key(place_id));
    struct mwa_stack_frame frame = { .parent = frame_of(loading, parent), .context = self,
                                     .function = "", .file = "", .module = "" };
    uint64_t *known = mwa_map_put(&trace->context_index, mwa_loading_key(self), region_id);

    if (!known) {
        return result_of(loading, false);
    }
    *known = region_id;
    if (!site || trace->frame_count >= SEVERAL) {
        return OTF2_CALLBACK_SUCCESS;
    }
    if (trace->regions[site->region].kind != MWA_REGION_USER) {
        site->frame = site->frame == MWA_NONE ? frame.parent : SEVERAL;
        return OTF2_CALLBACK_SUCCESS;
    }
    frame.function = trace->regions[site->region].name;
    if (place != MWA_MAP_ABSENT) {
        frame.file = loading->source_place[place].file;
        frame.line = loading->source_place[place].line;
    }
    if (!mwa_grow(&trace->frames, &loading->frame_capacity, trace->frame_count + 1,
                  sizeof *trace->frames) ||
        !mwa_map_put(&loading->contexts, mwa_loading_key(self), trace->frame_count)) {
        return result_of(loading, false);
    }
    trace->frames[trace->frame_count++] = frame;
    return result_of(loading, true);
}

void mwa_stack_callbacks(OTF2_GlobalDefReaderCallbacks *all)
{
    OTF2_GlobalDefReaderCallbacks_SetSourceCodeLocationCallback(all, on_source_place);
    OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(all, on_context);
}

void mwa_stacks_settle(struct mwa_trace *trace)
{
    for (uint64_t i = 0; i < trace->site_count; i++) {
        struct mwa_site *site = &trace->sites[i];

        site->frame = site->frame == SEVERAL ? MWA_NONE : site->frame;
        if (!*site->function && *site->file && site->frame != MWA_NONE) {
            site->function = trace->frames[site->frame].function;
        }
    }
}
