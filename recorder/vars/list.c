/*
 * mpiwatch-vars-openmpi, mpiwatch-vars-mpich: what an MPI offers through MPI_T. Started
 * by mpiwatch-vars, which knows the options; arguments: json probe cvars categories [TERM…].
 */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "formats/archive/archive_words.h"
#include "formats/base/printed.h"
#include "recorder/variables/pvar_selection.h"
#include "recorder/vars/inventory.h"

#define CATEGORY_DEPTH_MAX 16

struct wishes {
    bool json;
    bool probe;
    bool cvars;
    bool categories;
    struct mwr_selection selection; /* as of --pvars and --cvars of mpiwatch-record */
};

/* A variable, and how a selection sees it. */
struct choice {
    struct mwr_candidate candidate; /* comes first */
    const struct mwr_listed *listed;
};

static bool is_in_category(const struct mwr_candidate *candidate, const char *pattern)
{
    const char *names = ((const struct choice *)(const void *)candidate)->listed->categories;
    char name[256];
    size_t length;

    for (; *names; names += length + (names[length] == ',')) {
        length = strcspn(names, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, names);
        if (fnmatch(pattern, name, 0) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_wished(const struct wishes *wishes, const struct mwr_listed *listed)
{
    const struct choice choice = {
        .candidate = {.name = listed->name,
                      .class = listed->scope ? MW_CLASS_COUNT : listed->class,
                      .verbosity = listed->verbosity,
                      .bind = listed->bind,
                      .is_in_category = is_in_category,
                      .scope = listed->scope},
        .listed = listed,
    };

    return mwr_selection_takes(&wishes->selection, &choice.candidate) != NULL;
}

static bool is_in_no_category(const struct mwr_candidate *candidate, const char *pattern)
{
    return false;
}

static bool is_wished_event(const struct wishes *wishes, const struct mwr_event *event)
{
    const struct mwr_candidate candidate = {.name = event->name,
                                            .class = MW_CLASS_COUNT,
                                            .verbosity = event->verbosity,
                                            .bind = event->bind,
                                            .is_in_category = is_in_no_category};

    return mwr_selection_takes(&wishes->selection, &candidate) != NULL;
}

/* "" for variables that are no danger. */
static void danger_of(const struct mwr_listed *listed, char *text, size_t size)
{
    text[0] = '\0';
    if (listed->signal != 0) {
        snprintf(text, size, "DANGER: reading it kills the process (%s)%s%s",
                 strsignal(listed->signal), listed->warning ? "; " : "",
                 listed->warning ? listed->warning : "");
    } else if (listed->warning) {
        snprintf(text, size, "DANGER: %s", listed->warning);
    }
}

/* --- text ------------------------------------------------------------------------------ */

static void print_note(const struct mwr_listed *listed)
{
    char danger[512];

    danger_of(listed, danger, sizeof danger);
    printf("  %.*s\n", (int)strcspn(listed->description, "\n"), listed->description);
    if (danger[0]) {
        printf("  %s\n", danger);
    } else if (listed->refusal) {
        printf("  not recorded: %s\n", listed->refusal);
    }
}

static void print_pvars(const struct mwr_inventory *inventory, const struct wishes *wishes)
{
    if (inventory->pvar_count == 0) {
        printf("This MPI offers no performance variables.\n"
               "An MPICH that is configured with --enable-mpit-pvars=all does.\n");
        return;
    }
    printf("%-44s %-13s %-18s %-10s %-12s %-5s %s\n", "PERFORMANCE VARIABLE", "CLASS", "TYPE",
           "BIND", "VERBOSITY", "FLAGS", "COUNT");
    for (int i = 0; i < inventory->pvar_count; i++) {
        const struct mwr_listed *pvar = &inventory->pvars[i];

        if (is_wished(wishes, pvar)) {
            printf("%-44s %-13s %-18s %-10s %-12s %c%c%c   %d\n", pvar->name,
                   mw_class_name(pvar->class), pvar->type, pvar->bind,
                   mwr_verbosity_word(pvar->verbosity), pvar->is_readonly ? 'r' : '-',
                   pvar->is_continuous ? 'c' : '-', pvar->is_atomic ? 'a' : '-', pvar->count);
            print_note(pvar);
        }
    }
    printf("flags: r readonly, c continuous, a atomic; count: elements, on MPI_COMM_WORLD, 0: "
           "not known\n");
}

static void print_cvars(const struct mwr_inventory *inventory, const struct wishes *wishes)
{
    printf("%-44s %-18s %-9s %-12s %s\n", "CONTROL VARIABLE", "TYPE", "SCOPE", "VERBOSITY",
           "VALUE");
    for (int i = 0; i < inventory->cvar_count; i++) {
        const struct mwr_listed *cvar = &inventory->cvars[i];

        if (is_wished(wishes, cvar)) {
            printf("%-44s %-18s %-9s %-12s %s\n", cvar->name, cvar->type, cvar->scope,
                   mwr_verbosity_word(cvar->verbosity), cvar->value);
            print_note(cvar);
        }
    }
}

static void print_events(const struct mwr_inventory *inventory, const struct wishes *wishes)
{
    if (inventory->event_count == 0) {
        printf("This MPI has no events%s.\n",
               inventory->has_events ? "" : ": it lacks the calls of MPI 4.0");
        return;
    }
    printf("%-44s %-10s %-12s %s\n", "EVENT", "BIND", "VERBOSITY", "ELEMENTS");
    for (int i = 0; i < inventory->event_count; i++) {
        const struct mwr_event *event = &inventory->events[i];

        if (is_wished_event(wishes, event)) {
            printf("%-44s %-10s %-12s %d\n  %.*s\n", event->name, event->bind,
                   mwr_verbosity_word(event->verbosity), event->elements,
                   (int)strcspn(event->description, "\n"), event->description);
        }
    }
    printf("events are not recorded\n");
}

/* The categories below parent, -1: those at the top; each with its children below it. */
static void print_categories(const struct mwr_inventory *inventory, int parent, int depth)
{
    for (int i = 0; i < inventory->category_count; i++) {
        const struct mwr_category *category = &inventory->categories[i];

        if (category->parent == parent) {
            printf("%*s%-*s %5d %5d  %.*s\n", 2 * depth, "", 44 - 2 * depth, category->name,
                   category->pvars, category->cvars,
                   (int)strcspn(category->description, "\n"), category->description);
            if (depth < CATEGORY_DEPTH_MAX) {
                print_categories(inventory, i, depth + 1);
            }
        }
    }
}

static void print_text(const struct mwr_inventory *inventory, const struct wishes *wishes)
{
    int dangers = 0;

    for (int i = 0; i < inventory->cvar_count; i++) {
        dangers += inventory->cvars[i].signal != 0 || inventory->cvars[i].warning;
    }
    printf("%s\n", inventory->library);
    print_pvars(inventory, wishes);
    print_events(inventory, wishes);
    if (wishes->cvars) {
        print_cvars(inventory, wishes);
    }
    if (wishes->categories) {
        printf("%-44s %5s %5s  %s\n", "CATEGORY", "PVARS", "CVARS", "DESCRIPTION");
        print_categories(inventory, -1, 0);
    }
    printf("%d performance variables (and %d slots of components that are gone), %d control "
           "variables, %d of them dangerous to read, %d categories%s\n",
           inventory->pvar_count, inventory->pvar_slots - inventory->pvar_count,
           inventory->cvar_count, dangers, inventory->category_count,
           wishes->cvars ? "" : "; --cvars lists them");
}

/* --- JSON -------------------------------------------------------------------------------- */

/* Text that may not be UTF-8 becomes null then. */
static json_t *text(const char *value)
{
    json_t *string = json_string(value);

    return string ? string : json_null();
}

static json_t *json_of(const struct mwr_listed *listed)
{
    json_t *object = json_object();
    char danger[512];

    danger_of(listed, danger, sizeof danger);
    json_object_set_new(object, "name", text(listed->name));
    json_object_set_new(object, "type", text(listed->type));
    json_object_set_new(object, "bind", text(listed->bind));
    json_object_set_new(object, "verbosity", text(mwr_verbosity_word(listed->verbosity)));
    json_object_set_new(object, "count", json_integer(listed->count));
    json_object_set_new(object, "categories", text(listed->categories));
    json_object_set_new(object, "dangerous", json_boolean(danger[0] != '\0'));
    json_object_set_new(object, "signal", json_integer(listed->signal));
    json_object_set_new(object, "danger", danger[0] ? text(danger) : json_null());
    json_object_set_new(object, "not_recorded",
                        listed->warning   ? text(listed->warning)
                        : listed->refusal ? text(listed->refusal)
                                          : json_null());
    json_object_set_new(object, "description", text(listed->description));
    return object;
}

static json_t *json_pvars(const struct mwr_inventory *inventory, const struct wishes *wishes)
{
    json_t *list = json_array();

    for (int i = 0; i < inventory->pvar_count; i++) {
        const struct mwr_listed *pvar = &inventory->pvars[i];

        if (is_wished(wishes, pvar)) {
            json_t *object = json_of(pvar);

            json_object_set_new(object, "class", text(mw_class_name(pvar->class)));
            json_object_set_new(object, "readonly", json_boolean(pvar->is_readonly));
            json_object_set_new(object, "continuous", json_boolean(pvar->is_continuous));
            json_object_set_new(object, "atomic", json_boolean(pvar->is_atomic));
            json_array_append_new(list, object);
        }
    }
    return list;
}

static json_t *json_cvars(const struct mwr_inventory *inventory, const struct wishes *wishes)
{
    json_t *list = json_array();

    for (int i = 0; i < inventory->cvar_count; i++) {
        if (is_wished(wishes, &inventory->cvars[i])) {
            json_t *object = json_of(&inventory->cvars[i]);

            json_object_set_new(object, "scope", text(inventory->cvars[i].scope));
            json_object_set_new(object, "value", text(inventory->cvars[i].value));
            json_array_append_new(list, object);
        }
    }
    return list;
}

static json_t *json_categories(const struct mwr_inventory *inventory)
{
    json_t *list = json_array();

    for (int i = 0; i < inventory->category_count; i++) {
        const struct mwr_category *category = &inventory->categories[i];
        json_t *object = json_object();

        json_object_set_new(object, "name", text(category->name));
        json_object_set_new(object, "description", text(category->description));
        json_object_set_new(object, "pvars", json_integer(category->pvars));
        json_object_set_new(object, "cvars", json_integer(category->cvars));
        json_object_set_new(object, "categories", json_integer(category->children));
        json_object_set_new(object, "parent",
                            category->parent < 0
                                ? json_null()
                                : text(inventory->categories[category->parent].name));
        json_array_append_new(list, object);
    }
    return list;
}

/* Null where the MPI has no calls of events. */
static json_t *json_events(const struct mwr_inventory *inventory, const struct wishes *wishes)
{
    json_t *list = inventory->has_events ? json_array() : json_null();

    for (int i = 0; i < inventory->event_count; i++) {
        const struct mwr_event *event = &inventory->events[i];
        json_t *object;

        if (!is_wished_event(wishes, event)) {
            continue;
        }
        object = json_object();
        json_object_set_new(object, "name", text(event->name));
        json_object_set_new(object, "bind", text(event->bind));
        json_object_set_new(object, "verbosity", text(mwr_verbosity_word(event->verbosity)));
        json_object_set_new(object, "elements", json_integer(event->elements));
        json_object_set_new(object, "description", text(event->description));
        json_array_append_new(list, object);
    }
    return list;
}

static void print_json(const struct mwr_inventory *inventory, const struct wishes *wishes)
{
    json_t *object = json_object();

    json_object_set_new(object, "schema", json_string("mpiwatch-vars/1"));
    json_object_set_new(object, "mpi_library", text(inventory->library));
    json_object_set_new(object, "probed", json_boolean(inventory->is_probed));
    json_object_set_new(object, "pvar_slots", json_integer(inventory->pvar_slots));
    json_object_set_new(object, "cvar_slots", json_integer(inventory->cvar_slots));
    json_object_set_new(object, "pvars", json_pvars(inventory, wishes));
    json_object_set_new(object, "cvars", json_cvars(inventory, wishes));
    json_object_set_new(object, "categories", json_categories(inventory));
    json_object_set_new(object, "events", json_events(inventory, wishes));
    json_dumpf(object, stdout, JSON_INDENT(1));
    putchar('\n');
    json_decref(object);
}

/* Reads the selection that the words are together; none: everything. */
static bool select_all(char **words, struct mwr_selection *selection)
{
    struct mw_diagnostic diagnostic = {0};
    char text[MWR_PATTERN_BYTES * MWR_TERMS_MAX] = "";
    size_t used = 0;

    for (; *words && used < sizeof text; words++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s;", *words);
    }
    if (mwr_selection_parse(selection, used > 0 ? text : "all", &diagnostic) != MW_OK) {
        fprintf(stderr, "mpiwatch-vars: %s\n", diagnostic.what);
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    struct mwr_inventory inventory;
    static struct wishes wishes;
    int provided, rank = 0, status = EXIT_SUCCESS;

    if (argc < 5) {
        fprintf(stderr, "start mpiwatch-vars instead\n");
        return 2;
    }
    wishes.json = argv[1][0] == '1';
    wishes.probe = argv[2][0] == '1';
    wishes.cvars = argv[3][0] == '1';
    wishes.categories = argv[4][0] == '1';
    if (!select_all(argv + 5, &wishes.selection)) {
        return 2;
    }
    /* In the other order Open MPI 4.1 lists variables that crash. */
    if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS ||
        MPI_Init(NULL, NULL) != MPI_SUCCESS) {
        fprintf(stderr, "mpiwatch-vars: MPI can't be initialised\n");
        return 3;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        if (!mwr_inventory_take(&inventory, wishes.probe)) {
            fprintf(stderr, "mpiwatch-vars: no memory\n");
            status = 3;
        } else if (wishes.json) {
            print_json(&inventory, &wishes);
        } else {
            print_text(&inventory, &wishes);
        }
        status = mw_printed(stdout, stderr, "mpiwatch-vars", status, 3);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    /* MPI_T is not finalised: Open MPI 4.1 crashes. */
    MPI_Finalize();
    return status;
}
