/*
 * A context is one function in another one, from the outermost inwards, with the place that it
 * calls the next one from; the innermost one is the call of MPI itself, whose region has no other.
 */
#include "formats/archive/stack_definitions.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"
#include "formats/base/index_table.h"

#define CUT_NAME "[cut]"

/* The functions so far, each with one of the contexts that it is in. */
struct functions {
    struct mw_defining *defining;
    const struct mw_merged_context **list;
    uint32_t count;
    struct mw_index_table table;
    uint32_t first;       /* id of the region of the first one … */
    uint32_t next;        /* … and of the next one */
    uint32_t description; /* strings … */
    const char *file_name; /* … of the file that was named last; null: none was */
    uint32_t file;
};

static bool function_is(const void *context, uint32_t index, const void *key)
{
    const struct mw_merged_context *one =
        ((const struct mw_merged_context *const *)context)[index];
    const struct mw_merged_context *other = key;

    return strcmp(one->function, other->function) == 0 && strcmp(one->file, other->file) == 0;
}

/* Neighbours are of one file, as a rule. */
static uint32_t file_string(struct functions *functions, const char *file)
{
    if (!functions->file_name || strcmp(functions->file_name, file) != 0) {
        functions->file = mw_defining_string(functions->defining, file);
        functions->file_name = file;
    }
    return functions->file;
}

static uint32_t define_function(struct functions *functions, const char *name, const char *file)
{
    struct mw_defining *defining = functions->defining;
    uint32_t text = mw_defining_string(defining, name);

    mw_defining_note(defining,
                     OTF2_GlobalDefWriter_WriteRegion(
                         defining->writer, functions->next, text, text, functions->description,
                         OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER,
                         OTF2_REGION_FLAG_NONE, file_string(functions, file), 0, 0));
    return functions->next++;
}

/* The region of the context's function, which may be new. */
static uint32_t function_of(struct functions *functions, const struct mw_merged_context *context)
{
    uint64_t hash = mw_hash_bytes(MW_HASH_START, context->function, strlen(context->function));
    uint32_t index;

    hash = mw_hash_bytes(hash, context->file, strlen(context->file));
    index = mw_index_find(&functions->table, hash, function_is, functions->list, context);
    if (index != MW_INDEX_NONE) {
        return functions->first + index;
    }
    if (!mw_array_grow((void **)&functions->list, functions->count, sizeof *functions->list) ||
        !mw_index_add(&functions->table, hash, functions->count)) {
        functions->defining->out_of_memory = true;
        return OTF2_UNDEFINED_REGION;
    }
    functions->list[functions->count++] = context;
    return define_function(functions, context->function, context->file);
}

static bool is_any_cut(const struct mw_merged_sites *sites)
{
    for (uint32_t i = 0; i < sites->context_count; i++) {
        if (sites->contexts[i].parent == MW_FRAME_CUT) {
            return true;
        }
    }
    return false;
}

/* The context of what was cut off is the first one, if there is any. */
uint32_t mw_stack_first_context(const struct mw_merged_sites *sites)
{
    return is_any_cut(sites);
}

static void define_context(struct mw_defining *defining, uint32_t id, uint32_t region,
                           uint32_t location, uint32_t parent)
{
    mw_defining_note(defining, OTF2_GlobalDefWriter_WriteCallingContext(
                                   defining->writer, id, region, location, parent));
}

static void define_frames(struct functions *functions, uint32_t first)
{
    struct mw_defining *defining = functions->defining;
    const struct mw_merged_sites *sites = &defining->merged->sites;
    uint32_t locations = 0;

    for (uint32_t i = 0; i < sites->context_count; i++) {
        const struct mw_merged_context *context = &sites->contexts[i];
        uint32_t region = function_of(functions, context);
        uint32_t location = OTF2_UNDEFINED_SOURCE_CODE_LOCATION;
        uint32_t parent = context->parent == MW_FRAME_NONE ? OTF2_UNDEFINED_CALLING_CONTEXT
                          : context->parent == MW_FRAME_CUT ? 0
                                                            : first + context->parent;

        if (context->line > 0) {
            location = locations++;
            mw_defining_note(defining, OTF2_GlobalDefWriter_WriteSourceCodeLocation(
                                           defining->writer, location,
                                           file_string(functions, context->file),
                                           context->line));
        }
        define_context(defining, first + i, region, location, parent);
    }
}

void mw_stack_definitions_write(struct mw_defining *defining, uint32_t first_place,
                                uint32_t first_function)
{
    const struct mw_merged_sites *sites = &defining->merged->sites;
    struct functions functions = {.defining = defining, .next = first_function};
    uint32_t first = mw_stack_first_context(sites);

    if (sites->context_count == 0) {
        return;
    }
    functions.description = mw_defining_string(defining, "function");
    if (first > 0) {
        define_context(defining, 0, define_function(&functions, CUT_NAME, ""),
                       OTF2_UNDEFINED_SOURCE_CODE_LOCATION, OTF2_UNDEFINED_CALLING_CONTEXT);
    }
    functions.first = functions.next;
    define_frames(&functions, first);
    for (uint32_t i = 0; i < sites->place_count; i++) {
        if (sites->places[i].context != MW_CONTEXT_NONE) {
            define_context(defining, first + sites->context_count + i, first_place + i,
                           OTF2_UNDEFINED_SOURCE_CODE_LOCATION, first + sites->places[i].context);
        }
    }
    free(functions.list);
    mw_index_fini(&functions.table);
}
