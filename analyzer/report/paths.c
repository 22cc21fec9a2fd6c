#include "analyzer/report/paths.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/table/clean.h"

#define PATH_BYTES 512u

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

json_t *mwa_json_at(json_t *root, const char *path)
{
    json_t *value = root;
    size_t length;

    while (value && *path) {
        if (json_is_object(value)) {
            value = member_at(value, path, &length);
        } else if (json_is_array(value)) {
            value = element_at(value, path, &length);
        } else {
            return NULL;
        }
        path += value ? length : 0;
        path += value && *path == '.';
    }
    return value;
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

static void put_paths(json_t *value, const struct path *path, int indent, FILE *out)
{
    const char *key;
    json_t *element;
    size_t index;

    if (json_is_number(value) || json_is_null(value)) {
        fprintf(out, "%*s", indent, "");
        mwa_put_clean(path->text, out);
        putc('\n', out);
    }
    json_object_foreach(value, key, element) {
        struct path longer = with_step(path, key);

        put_paths(element, &longer, indent, out);
    }
    json_array_foreach(value, index, element) {
        const char *name = json_string_value(json_object_get(element, "name"));
        struct path longer = with_step(path, name && name[0] ? name : "N");

        if (name || index == 0) { /* one stands for all that have no name */
            put_paths(element, &longer, indent, out);
        }
    }
}

void mwa_put_paths(json_t *root, int indent, FILE *out)
{
    const struct path start = { "" };

    put_paths(root, &start, indent, out);
}
