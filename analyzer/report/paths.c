#include "analyzer/report/paths.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/table/clean.h"
#include "formats/base/nearest.h"

#define PATH_BYTES 512u
#define NAMES_MAX  40u /* of a list, of which paths are printed */

/* Whether name, with '_' for blanks, begins path and ends where a step of it may. */
static bool begins(const char *path, const char *name, size_t *length)
{
    size_t i;

    for (i = 0; name[i]; i++) {
        if (path[i] != name[i] && !(name[i] == ' ' && path[i] == '_')) {
            return false;
        }
    }
    *length = i;
    return path[i] == 0 || path[i] == '.';
}

/* The element of a list that path begins with: by name, the longest that fits, or by number. */
static json_t *element_at(const json_t *list, const char *path, size_t *length)
{
    json_t *found = NULL, *element;
    size_t index, fits;
    char *end;

    *length = 0;
    json_array_foreach(list, index, element) {
        const char *name = json_string_value(json_object_get(element, "name"));

        if (name && begins(path, name, &fits) && (!found || fits > *length)) {
            found = element;
            *length = fits;
        }
    }
    if (!found && path[0] >= '0' && path[0] <= '9') {
        unsigned long number = strtoul(path, &end, 10);

        *length = (size_t)(end - path);
        found = *end == 0 || *end == '.' ? json_array_get(list, number) : NULL;
    }
    return found;
}

static json_t *member_at(json_t *object, const char *path, size_t *length)
{
    json_t *found = NULL, *value;
    const char *key;
    size_t fits;

    *length = 0;
    json_object_foreach(object, key, value) {
        if (begins(path, key, &fits) && (!found || fits > *length)) {
            found = value;
            *length = fits;
        }
    }
    return found;
}

/* The column of that key, also among those of objects without a key; null: none. */
static const struct mwa_column *column_of(const struct mwa_table *table, const char *key,
                                          size_t length)
{
    const struct mwa_column *found = NULL;

    for (uint32_t i = 0; i < table->column_count && !found; i++) {
        const struct mwa_column *column = &table->columns[i];

        if (!column->key) {
            found = column->table ? column_of(column->table, key, length) : NULL;
        } else if (strlen(column->key) == length && strncmp(column->key, key, length) == 0) {
            found = column;
        }
    }
    return found;
}

/* What describes what a step leads to: columns of an object, rows of a list. */
static void describe(const struct mwa_table **table, const struct mwa_column **column,
                     const char *key, size_t length, bool is_row)
{
    if (!*table) {
        return;
    }
    if (is_row) {
        *column = (*table)->shape == MWA_VALUES ? &(*table)->columns[0] : NULL;
        return;
    }
    *column = (*table)->shape == MWA_MAP ? &(*table)->columns[1] : column_of(*table, key, length);
    *table = *column ? (*column)->table : NULL;
}

/* "MPI_Barrier.time_ns" of a list that has no such row, but would have zeros in it. */
static const struct mwa_column *absent(const struct mwa_table *table, const char *path)
{
    size_t length = strcspn(path, ".");
    char name[128];

    if (!table || !table->is_zero_without || path[length] != '.' || length >= sizeof name) {
        return NULL;
    }
    memcpy(name, path, length);
    name[length] = 0;
    return table->is_zero_without(name)
               ? column_of(table, path + length + 1, strlen(path + length + 1))
               : NULL;
}

struct mwa_found mwa_find(json_t *root, const struct mwa_table *table, const char *path)
{
    struct mwa_found found = { .value = root };
    size_t length;

    while (found.value && *path) {
        json_t *value = found.value;

        if (json_is_object(value)) {
            found.value = member_at(value, path, &length);
        } else if (json_is_array(value)) {
            found.value = element_at(value, path, &length);
        } else {
            found.value = NULL;
        }
        if (!found.value) {
            found.column = json_is_array(value) ? absent(table, path) : NULL;
            found.is_absent = found.column && !found.column->table;
            return found;
        }
        describe(&table, &found.column, path, length, json_is_array(value));
        path += length;
        path += *path == '.';
    }
    return found;
}

/* --- which paths there are -------------------------------------------------------------------- */

/* The path so far, a step appended; a step too many is left out. */
struct path {
    char text[PATH_BYTES];
};

/* Who is told of paths, and that so many names of a list at path are left out (null: none is). */
struct visitor {
    void (*visit)(void *user, const char *path);
    void (*leave_out)(void *user, const char *path, size_t names);
    void *user;
};

static struct path with_step(const struct path *path, const char *step)
{
    struct path longer;

    snprintf(longer.text, sizeof longer.text, "%.400s%s%.100s", path->text,
             path->text[0] ? "." : "", step);
    for (char *at = longer.text; *at; at++) {
        *at = *at == ' ' ? '_' : *at;
    }
    return longer;
}

static void visit_paths(json_t *value, const struct path *path, const struct visitor *visitor);

/* Each name once, as variables have it that all ranks have. */
static void visit_elements(json_t *list, const struct path *path, const struct visitor *visitor)
{
    const size_t most = visitor->leave_out ? NAMES_MAX : SIZE_MAX;
    json_t *names = json_object();
    json_t *element;
    size_t index;

    json_array_foreach(list, index, element) {
        const char *name = json_string_value(json_object_get(element, "name"));
        const bool is_known = name && json_object_get(names, name);

        if (name && !is_known) {
            json_object_set_new(names, name, json_true());
        }
        if (name ? !is_known && json_object_size(names) <= most
                 : index == 0) { /* one stands for all that have no name */
            struct path longer = with_step(path, name && name[0] ? name : "N");

            visit_paths(element, &longer, visitor);
        }
    }
    if (json_object_size(names) > most) {
        visitor->leave_out(visitor->user, path->text, json_object_size(names) - most);
    }
    json_decref(names);
}

static void visit_paths(json_t *value, const struct path *path, const struct visitor *visitor)
{
    const char *key;
    json_t *element;

    if (json_is_number(value) || json_is_null(value)) {
        visitor->visit(visitor->user, path->text);
    }
    json_object_foreach(value, key, element) {
        struct path longer = with_step(path, key);

        visit_paths(element, &longer, visitor);
    }
    if (json_is_array(value)) {
        visit_elements(value, path, visitor);
    }
}

static void put_path(void *out, const char *path)
{
    mwa_put_clean(path, out);
    putc('\n', out);
}

static void put_left_out(void *out, const char *path, size_t names)
{
    fprintf(out, "and %zu more names in ", names);
    put_path(out, path);
}

void mwa_put_paths(json_t *root, FILE *out)
{
    const struct path start = { "" };

    visit_paths(root, &start, &(struct visitor){ put_path, put_left_out, out });
}

/* --- which of them is meant ------------------------------------------------------------------- */

/* Paths that begin like one that is not there, up to known, or that end like it. */
struct near {
    const char *path;
    size_t known; /* length of those of its steps with which a path begins, without a dot */
    bool ends;    /* those that end like it */
    struct mw_nearest nearest;
    char name[PATH_BYTES]; /* the nearest's */
    char *text;
    size_t count; /* of those that are like it; three are in text */
};

static void find_known(void *user, const char *path)
{
    struct near *near = user;

    for (size_t i = 0; i == 0 || near->path[i - 1] == path[i - 1]; i++) {
        if (path[i] == '.' && (near->path[i] == '.' || near->path[i] == 0) && i > near->known) {
            near->known = i;
        }
        if (near->path[i] == 0) {
            break;
        }
    }
}

/* What of path is behind the steps with which it begins like that; null: it does not. */
static const char *rest_of(const struct near *near, const char *path)
{
    const char *rest = path + near->known;

    return strncmp(path, near->path, near->known) != 0 ? NULL
           : near->known == 0 || *rest == 0            ? rest
           : *rest == '.'                              ? rest + 1
                                                       : NULL;
}

static void find_nearest(void *user, const char *path)
{
    struct near *near = user;
    const char *before = near->nearest.name;
    const char *rest = rest_of(near, path);

    if (rest) {
        mw_nearest_try(&near->nearest, rest);
    }
    if (near->nearest.name != before) {
        snprintf(near->name, sizeof near->name, "%s", path);
        near->nearest.name = near->name;
    }
}

/* Whether path ends with the steps of end. */
static bool ends(const char *path, const char *end)
{
    const size_t length = strlen(path);
    const size_t of_end = strlen(end);

    return length > of_end && path[length - of_end - 1] == '.' &&
           strcmp(path + length - of_end, end) == 0;
}

static void list_like_it(void *user, const char *path)
{
    struct near *near = user;
    const size_t so_far = strlen(near->text);

    if (near->ends ? !ends(path, near->path) : !rest_of(near, path)) {
        return;
    }
    if (near->count++ < 3) {
        snprintf(near->text + so_far, MWA_NEAR_BYTES - so_far, "%s%.100s", so_far ? ", " : "",
                 path);
    }
}

const char *mwa_near_paths(json_t *root, const char *path, char *text)
{
    const struct path start = { "" };
    struct near near = { .path = path, .text = text };
    size_t length;

    text[0] = 0;
    visit_paths(root, &start, &(struct visitor){ find_known, NULL, &near });
    near.nearest.word = rest_of(&near, path);
    visit_paths(root, &start, &(struct visitor){ find_nearest, NULL, &near });
    if (near.nearest.name) {
        snprintf(text, MWA_NEAR_BYTES, "%.*s", MWA_NEAR_BYTES - 1, near.name);
        return text;
    }
    near.ends = true;
    visit_paths(root, &start, &(struct visitor){ list_like_it, NULL, &near });
    if (near.count == 0 && near.known > 0) {
        near.ends = false;
        visit_paths(root, &start, &(struct visitor){ list_like_it, NULL, &near });
    }
    length = strlen(text);
    if (near.count > 3) {
        snprintf(text + length, MWA_NEAR_BYTES - length, " and %zu more", near.count - 3);
    }
    return text;
}
