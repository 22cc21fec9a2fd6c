#include "recorder/vars/inventory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/variables/probe.h"
#include "recorder/variables/pvar_selection.h"
#include "recorder/variables/pvars.h"

#define ELEMENTS_MAX 65536
#define PROBE_SECONDS 10u /* that the variables together may take */

/* For what runs in child processes; set before they are started. */
static struct mwr_inventory *current;

struct type {
    MPI_Datatype datatype;
    const char *name;
    size_t bytes;
};

static const struct type *type_of(MPI_Datatype datatype)
{
    static const struct type types[] = {
        {MPI_INT, "int", sizeof(int)},
        {MPI_UNSIGNED, "unsigned", sizeof(unsigned)},
        {MPI_UNSIGNED_LONG, "unsigned long", sizeof(unsigned long)},
        {MPI_UNSIGNED_LONG_LONG, "unsigned long long", sizeof(unsigned long long)},
        {MPI_COUNT, "MPI_Count", sizeof(MPI_Count)},
        {MPI_CHAR, "char", 1},
        {MPI_DOUBLE, "double", sizeof(double)},
        {MPI_C_BOOL, "bool", sizeof(bool)}, /* Open MPI's; no type of MPI_T */
    };
    static const struct type unknown = {MPI_DATATYPE_NULL, "?", 16};

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (types[i].datatype == datatype) {
            return &types[i];
        }
    }
    return &unknown;
}

/* Of an element of the type; of one that is not known, room for it. */
static size_t bytes_of(const char *type)
{
    static const struct {
        const char *name;
        size_t bytes;
    } sizes[] = {{"int", sizeof(int)},
                 {"unsigned", sizeof(unsigned)},
                 {"unsigned long", sizeof(unsigned long)},
                 {"unsigned long long", sizeof(unsigned long long)},
                 {"MPI_Count", sizeof(MPI_Count)},
                 {"double", sizeof(double)},
                 {"char", 1},
                 {"bool", 1}};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (strcmp(sizes[i].name, type) == 0) {
            return sizes[i].bytes;
        }
    }
    return 16;
}

/* --- performance variables --------------------------------------------------------- */

static bool describe_pvar(int index, struct mwr_listed *listed)
{
    int name_length = sizeof listed->name;
    int description_length = sizeof listed->description;
    int verbosity = 0, class = 0, bind = 0, is_readonly = 0, is_continuous = 0, is_atomic = 0;
    MPI_Datatype datatype = MPI_DATATYPE_NULL;
    MPI_T_enum items;

    if (MPI_T_pvar_get_info(index, listed->name, &name_length, &verbosity, &class, &datatype,
                            &items, listed->description, &description_length, &bind,
                            &is_readonly, &is_continuous, &is_atomic) != MPI_SUCCESS ||
        !listed->name[0]) {
        return false;
    }
    listed->index = index;
    listed->bind = mwr_bind_word(bind);
    listed->type = type_of(datatype)->name;
    listed->verbosity = mwr_verbosity_of(verbosity);
    listed->warning = mwr_pvar_danger(listed->name);
    listed->refusal = mwr_bind_refusal(bind) ? mwr_bind_refusal(bind)
                                             : mwr_type_refusal(datatype);
    listed->class = mwr_class_of(class);
    listed->is_readonly = is_readonly != 0;
    listed->is_continuous = is_continuous != 0;
    listed->is_atomic = is_atomic != 0;
    return true;
}

/* Binds, reads and lets go; the count of elements, 0 where that can't be done. */
static int read_pvar(const struct mwr_listed *listed)
{
    bool bound = strcmp(listed->bind, "MPI_COMM") == 0;
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    int count = 0;
    char *room;

    if ((!bound && strcmp(listed->bind, "NO_OBJECT") != 0) ||
        MPI_T_pvar_session_create(&session) != MPI_SUCCESS) {
        return 0;
    }
    if (MPI_T_pvar_handle_alloc(session, listed->index, bound ? &world : NULL, &handle, &count) ==
        MPI_SUCCESS) {
        room = count > 0 && count <= ELEMENTS_MAX
                   ? calloc((size_t)count + 1, bytes_of(listed->type))
                   : NULL;
        if (room) {
            (void)MPI_T_pvar_read(session, handle, room);
        }
        free(room);
        MPI_T_pvar_handle_free(session, &handle);
    }
    MPI_T_pvar_session_free(&session);
    return count;
}

static void touch_pvar(int i)
{
    (void)read_pvar(&current->pvars[i]);
}

/* --- control variables ---------------------------------------------------------------- */

static bool describe_cvar(int index, struct mwr_listed *listed)
{
    int name_length = sizeof listed->name;
    int description_length = sizeof listed->description;
    int verbosity = 0, bind = 0, scope = 0;
    MPI_Datatype datatype = MPI_DATATYPE_NULL;
    MPI_T_enum items;

    if (MPI_T_cvar_get_info(index, listed->name, &name_length, &verbosity, &datatype, &items,
                            listed->description, &description_length, &bind,
                            &scope) != MPI_SUCCESS ||
        !listed->name[0]) {
        return false;
    }
    listed->index = index;
    listed->bind = mwr_bind_word(bind);
    listed->type = type_of(datatype)->name;
    listed->verbosity = mwr_verbosity_of(verbosity);
    listed->warning = mwr_cvar_danger(listed->name);
    listed->scope = mwr_scope_word(scope);
    return true;
}

/* Prints an element into text; returns how many bytes that took. */
static size_t print_element(const char *type, const char *raw, char *text, size_t size)
{
    unsigned long long wide = 0;
    size_t bytes = bytes_of(type);
    double real;
    int length;

    if (strcmp(type, "int") == 0) {
        length = snprintf(text, size, "%d", *(const int *)(const void *)raw);
    } else if (strcmp(type, "double") == 0) {
        memcpy(&real, raw, sizeof real);
        length = snprintf(text, size, "%.17g", real);
    } else {
        memcpy(&wide, raw, bytes < sizeof wide ? bytes : sizeof wide);
        length = snprintf(text, size, "%llu", wide);
    }
    return (size_t)length;
}

static void print_value(struct mwr_listed *listed, const char *raw)
{
    char *text = listed->value;
    size_t size = sizeof listed->value;
    size_t used = 0;

    if (strcmp(listed->type, "char") == 0) {
        snprintf(text, size, "%.*s", listed->count, raw);
        return;
    }
    for (int i = 0; i < listed->count && used + 64 < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s", i > 0 ? " " : "");
        used += print_element(listed->type, raw + (size_t)i * bytes_of(listed->type),
                              text + used, size - used);
    }
}

static void read_cvar(struct mwr_listed *listed)
{
    MPI_T_cvar_handle handle;
    char *raw;

    if (strcmp(listed->bind, "NO_OBJECT") != 0 ||
        MPI_T_cvar_handle_alloc(listed->index, NULL, &handle, &listed->count) != MPI_SUCCESS) {
        return;
    }
    raw = listed->count > 0 && listed->count <= ELEMENTS_MAX
              ? calloc((size_t)listed->count + 1, bytes_of(listed->type))
              : NULL;
    if (raw && MPI_T_cvar_read(handle, raw) == MPI_SUCCESS) {
        print_value(listed, raw);
    }
    free(raw);
    MPI_T_cvar_handle_free(&handle);
}

static void touch_cvar(int i)
{
    read_cvar(&current->cvars[i]);
}

/* --- all -------------------------------------------------------------------------------- */

static bool list_all(int slots, bool (*describe)(int, struct mwr_listed *),
                     struct mwr_listed **list, int *count)
{
    *list = calloc((size_t)(slots > 0 ? slots : 1), sizeof **list);
    for (int i = 0; *list && i < slots; i++) {
        memset(&(*list)[*count], 0, sizeof **list);
        *count += describe(i, &(*list)[*count]);
    }
    return *list != NULL;
}

/* Probes a list and marks what died. */
static bool probe_list(struct mwr_listed *list, int count, void (*touch)(int))
{
    int *signals = calloc((size_t)count + 1, sizeof *signals);
    bool done = signals && mwr_probe(count, touch, PROBE_SECONDS, signals);

    for (int i = 0; signals && i < count; i++) {
        list[i].signal = signals[i];
    }
    free(signals);
    return done;
}

/* Notes in what categories the variables with these indices are. */
static void note_category(const char *name, struct mwr_listed *list, int count,
                          const int *indices, int index_count)
{
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < index_count; j++) {
            size_t used = strlen(list[i].categories);

            if (list[i].index == indices[j]) {
                snprintf(list[i].categories + used, sizeof list[i].categories - used, "%s%s",
                         used ? "," : "", name);
            }
        }
    }
}

static void list_category(struct mwr_inventory *inventory, int index)
{
    struct mwr_category *category = &inventory->categories[inventory->category_count];
    int name_length = sizeof category->name;
    int description_length = sizeof category->description;
    int *indices;

    if (MPI_T_category_get_info(index, category->name, &name_length, category->description,
                                &description_length, &category->cvars, &category->pvars,
                                &category->children) != MPI_SUCCESS) {
        return;
    }
    category->index = index;
    category->parent = -1;
    inventory->category_count++;
    indices = calloc((size_t)(category->cvars + category->pvars + 1), sizeof *indices);
    if (indices && category->pvars > 0 &&
        MPI_T_category_get_pvars(index, category->pvars, indices) == MPI_SUCCESS) {
        note_category(category->name, inventory->pvars, inventory->pvar_count, indices,
                      category->pvars);
    }
    if (indices && category->cvars > 0 &&
        MPI_T_category_get_cvars(index, category->cvars, indices) == MPI_SUCCESS) {
        note_category(category->name, inventory->cvars, inventory->cvar_count, indices,
                      category->cvars);
    }
    free(indices);
}

/* Notes whose children the categories are; one that several have counts with the first. */
static void note_parent(struct mwr_inventory *inventory, int parent)
{
    const struct mwr_category *category = &inventory->categories[parent];
    int *indices = calloc((size_t)category->children + 1, sizeof *indices);

    if (indices && category->children > 0 &&
        MPI_T_category_get_categories(category->index, category->children, indices) ==
            MPI_SUCCESS) {
        for (int i = 0; i < inventory->category_count; i++) {
            for (int j = 0; j < category->children; j++) {
                struct mwr_category *child = &inventory->categories[i];

                if (i != parent && child->index == indices[j] && child->parent < 0) {
                    child->parent = parent;
                }
            }
        }
    }
    free(indices);
}

/* --- events ----------------------------------------------------------------------------- */

#if MWR_HAS_MPI_T_event_get_num && MWR_HAS_MPI_T_event_get_info

static bool describe_event(int index, struct mwr_event *event)
{
    int name_length = sizeof event->name;
    int description_length = sizeof event->description;
    int verbosity = 0, bind = 0;
    MPI_T_enum items;
    MPI_Info info = MPI_INFO_NULL;

    if (MPI_T_event_get_info(index, event->name, &name_length, &verbosity, NULL, NULL,
                             &event->elements, &items, &info, event->description,
                             &description_length, &bind) != MPI_SUCCESS) {
        return false;
    }
    if (info != MPI_INFO_NULL) {
        MPI_Info_free(&info);
    }
    event->bind = mwr_bind_word(bind);
    event->verbosity = mwr_verbosity_of(verbosity);
    return true;
}

static bool list_events(struct mwr_inventory *inventory)
{
    int count = 0;

    inventory->has_events = MPI_T_event_get_num(&count) == MPI_SUCCESS;
    inventory->events = calloc((size_t)(count > 0 ? count : 1), sizeof *inventory->events);
    for (int i = 0; inventory->events && i < count; i++) {
        inventory->event_count +=
            describe_event(i, &inventory->events[inventory->event_count]);
    }
    return inventory->events != NULL;
}

#else

static bool list_events(struct mwr_inventory *inventory)
{
    return true;
}

#endif

static bool is_safe(const struct mwr_listed *listed)
{
    return listed->signal == 0 && !listed->warning;
}

bool mwr_inventory_take(struct mwr_inventory *inventory, bool probe)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int categories = 0, length = 0;

    memset(inventory, 0, sizeof *inventory);
    current = inventory;
    MPI_Get_library_version(version, &length);
    snprintf(inventory->library, sizeof inventory->library, "%.*s",
             (int)strcspn(version, "\n"), version);
    MPI_T_pvar_get_num(&inventory->pvar_slots);
    MPI_T_cvar_get_num(&inventory->cvar_slots);
    MPI_T_category_get_num(&categories);
    inventory->categories = calloc((size_t)categories + 1, sizeof *inventory->categories);
    if (!inventory->categories ||
        !list_all(inventory->pvar_slots, describe_pvar, &inventory->pvars,
                  &inventory->pvar_count) ||
        !list_all(inventory->cvar_slots, describe_cvar, &inventory->cvars,
                  &inventory->cvar_count) ||
        !list_events(inventory)) {
        return false;
    }
    inventory->is_probed = probe &&
                           probe_list(inventory->pvars, inventory->pvar_count, touch_pvar) &&
                           probe_list(inventory->cvars, inventory->cvar_count, touch_cvar);
    for (int i = 0; i < inventory->pvar_count; i++) {
        if (is_safe(&inventory->pvars[i])) {
            inventory->pvars[i].count = read_pvar(&inventory->pvars[i]);
        }
    }
    for (int i = 0; i < inventory->cvar_count; i++) {
        if (is_safe(&inventory->cvars[i])) {
            read_cvar(&inventory->cvars[i]);
        }
    }
    for (int i = 0; i < categories; i++) {
        list_category(inventory, i);
    }
    for (int i = 0; i < inventory->category_count; i++) {
        note_parent(inventory, i);
    }
    return true;
}
