/*
 * A list that is searched from its beginning: its length is limited by a setting,
 * and only calls that make, name and free objects search it.
 */
#include "recorder/variables/bound.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"
#include "formats/spool/record.h"

struct mwr_bound_object *mwr_bound_find(const struct mwr_bound_list *list, enum mwr_bind bind,
                                        uint32_t number)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->objects[i].what.number == number && list->objects[i].what.bind == bind) {
            return &list->objects[i];
        }
    }
    return NULL;
}

struct mwr_bound_object *mwr_bound_add(struct mwr_bound_list *list,
                                       const struct mwr_bound *what, uint32_t limit)
{
    if (list->count >= limit) {
        list->refused++;
        return NULL;
    }
    if (!mw_array_grow((void **)&list->objects, list->count, sizeof *list->objects)) {
        return NULL;
    }
    list->objects[list->count] = (struct mwr_bound_object){.what = *what};
    return &list->objects[list->count++];
}

static void forget_names(struct mwr_bound_object *object)
{
    for (unsigned i = 0; i < MW_NAME_SOURCES; i++) {
        free(object->names[i]);
        object->names[i] = NULL;
    }
}

void mwr_bound_remove(struct mwr_bound_list *list, struct mwr_bound_object *object)
{
    forget_names(object);
    *object = list->objects[--list->count];
}

void mwr_bound_fini(struct mwr_bound_list *list)
{
    while (list->count > 0) {
        forget_names(&list->objects[--list->count]);
    }
    free(list->objects);
    *list = (struct mwr_bound_list){0};
}

void mwr_bound_name(struct mwr_bound_object *object, enum mw_name_source source,
                    const char *name)
{
    free(object->names[source]);
    object->names[source] = name ? strdup(name) : NULL;
}

/* The set of enum mwr_comm_set that a communicator is in. */
static uint32_t sets_of(const struct mwr_bound_object *object)
{
    uint32_t sets = 0;

    sets |= object->what.number == MW_COMM_WORLD ? MWR_COMMS_WORLD : 0u;
    sets |= object->what.number == MW_COMM_SELF ? MWR_COMMS_SELF : 0u;
    sets |= object->names[MW_NAME_MPI] ? MWR_COMMS_NAMED : 0u;
    sets |= object->names[MW_NAME_REGISTERED] ? MWR_COMMS_NAMED | MWR_COMMS_REGISTERED : 0u;
    return sets;
}

static const char *default_name(uint32_t number)
{
    return number == MW_COMM_WORLD  ? "MPI_COMM_WORLD"
           : number == MW_COMM_SELF ? "MPI_COMM_SELF"
                                    : NULL;
}

bool mwr_bound_is_wanted(const struct mwr_bound_object *object, const struct mwr_pvar *pvar)
{
    uint32_t sets;

    if (pvar->bind != object->what.bind) {
        return false;
    }
    if (pvar->bind != MWR_BIND_COMM) {
        return true;
    }
    sets = sets_of(object);
    if (mwr_term_takes_comm(pvar->term, sets, default_name(object->what.number))) {
        return true;
    }
    for (unsigned i = 0; i < MW_NAME_SOURCES; i++) {
        if (mwr_term_takes_comm(pvar->term, sets, object->names[i])) {
            return true;
        }
    }
    return false;
}
