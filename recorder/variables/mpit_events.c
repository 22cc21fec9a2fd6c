/*
 * The calls are looked up by name, and their types are told here: Open MPI's mpi.h has neither up
 * to version 5, and a library that adds them is used all the same.
 */
#include "recorder/variables/mpit_events.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"
#include "formats/spool/record.h"
#include "recorder/dispatch/chain.h"
#include "recorder/recorder.h"
#include "recorder/state/thread.h"
#include "recorder/variables/mpit_queue.h"
#include "recorder/variables/pvars.h"
#include "recorder/variables/sampling.h"
#include "recorder/variables/state.h"

#define ELEMENTS_MAX 64 /* of an event that is looked at */
#define SAFETY_LEVELS 4 /* MPI_T_CB_REQUIRE_NONE to …_ASYNC_SIGNAL_SAFE, of MPI 4.0 */

typedef void on_event_function(void *instance, void *registration, int safety, void *user_data);
typedef void on_dropped_function(MPI_Count count, void *registration, int source, int safety,
                                 void *user_data);

/* The library's own, null where it has none. */
static struct {
    int (*get_num)(int *count);
    int (*get_info)(int index, char *name, int *name_length, int *verbosity,
                    MPI_Datatype datatypes[], MPI_Aint displacements[], int *elements,
                    MPI_T_enum *items, MPI_Info *info, char *description,
                    int *description_length, int *bind);
    int (*handle_alloc)(int index, void *object, MPI_Info info, void **registration);
    int (*handle_free)(void *registration, void *user_data, void *callback);
    int (*register_callback)(void *registration, int safety, MPI_Info info, void *user_data,
                             on_event_function *callback);
    int (*set_dropped_handler)(void *registration, on_dropped_function *callback);
    int (*read)(void *instance, int element, void *value);
} library;

struct event {
    int index; /* MPI's */
    void *registration;
    uint32_t metric;
    uint32_t metric_dropped;
    uint32_t type;  /* enum mw_metric_type, of all its values */
    uint32_t count; /* of elements, of which the first MWR_MPIT_VALUES_MAX are kept */
    MPI_Datatype types[MWR_MPIT_VALUES_MAX];
    uint64_t dropped;      /* by atomics */
    uint64_t told_dropped; /* of these, are in a record */
};

/* Fixed once callbacks may come. */
static struct event **events;
static uint32_t event_count;
static struct mwr_mpit_queue queue;
static bool is_writing; /* by atomics: a thread does */

/* --- callbacks ------------------------------------------------------------------------- */

/* The bits of an integer of the MPI, as a metric of such a type has them. */
static uint64_t bits_of(const struct event *event, uint32_t element, const void *raw)
{
    const MPI_Datatype type = event->types[element];
    uint64_t wide = 0;
    int64_t whole;
    double real;

    if (type == MPI_DOUBLE) {
        memcpy(&real, raw, sizeof real);
    } else if (type == MPI_INT) {
        int value;

        memcpy(&value, raw, sizeof value);
        whole = value;
        wide = (uint64_t)whole;
        real = value;
    } else if (type == MPI_COUNT) {
        memcpy(&whole, raw, sizeof whole);
        wide = (uint64_t)whole;
        real = (double)whole;
    } else {
        memcpy(&wide, raw, type == MPI_CHAR ? 1 : type == MPI_UNSIGNED ? sizeof(unsigned) : 8);
        real = (double)wide;
    }
    if (event->type == MW_METRIC_DOUBLE) {
        memcpy(&wide, &real, sizeof wide);
    }
    return wide;
}

static void drop(struct event *event, uint64_t count)
{
    __atomic_fetch_add(&event->dropped, count, __ATOMIC_RELAXED);
}

/* Async-signal-safe, as the reading of an event is where the MPI calls back so. */
static void on_event(void *instance, void *registration, int safety, void *user_data)
{
    struct event *event = events[(uintptr_t)user_data];
    struct mwr_mpit_told told = { .event = (uint32_t)(uintptr_t)user_data, .time = mwr_clock() };

    for (uint32_t i = 0; i < event->count && i < MWR_MPIT_VALUES_MAX; i++) {
        uint64_t raw[2] = { 0, 0 };

        if (library.read(instance, (int)i, raw) != MPI_SUCCESS) {
            drop(event, 1);
            return;
        }
        told.values[i] = bits_of(event, i, raw);
    }
    if (event->count == 0) {
        told.values[0] = 1;
    }
    if (!mwr_mpit_queue_put(&queue, &told)) {
        drop(event, 1);
    }
}

/* Likewise. */
static void on_dropped(MPI_Count count, void *registration, int source, int safety,
                       void *user_data)
{
    for (uint32_t i = 0; i < event_count && count > 0; i++) {
        if (events[i]->registration == registration) {
            drop(events[i], (uint64_t)count);
        }
    }
}

/* --- which ----------------------------------------------------------------------------- */

static bool find_library(void)
{
#define FIND(name) (*(void **)(void *)&library.name = dlsym(RTLD_NEXT, "PMPI_T_event_" #name))
    return FIND(get_num) && FIND(get_info) && FIND(handle_alloc) && FIND(handle_free) &&
           FIND(register_callback) && FIND(read) && (FIND(set_dropped_handler), true);
#undef FIND
}

/* What MPI_T_event_get_info tells. */
struct info {
    char name[256];
    char description[512];
    int verbosity;
    int bind;
    int elements;
    MPI_Datatype types[ELEMENTS_MAX];
};

static bool get_info(int index, struct info *info)
{
    MPI_Aint displacements[ELEMENTS_MAX];
    int name_length = sizeof info->name;
    int description_length = sizeof info->description;
    MPI_Info hints = MPI_INFO_NULL;
    MPI_T_enum items;

    memset(info, 0, sizeof *info);
    info->elements = ELEMENTS_MAX;
    if (library.get_info(index, info->name, &name_length, &info->verbosity, info->types,
                         displacements, &info->elements, &items, &hints, info->description,
                         &description_length, &info->bind) != MPI_SUCCESS) {
        return false;
    }
    if (hints != MPI_INFO_NULL) {
        MWR_PMPI(Info_free)(&hints);
    }
    info->name[sizeof info->name - 1] = '\0';
    info->description[sizeof info->description - 1] = '\0';
    return info->name[0] && info->elements >= 0;
}

static bool is_in_no_category(const struct mwr_candidate *candidate, const char *pattern)
{
    return false;
}

static bool is_selected(const struct mwr_selection *selection, const struct info *info)
{
    const struct mwr_candidate candidate = { .name = info->name,
                                             .class = MW_CLASS_COUNT,
                                             .verbosity = mwr_verbosity_of(info->verbosity),
                                             .bind = mwr_bind_word(info->bind),
                                             .is_in_category = is_in_no_category };

    return mwr_selection_takes(selection, &candidate) != NULL;
}

/* Why it can't be recorded, null if it can; sets how its values are. */
static const char *set_types(struct event *event, const struct info *info)
{
    event->count = (uint32_t)info->elements;
    event->type = MW_METRIC_UINT64;
    for (uint32_t i = 0; i < event->count && i < MWR_MPIT_VALUES_MAX; i++) {
        struct mwr_pvar like = { .name = "" };

        event->types[i] = info->types[i];
        if (info->types[i] != MPI_CHAR && !mwr_pvar_set_type(&like, info->types[i])) {
            return mwr_type_refusal(info->types[i]);
        }
        if (info->types[i] == MPI_DOUBLE) {
            event->type = MW_METRIC_DOUBLE;
        } else if (like.type == MW_METRIC_INT64 && event->type == MW_METRIC_UINT64) {
            event->type = MW_METRIC_INT64;
        }
    }
    return NULL;
}

/* --- begin ----------------------------------------------------------------------------- */

static uint32_t define(const struct info *info, const char *suffix, const struct event *event)
{
    const bool is_dropped = suffix[0] != '\0';
    char name[sizeof info->name + 16];
    struct mw_define_metric metric = {
        .name = name,
        .declared = is_dropped ? MW_CLASS_COUNTER : MW_CLASS_EVENT,
        .effective = is_dropped ? MW_CLASS_COUNTER : MW_CLASS_EVENT,
        .type = is_dropped ? (uint32_t)MW_METRIC_UINT64 : event->type,
        .bits = 64,
        .bind = MW_BIND_EVENT,
        .verbosity = mwr_verbosity_of(info->verbosity),
        .form = MW_METRIC_LIST,
        .count = is_dropped || event->count == 0         ? 1
                 : event->count < MWR_MPIT_VALUES_MAX ? event->count
                                                      : MWR_MPIT_VALUES_MAX,
        .elements = is_dropped || event->count == 0 ? 1 : event->count,
        .unit = "#",
        .description = is_dropped ? "events of the MPI that were dropped" : info->description,
        .items = "",
        .categories = "",
    };

    snprintf(name, sizeof name, "%s%s", info->name, suffix);
    return mwr_metric_define_own(&metric);
}

/* Binds an event to what it is of: to nothing, or to MPI_COMM_WORLD. */
static bool bind(struct event *event, const struct info *info)
{
    const enum mwr_bind kind = mwr_bind_of(info->bind);
    MPI_Comm world = MPI_COMM_WORLD;

    return (kind == MWR_BIND_NONE || kind == MWR_BIND_COMM) &&
           library.handle_alloc(event->index, kind == MWR_BIND_COMM ? &world : NULL,
                                MPI_INFO_NULL, &event->registration) == MPI_SUCCESS;
}

/* Wants to be called back in whatever state the MPI is. False: in none. */
static bool want(const struct event *event, uint32_t number)
{
    bool is_wanted = false;

    for (int safety = 0; safety < SAFETY_LEVELS; safety++) {
        is_wanted |= library.register_callback(event->registration, safety, MPI_INFO_NULL,
                                               (void *)(uintptr_t)number,
                                               on_event) == MPI_SUCCESS;
    }
    if (library.set_dropped_handler) {
        (void)library.set_dropped_handler(event->registration, on_dropped);
    }
    return is_wanted;
}

/* Adds an event; null: it can't be recorded, and *why is a sentence. */
static struct event *add(int index, const struct info *info, const char **why)
{
    struct event *event = calloc(1, sizeof *event);

    *why = "there is no memory";
    if (!event || !mw_array_grow((void **)&events, event_count, sizeof(struct event *))) {
        free(event);
        return NULL;
    }
    event->index = index;
    *why = set_types(event, info);
    if (!*why && !bind(event, info)) {
        *why = "it can't be bound to MPI_COMM_WORLD, or to no object";
    }
    if (*why) {
        free(event);
        return NULL;
    }
    event->metric = define(info, "", event);
    event->metric_dropped = define(info, ".dropped", event);
    return event;
}

static void say_refused(const char *name, const char *why)
{
    if (mwr_recorder.rank == 0 && !mwr_recorder.settings.quiet) {
        mwr_say("the MPI's event %s is not recorded: %s", name, why);
    }
}

static void add_selected(const struct mwr_selection *selection, int count)
{
    struct info *info = malloc(sizeof *info);
    const char *why;

    for (int i = 0; info && i < count; i++) {
        if (get_info(i, info) && is_selected(selection, info)) {
            struct event *event = add(i, info, &why);

            if (event) {
                events[event_count++] = event;
            } else {
                say_refused(info->name, why);
            }
        }
    }
    free(info);
}

/* The sentence that is said of a wish for events that are not there. */
static void say_none(const char *sentence)
{
    if (mwr_recorder.rank == 0 && !mwr_recorder.settings.quiet) {
        mwr_say("%s", sentence);
    }
}

static void start_selected(const struct mwr_selection *selection)
{
    int count = 0;

    if (!find_library() || library.get_num(&count) != MPI_SUCCESS || count <= 0) {
        say_none("this MPI has no events");
        return;
    }
    add_selected(selection, count);
    if (event_count == 0) {
        say_none("no event of this MPI is recorded by --mpit-events");
        return;
    }
    if (!mwr_mpit_queue_init(&queue)) {
        say_none("there is no memory for the MPI's events");
        return;
    }
    mwr_sampling_set(MWR_SAMPLE_EVENTS, 0);
    for (uint32_t i = 0; i < event_count; i++) {
        if (!want(events[i], i)) {
            say_none("the MPI takes no callback for one of its events");
        }
    }
}

void mwr_mpit_events_start(void)
{
    struct mwr_selection *selection = malloc(sizeof *selection);

    if (selection &&
        mwr_selection_parse(selection, mwr_recorder.settings.mpit_events, NULL) == MW_OK &&
        selection->count > 0) {
        start_selected(selection);
    }
    free(selection);
}

/* --- records --------------------------------------------------------------------------- */

static bool write_sample(struct mw_spool *spool, uint32_t metric, uint32_t type, uint32_t count,
                         const uint64_t *values)
{
    struct mw_metric_member *member =
        metric == UINT32_MAX ? NULL
                             : mw_spool_member(spool, MW_MEMBER_METRIC,
                                               sizeof *member + count * sizeof member->values[0],
                                               MW_COMM_NONE);

    if (!member) {
        return false;
    }
    member->metric = metric;
    member->flags = 0;
    member->type = (uint8_t)type;
    member->form = MW_METRIC_LIST;
    member->count = (uint8_t)count;
    memcpy(member->values, values, count * sizeof values[0]);
    mw_spool_commit(member);
    return true;
}

static bool write_told(struct mw_spool *spool, const struct mwr_mpit_told *told)
{
    const struct event *event = events[told->event];
    const uint32_t count = event->count == 0                      ? 1
                           : event->count < MWR_MPIT_VALUES_MAX ? event->count
                                                                : MWR_MPIT_VALUES_MAX;
    struct mw_value_member *at = mw_spool_member(spool, MW_MEMBER_AT, sizeof *at, MW_COMM_NONE);

    if (!at) {
        return false;
    }
    at->value = told->time;
    mw_spool_commit(at);
    return write_sample(spool, event->metric, event->type, count, told->values);
}

/* How many were dropped so far, where that is new. */
static void write_dropped(struct mw_spool *spool, struct event *event)
{
    const uint64_t dropped = __atomic_load_n(&event->dropped, __ATOMIC_RELAXED);

    if (dropped != event->told_dropped &&
        write_sample(spool, event->metric_dropped, MW_METRIC_UINT64, 1, &dropped)) {
        event->told_dropped = dropped;
    }
}

void mwr_mpit_events_write(const struct mwr_call *call)
{
    struct mw_spool *spool = &call->stream->spool;
    struct mwr_mpit_told told;

    if (__atomic_test_and_set(&is_writing, __ATOMIC_ACQUIRE)) {
        return;
    }
    for (unsigned i = 0; i < MWR_MPIT_QUEUE_MAX && mwr_mpit_queue_take(&queue, &told); i++) {
        if (!write_told(spool, &told)) {
            drop(events[told.event], 1);
        }
    }
    for (uint32_t i = 0; i < event_count; i++) {
        write_dropped(spool, events[i]);
    }
    __atomic_clear(&is_writing, __ATOMIC_RELEASE);
}

void mwr_mpit_events_finish(const struct mwr_call *call)
{
    if (!queue.slots) {
        return;
    }
    if (call->record) {
        mwr_mpit_events_write(call);
    }
    for (uint32_t i = 0; i < event_count; i++) {
        (void)library.handle_free(events[i]->registration, NULL, NULL);
    }
}
