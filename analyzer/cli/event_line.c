/*
 * The line says what the object does, in the order of its keys, so that both are made from one
 * table.
 */
#include "analyzer/cli/event_line.h"

#include <stdbool.h>
#include <string.h>

#include "analyzer/table/clean.h"

/* Numbers, with commas between them; or who called whom. */
static void print_list(const json_t *list, FILE *out)
{
    const json_t *value;
    size_t i;

    json_array_foreach(list, i, value) {
        if (json_is_string(value)) {
            fputs(i > 0 ? " < " : "", out);
            mwa_put_clean(json_string_value(value), out);
        } else {
            fprintf(out, "%s%" JSON_INTEGER_FORMAT, i > 0 ? "," : "", json_integer_value(value));
        }
    }
}

static void print_value(const json_t *value, FILE *out)
{
    if (json_is_string(value)) {
        mwa_put_clean(json_string_value(value), out);
    } else if (json_is_integer(value)) {
        fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else if (json_is_real(value)) {
        fprintf(out, "%.17g", json_real_value(value));
    } else if (json_is_array(value)) {
        print_list(value, out);
    } else {
        fputs(json_is_true(value) ? "yes" : json_is_false(value) ? "no" : "-", out);
    }
}

/* NAME:VALUE of each, with commas between them. */
static void print_map(json_t *map, FILE *out)
{
    const char *before = "";
    const char *key;
    json_t *value;

    json_object_foreach(map, key, value) {
        fputs(before, out);
        mwa_put_clean(key, out);
        putc(':', out);
        print_value(value, out);
        before = ",";
    }
}

/* In the columns at the beginning of the line, or in JSON only. */
static bool is_elsewhere(const char *key)
{
    return strcmp(key, "time_ns") == 0 || strcmp(key, "timestamp") == 0 ||
           strcmp(key, "rank") == 0 || strcmp(key, "event") == 0;
}

void mwa_event_line(json_t *object, FILE *out)
{
    const char *key;
    json_t *value;

    fprintf(out, "%15" JSON_INTEGER_FORMAT " ",
            json_integer_value(json_object_get(object, "time_ns")));
    if (json_is_null(json_object_get(object, "rank"))) {
        fprintf(out, "%5s", "-");
    } else {
        fprintf(out, "%5" JSON_INTEGER_FORMAT,
                json_integer_value(json_object_get(object, "rank")));
    }
    fprintf(out, " %-19s", json_string_value(json_object_get(object, "event")));
    json_object_foreach(object, key, value) {
        if (is_elsewhere(key)) {
            continue;
        }
        fprintf(out, " %s=", key);
        if (json_is_object(value)) {
            print_map(value, out);
        } else {
            print_value(value, out);
        }
    }
    putc('\n', out);
}
