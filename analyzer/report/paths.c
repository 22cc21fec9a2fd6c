#include "analyzer/report/paths.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/table/clean.h"

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

/* The path so far, a step appended; a step too many is left out. */
struct path {
    char text[PATH_BYTES];
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

static void put_indented(const char *text, int indent, FILE *out)
{
    fprintf(out, "%*s", indent, "");
    mwa_put_clean(text, out);
    putc('\n', out);
}

static void put_paths(json_t *value, const struct path *path, int indent, FILE *out);

/* Each name once, as variables have it that all ranks have. */
static void put_elements(json_t *list, const struct path *path, int indent, FILE *out)
{
    json_t *names = json_object();
    json_t *element;
    size_t index;

    json_array_foreach(list, index, element) {
        const char *name = json_string_value(json_object_get(element, "name"));
        const bool is_known = name && json_object_get(names, name);

        if (name && !is_known) {
            json_object_set_new(names, name, json_true());
        }
        if (name ? !is_known && json_object_size(names) <= NAMES_MAX
                 : index == 0) { /* one stands for all that have no name */
            struct path longer = with_step(path, name && name[0] ? name : "N");

            put_paths(element, &longer, indent, out);
        }
    }
    if (json_object_size(names) > NAMES_MAX) {
        fprintf(out, "%*sand %zu more names in ", indent, "", json_object_size(names) - NAMES_MAX);
        put_indented(path->text, 0, out);
    }
    json_decref(names);
}

static void put_paths(json_t *value, const struct path *path, int indent, FILE *out)
{
    const char *key;
    json_t *element;

    if (json_is_number(value) || json_is_null(value)) {
        put_indented(path->text, indent, out);
    }
    json_object_foreach(value, key, element) {
        struct path longer = with_step(path, key);

        put_paths(element, &longer, indent, out);
    }
    if (json_is_array(value)) {
        put_elements(value, path, indent, out);
    }
}

void mwa_put_paths(json_t *root, int indent, FILE *out)
{
    const struct path start = { "" };

    put_paths(root, &start, indent, out);
}
