#include "formats/spool/known.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"

/* What a file says is not trusted beyond reason. */
#define COMM_SIZE_MAX (1u << 24)

/* Numbers go up by one; some definitions may have been lost. */
#define COMM_GAP_MAX (1u << 16)

/* --- communicators ------------------------------------------------------------- */

static bool uid_is(const void *context, uint32_t index, const void *key)
{
    const struct mw_known_comm *comms = context;

    return mw_uid_equal(comms[index].uid, *(const struct mw_uid *)key);
}

static bool widen(struct mw_known *known, uint32_t comm)
{
    return mw_array_widen((void **)&known->comms, &known->comm_count, comm, sizeof *known->comms,
                          0);
}

static bool has_uid(const struct mw_known *known, struct mw_uid uid)
{
    return mw_index_find(&known->by_uid, uid.high ^ uid.low, uid_is, known->comms, &uid) !=
           MW_INDEX_NONE;
}

/* The predefined ones are known without, and get their uid by a definition. */
static bool add_comm(struct mw_known *known, const struct mw_define_comm *define, bool *is_taken)
{
    bool is_predefined = define->comm <= MW_COMM_SELF;
    bool is_new = is_predefined || !mw_known_has_comm(known, define->comm);

    *is_taken = is_new && define->size <= COMM_SIZE_MAX && define->remote_size <= COMM_SIZE_MAX &&
                define->comm <= COMM_GAP_MAX + 2 * known->comm_definitions &&
                (is_predefined || mw_uid_is_none(define->uid) || !has_uid(known, define->uid));
    if (!*is_taken) {
        return true;
    }
    known->comm_definitions++;
    if (!widen(known, define->comm)) {
        return false;
    }
    known->comms[define->comm] = (struct mw_known_comm){.uid = define->uid, .is_defined = true};
    return mw_uid_is_none(define->uid) ||
           mw_index_add(&known->by_uid, define->uid.high ^ define->uid.low, define->comm);
}

bool mw_known_has_comm(const struct mw_known *known, uint32_t comm)
{
    return comm < known->comm_count && known->comms[comm].is_defined;
}

/* --- objects, metrics, sources ------------------------------------------------------ */

static bool has_object(const struct mw_known *known, unsigned kind, uint32_t number)
{
    return number < known->objects[kind].count && known->objects[kind].is_defined[number];
}

static bool add_object(struct mw_known *known, const struct mw_define_object *define,
                       bool *is_taken)
{
    struct mw_known_objects *objects;

    /* OTF2 has windows on communicators only. */
    *is_taken = define->kind < MW_OBJECT_KIND_COUNT && define->number < MW_OBJECT_NUMBER_MAX &&
                !has_object(known, define->kind, define->number) &&
                (define->kind != MW_OBJECT_WINDOW || has_uid(known, define->comm));
    if (!*is_taken) {
        return true;
    }
    objects = &known->objects[define->kind];
    if (!mw_array_widen((void **)&objects->is_defined, &objects->count, define->number,
                        sizeof *objects->is_defined, false)) {
        return false;
    }
    objects->is_defined[define->number] = true;
    return true;
}

static bool add_metric(struct mw_known *known, const struct mw_define_metric *define,
                       bool *is_taken)
{
    *is_taken = define->metric == known->metric_count && define->count > 0 &&
                define->count <= MW_METRIC_VALUES_MAX && define->declared < MW_CLASS_COUNT &&
                define->effective < MW_CLASS_COUNT;
    if (!*is_taken) {
        return true;
    }
    if (!mw_array_grow((void **)&known->metric_values, known->metric_count, 1)) {
        return false;
    }
    known->metric_values[known->metric_count++] = (uint8_t)define->count;
    return true;
}

static bool add_sources(struct mw_known *known, const struct mw_define_sources *define,
                        bool *is_taken)
{
    *is_taken = define->sources == known->source_count && define->sources < MW_SOURCES_MAX;
    if (!*is_taken) {
        return true;
    }
    if (!mw_array_grow((void **)&known->source_comms, known->source_count,
                       sizeof *known->source_comms)) {
        return false;
    }
    known->source_comms[known->source_count++] = define->comm;
    return true;
}

/* A site or a stack, whose place is known. */
static bool add_site(struct mw_known *known, uint32_t site, uint32_t call, bool *is_taken)
{
    *is_taken = *is_taken && site == known->site_count && site < MW_SITES_MAX &&
                call < MW_CALL_COUNT;
    if (!*is_taken) {
        return true;
    }
    if (!mw_array_grow((void **)&known->site_calls, known->site_count,
                       sizeof *known->site_calls)) {
        return false;
    }
    known->site_calls[known->site_count++] = (uint16_t)call;
    return true;
}

/* Frames are defined from the outermost inwards. */
static void add_frame(struct mw_known *known, uint32_t frame, uint32_t parent, uint32_t module,
                      bool *is_taken)
{
    *is_taken = frame == known->frame_count && frame < MW_FRAMES_MAX &&
                module < known->module_count &&
                (parent < known->frame_count || parent == MW_FRAME_NONE || parent == MW_FRAME_CUT);
    known->frame_count += *is_taken;
}

bool mw_known_has_sources(const struct mw_known *known, uint32_t sources, uint32_t comm)
{
    return sources < known->source_count && known->source_comms[sources] == comm;
}

/* --- all -------------------------------------------------------------------------------- */

bool mw_known_init(struct mw_known *known)
{
    memset(known, 0, sizeof *known);
    if (!widen(known, MW_COMM_WORLD)) {
        return false;
    }
    known->comms[MW_COMM_WORLD].is_defined = true;
    known->comms[MW_COMM_SELF].is_defined = true;
    return true;
}

void mw_known_fini(struct mw_known *known)
{
    free(known->comms);
    free(known->metric_values);
    free(known->source_comms);
    free(known->site_calls);
    for (unsigned kind = 0; kind < MW_OBJECT_KIND_COUNT; kind++) {
        free(known->objects[kind].is_defined);
    }
    mw_index_fini(&known->by_uid);
    memset(known, 0, sizeof *known);
}

/* The next number of its kind. */
static bool count_next(uint32_t *count, uint32_t number)
{
    bool is_next = number == *count && number < MW_USER_NUMBER_MAX;

    *count += is_next;
    return is_next;
}

bool mw_known_add(struct mw_known *known, const struct mw_definition *definition, bool *is_taken)
{
    *is_taken = true;
    switch (definition->kind) {
    case MW_DEFINE_COMM:
        return add_comm(known, &definition->of.comm, is_taken);
    case MW_DEFINE_OBJECT:
        return add_object(known, &definition->of.object, is_taken);
    case MW_DEFINE_METRIC:
        return add_metric(known, &definition->of.metric, is_taken);
    case MW_DEFINE_SOURCES:
        return add_sources(known, &definition->of.sources, is_taken);
    case MW_DEFINE_REGION:
        *is_taken = count_next(&known->region_count, definition->of.region.region);
        return true;
    case MW_DEFINE_TEXT:
        *is_taken = count_next(&known->text_count, definition->of.text.text);
        return true;
    case MW_DEFINE_MODULE:
        *is_taken = count_next(&known->module_count, definition->of.module.module);
        return true;
    case MW_DEFINE_SITE:
        *is_taken = definition->of.site.module < known->module_count;
        return add_site(known, definition->of.site.site, definition->of.site.call, is_taken);
    case MW_DEFINE_LINE:
        *is_taken = definition->of.line.module < known->module_count;
        return add_site(known, definition->of.line.site, definition->of.line.call, is_taken);
    case MW_DEFINE_FRAME:
        add_frame(known, definition->of.frame.frame, definition->of.frame.parent,
                  definition->of.frame.module, is_taken);
        return true;
    case MW_DEFINE_LINE_FRAME:
        add_frame(known, definition->of.line_frame.frame, definition->of.line_frame.parent,
                  definition->of.line_frame.module, is_taken);
        return true;
    case MW_DEFINE_STACK:
        *is_taken = definition->of.stack.frame < known->frame_count;
        return add_site(known, definition->of.stack.site, definition->of.stack.call, is_taken);
    case MW_DEFINE_SAMPLED:
    case MW_DEFINE_SAMPLED_OTHERS:
        *is_taken = definition->of.sampled.module < known->module_count &&
                    (definition->of.sampled.site == MW_SITE_NONE ||
                     definition->of.sampled.site < known->site_count);
        return true;
    default:
        return true;
    }
}

/* --- members of records ------------------------------------------------------------------ */

static bool can_tell_metric(const struct mw_known *known, const struct mw_metric_member *metric)
{
    if (metric->metric >= known->metric_count ||
        metric->count != known->metric_values[metric->metric]) {
        return false;
    }
    switch (MW_METRIC_OBJECT(metric->form)) {
    case MW_METRIC_OF_WINDOW:
        return has_object(known, MW_OBJECT_WINDOW, metric->head.comm);
    case MW_METRIC_OF_FILE:
        return has_object(known, MW_OBJECT_HANDLE, metric->head.comm);
    default:
        return true;
    }
}

static bool can_tell_object(const struct mw_known *known, const struct mw_member *member)
{
    unsigned kind = member->type == MW_MEMBER_IO_DELETE ? MW_OBJECT_FILE
                    : member->type > MW_MEMBER_RMA_SYNC ? MW_OBJECT_HANDLE
                                                        : MW_OBJECT_WINDOW;

    /* MW_COMM_NONE: the recorder had no number for it, and nothing is told. */
    return member->comm == MW_COMM_NONE || has_object(known, kind, member->comm);
}

static bool can_tell(const struct mw_known *known, const struct mw_member *member)
{
    bool is_first;

    switch (member->type) {
    case MW_MEMBER_METRIC:
    case MW_MEMBER_METRIC_ENTER:
        return can_tell_metric(known, (const void *)member);
    case MW_MEMBER_COMM_CREATE:
        is_first = !mw_known_has_comm(known, member->comm) ||
                   !known->comms[member->comm].is_created;
        if (member->comm < known->comm_count) {
            known->comms[member->comm].is_created = true;
        }
        return is_first;
    default:
        return !MW_MEMBER_IS_OBJECT(member->type) || can_tell_object(known, member);
    }
}

/* Tells the call from the site. False: it is a site that is not known. */
static bool tell_call(const struct mw_known *known, struct mw_spool_call *call)
{
    uint32_t site;

    call->site = MW_SITE_NONE;
    if (call->record.call < MW_CALL_COUNT) {
        return true;
    }
    site = call->record.call - MW_CALL_COUNT;
    if (site >= known->site_count) {
        call->record.call = MW_CALL_COUNT;
        return false;
    }
    call->site = site;
    call->record.call = known->site_calls[site];
    return true;
}

bool mw_known_sift(const struct mw_known *known, struct mw_spool_call *call, char **room,
                   uint64_t *count)
{
    const struct mw_member *member = NULL;
    char *copy = NULL;
    size_t kept = 0;
    size_t about_next = 0; /* bytes of the last one kept, if it is of the next one */

    *count += !tell_call(known, call);
    while ((member = mw_spool_call_member(call, member))) {
        size_t bytes = member->words * (size_t)8;

        if (can_tell(known, member)) {
            if (copy) {
                memcpy(copy + kept, member, bytes);
            }
            kept += bytes;
            about_next = MW_MEMBER_IS_OF_NEXT(member->type) ? bytes : 0;
            continue;
        }
        if (!copy) {
            copy = malloc(call->member_bytes);
            if (!copy) {
                return false;
            }
            memcpy(copy, call->members, kept);
        }
        ++*count;
        kept -= about_next;
        about_next = 0;
    }
    if (copy) {
        free(*room);
        *room = copy;
        call->members = copy;
        call->member_bytes = kept;
    }
    return true;
}
