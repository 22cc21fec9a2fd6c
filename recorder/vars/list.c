/*
 * mpiwatch-vars-openmpi, mpiwatch-vars-mpich: what an MPI offers through MPI_T. Started
 * by mpiwatch-vars, which knows the options; arguments: json probe cvars [GLOB…].
 */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "formats/archive/archive_words.h"
#include "recorder/variables/pvar_selection.h"
#include "recorder/vars/inventory.h"

struct wishes {
    bool json;
    bool probe;
    bool cvars;
    char **globs; /* up to a null; none: everything */
};

static bool is_wished_name(const struct wishes *wishes, const char *name)
{
    for (char **glob = wishes->globs; *glob; glob++) {
        if (fnmatch(*glob, name, 0) == 0) {
            return true;
        }
    }
    return !*wishes->globs;
}

static bool is_wished(const struct wishes *wishes, const struct mwr_listed *listed)
{
    return is_wished_name(wishes, listed->name);
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

        if (is_wished_name(wishes, event->name)) {
            printf("%-44s %-10s %-12s %d\n  %.*s\n", event->name, event->bind,
                   mwr_verbosity_word(event->verbosity), event->elements,
                   (int)strcspn(event->description, "\n"), event->description);
        }
    }
    printf("events are not recorded\n");
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

        if (!is_wished_name(wishes, event->name)) {
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

int main(int argc, char **argv)
{
    struct mwr_inventory inventory;
    struct wishes wishes;
    int provided, rank = 0, status = EXIT_SUCCESS;

    if (argc < 4) {
        fprintf(stderr, "start mpiwatch-vars instead\n");
        return 2;
    }
    wishes = (struct wishes){argv[1][0] == '1', argv[2][0] == '1', argv[3][0] == '1', argv + 4};
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
        fflush(stdout);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    /* MPI_T is not finalised: Open MPI 4.1 crashes. */
    MPI_Finalize();
    return status;
}
