#include "analyzer/table/csv.h"

#include <stdbool.h>
#include <string.h>

#include "analyzer/table/clean.h"

/* Spreadsheets take these for the beginning of a formula, the wide ones (U+FF0B …) as well. */
static bool begins_formula(const char *text)
{
    static const char *const signs[] = { "=", "+", "-", "@", "\xef\xbc\x9d", "\xef\xbc\x8b",
                                         "\xef\xbc\x8d", "\xef\xbc\xa0" };

    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (strncmp(text, signs[i], strlen(signs[i])) == 0) {
            return true;
        }
    }
    return false;
}

void mwa_csv_text(const char *text, FILE *out)
{
    const char *quote = strpbrk(text, ",;\"") ? "\"" : "";
    size_t length;

    fputs(quote, out);
    fputs(begins_formula(text) ? "'" : "", out);
    for (; *text; text += length) {
        length = strcspn(text, "\"");
        mwa_put_clean_bytes(text, length, out);
        if (text[length] == '"') {
            fputs("\"\"", out);
            length++;
        }
    }
    fputs(quote, out);
}

/* A list becomes its elements with blanks between them; null becomes nothing. */
static void put_value(const json_t *value, FILE *out)
{
    const json_t *element;
    size_t index;

    if (json_is_string(value)) {
        mwa_csv_text(json_string_value(value), out);
    } else if (json_is_integer(value)) {
        fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else if (json_is_real(value)) {
        fprintf(out, "%.9g", json_real_value(value));
    } else if (json_is_boolean(value)) {
        fputs(json_is_true(value) ? "true" : "false", out);
    }
    json_array_foreach(value, index, element) {
        fputs(index > 0 ? " " : "", out);
        put_value(element, out);
    }
}

/* The keys of a row; an object's in it have its key before them: high_value. */
static void put_keys(json_t *row, FILE *out)
{
    const char *before = "";
    const char *key, *inner_key;
    json_t *value, *inner;

    json_object_foreach(row, key, value) {
        if (!json_is_object(value)) {
            fprintf(out, "%s%s", before, key);
            before = ",";
        }
        json_object_foreach(value, inner_key, inner) {
            fprintf(out, "%s%s_%s", before, key, inner_key);
            before = ",";
        }
    }
    putc('\n', out);
}

static void put_values(json_t *row, FILE *out)
{
    const char *before = "";
    const char *key, *inner_key;
    json_t *value, *inner;

    json_object_foreach(row, key, value) {
        if (!json_is_object(value)) {
            fputs(before, out);
            put_value(value, out);
            before = ",";
        }
        json_object_foreach(value, inner_key, inner) {
            fputs(before, out);
            put_value(inner, out);
            before = ",";
        }
    }
    putc('\n', out);
}

void mwa_csv_table(json_t *object, const char *list_name, FILE *out)
{
    const json_t *list = json_object_get(object, list_name);
    json_t *row;
    size_t index;

    json_array_foreach(list, index, row) {
        if (index == 0) {
            put_keys(row, out);
        }
        put_values(row, out);
    }
    json_decref(object);
}
