/* Tables as JSON, and the schema of that. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/model/map.h"
#include "analyzer/table/meanings.h"
#include "analyzer/table/table.h"
#include "analyzer/table/values.h"

static json_t *number_json(struct mwa_value value)
{
    if (value.is_negative) {
        return json_integer(-(json_int_t)(value.number - 1) - 1);
    }
    return value.number > INT64_MAX ? json_sprintf("%" PRIu64, value.number)
                                    : mwa_json_number(value.number);
}

static json_t *value_json(struct mwa_value value)
{
    json_t *json = NULL;

    switch (value.kind) {
    case MWA_MEASURED: /* no value's kind */
    case MWA_NOTHING:
        return json_null();
    case MWA_NUMBER:
        return number_json(value);
    case MWA_REAL:
        return mwa_json_ratio(value.real);
    case MWA_DECIMAL:
        return value.real == floor(value.real) && fabs(value.real) < 9e15
                   ? json_integer((json_int_t)value.real)
                   : mwa_json_ratio(value.real);
    case MWA_TEXT:
        json = mwa_json_text(value.text);
        free(value.owned);
        return json;
    case MWA_FLAG:
        return json_boolean(value.flag);
    }
    return NULL;
}

static bool is_unknown(const struct mwa_table *table, const struct mwa_cell *parent)
{
    return table->is_known && !table->is_known(parent);
}

static json_t *table_json(const struct mwa_table *table, const struct mwa_cell *parent,
                          struct mwa_json_cut *cut);

/* The columns' keys, and those of objects without a key. */
static void set_columns(json_t *object, const struct mwa_table *table, const struct mwa_cell *cell,
                        struct mwa_json_cut *cut)
{
    for (uint32_t i = 0; i < table->column_count; i++) {
        const struct mwa_column *column = &table->columns[i];
        struct mwa_cell inner;
        uint64_t at = 0;

        if (column->key) {
            json_object_set_new(object, column->key,
                                column->table ? table_json(column->table, cell, cut)
                                              : value_json(mwa_value_of(column, cell)));
        } else if (column->table && mwa_next_row(column->table, cell, &at, &inner)) {
            set_columns(object, column->table, &inner, cut);
        }
    }
}

/* A row of values: the only one, or a list of all. */
static json_t *values_json(const struct mwa_table *table, const struct mwa_cell *cell)
{
    json_t *list = table->column_count > 1 ? json_array() : NULL;

    for (uint32_t i = 0; list && i < table->column_count; i++) {
        json_array_append_new(list, value_json(mwa_value_of(&table->columns[i], cell)));
    }
    return list ? list : value_json(mwa_value_of(&table->columns[0], cell));
}

static void add_row(json_t *json, const struct mwa_table *table, const struct mwa_cell *cell,
                    struct mwa_json_cut *cut)
{
    struct mwa_value key;
    json_t *object;

    switch (table->shape) {
    case MWA_VALUES:
        json_array_append_new(json, values_json(table, cell));
        break;
    case MWA_MAP:
        key = mwa_value_of(&table->columns[0], cell);
        json_object_set_new(json, key.text,
                            value_json(mwa_value_of(&table->columns[1], cell)));
        break;
    case MWA_ROW:
        set_columns(json, table, cell, cut);
        break;
    case MWA_LIST:
        object = json_object();
        set_columns(object, table, cell, cut);
        json_array_append_new(json, object);
        break;
    }
}

static bool may_be_cut(const struct mwa_table *table)
{
    uint32_t keys = 0;

    for (uint32_t i = 0; i < table->column_count; i++) {
        keys += table->columns[i].key != NULL;
    }
    return table->shape == MWA_LIST && keys >= 2;
}

/* Notes how many rows there are from the one on that is at. */
static bool note_left_out(const struct mwa_table *table, const struct mwa_cell *parent, uint64_t at,
                          const json_t *list, struct mwa_json_cut *cut)
{
    struct mwa_json_left_out left_out = { .list = list };
    struct mwa_cell cell;

    while (mwa_next_row(table, parent, &at, &cell)) {
        left_out.rows++;
    }
    if (left_out.rows > 0 &&
        !mwa_grow(&cut->lists, &cut->capacity, cut->count + 1, sizeof *cut->lists)) {
        return false;
    }
    if (left_out.rows > 0) {
        cut->lists[cut->count++] = left_out;
    }
    return true;
}

static json_t *table_json(const struct mwa_table *table, const struct mwa_cell *parent,
                          struct mwa_json_cut *cut)
{
    bool is_list = table->shape == MWA_LIST || table->shape == MWA_VALUES;
    uint64_t left = cut && may_be_cut(table) ? cut->most : UINT64_MAX;
    uint64_t at = 0;
    json_t *json;
    struct mwa_cell cell;

    if (is_unknown(table, parent)) {
        return json_null();
    }
    json = is_list ? json_array() : json_object();
    if (table->schema) {
        json_object_set_new(json, "schema", json_string(table->schema));
    }
    for (; left > 0 && mwa_next_row(table, parent, &at, &cell); left--) {
        add_row(json, table, &cell, cut);
    }
    if (left == 0 && !note_left_out(table, parent, at, json, cut)) {
        json_decref(json);
        return NULL;
    }
    return json;
}

json_t *mwa_table_json(const struct mwa_table *table, const struct mwa_cell *parent)
{
    return table_json(table, parent, NULL);
}

json_t *mwa_document_json(const struct mwa_table *document, const struct mwa_results *results)
{
    const struct mwa_cell root = { .results = results, .row = results };

    return mwa_table_json(document, &root);
}

json_t *mwa_document_json_cut(const struct mwa_table *document, const struct mwa_results *results,
                              struct mwa_json_cut *cut)
{
    const struct mwa_cell root = { .results = results, .row = results };

    return table_json(document, &root, cut);
}

/* --- the schema --------------------------------------------------------------------------- */

const char *mwa_unit_name(enum mwa_unit unit)
{
    static const char *const names[] = { [MWA_COUNT] = "count", [MWA_NS] = "ns",
                                         [MWA_BYTES] = "bytes", [MWA_SHARE] = "of 1",
                                         [MWA_RATIO] = "ratio" };

    return unit < sizeof names / sizeof names[0] ? names[unit] : NULL;
}

#define WAY_BYTES 256u

/* Where in the schema something is: its document's name, and keys, with dots between. */
struct way {
    char text[WAY_BYTES];
};

static struct way way_to(const struct way *above, const char *key)
{
    struct way way;

    snprintf(way.text, sizeof way.text, "%.190s%s%.60s", above->text, *above->text ? "." : "", key);
    return way;
}

/* A document has a way of its own: "calls" of "mpiwatch-calls/1"; "dump" of one without a name. */
static struct way way_of(const struct mwa_table *table, const struct way *above)
{
    static const char prefix[] = "mpiwatch-";
    struct way way = *above;

    if (table->schema && strncmp(table->schema, prefix, strlen(prefix)) == 0) {
        const char *name = table->schema + strlen(prefix);

        snprintf(way.text, sizeof way.text, "%.*s", (int)strcspn(name, "/"), name);
    }
    return way;
}

/* "rank of the host; ns; null: the archive does not say" */
static void describe(json_t *schema, const struct way *way, const char *unit, const char *unknown)
{
    const char *meaning = way ? mwa_meaning(way->text) : NULL;

    if (meaning || unit || unknown) {
        json_object_set_new(
            schema, "description",
            json_sprintf("%s%s%s%s%s%s", meaning ? meaning : "", meaning && unit ? "; " : "",
                         unit ? unit : "", (meaning || unit) && unknown ? "; " : "",
                         unknown ? "null: " : "", unknown ? unknown : ""));
    }
}

/* way: null of what stands in a list without a key. */
static json_t *value_schema(const struct mwa_column *column, const struct way *way)
{
    static const char *const types[] = { [MWA_NOTHING] = "null",   [MWA_NUMBER] = "integer",
                                         [MWA_REAL] = "number",    [MWA_DECIMAL] = "number",
                                         [MWA_MEASURED] = "number", [MWA_TEXT] = "string",
                                         [MWA_FLAG] = "boolean" };
    json_t *schema = json_object();
    json_t *list = json_array();

    json_array_append_new(list, json_string(types[column->kind]));
    if (column->kind == MWA_MEASURED) {
        json_array_append_new(list, json_string("string"));
    }
    if (column->unknown) {
        json_array_append_new(list, json_string("null"));
    }
    json_object_set_new(schema, "type", list);
    describe(schema, way, mwa_unit_name(column->unit), column->unknown);
    return schema;
}

static json_t *table_schema(const struct mwa_table *table, const struct way *way);

/* required: those of an object without a key may be missing, all of them. */
static void set_properties(json_t *properties, json_t *required, const struct mwa_table *table,
                           const struct way *above)
{
    for (uint32_t i = 0; i < table->column_count; i++) {
        const struct mwa_column *column = &table->columns[i];

        if (column->key) {
            const struct way way = way_to(above, column->key);

            json_object_set_new(properties, column->key,
                                column->table ? table_schema(column->table, &way)
                                              : value_schema(column, &way));
            json_array_append_new(required, json_string(column->key));
        } else if (column->table) {
            set_properties(properties, NULL, column->table, above);
        }
    }
}

static json_t *object_schema(const struct mwa_table *table, const struct way *above)
{
    const struct way way = way_of(table, above);
    json_t *schema = json_object();
    json_t *properties = json_object();
    json_t *required = json_array();

    if (table->schema) {
        json_object_set_new(properties, "schema",
                            json_pack("{ssss}", "const", table->schema, "description",
                                      "name and version of this object"));
        json_array_append_new(required, json_string("schema"));
    }
    set_properties(properties, required, table, &way);
    json_object_set_new(schema, "properties", properties);
    json_object_set_new(schema, "required", required);
    return schema;
}

/* What is in a list of values. */
static json_t *values_schema(const struct mwa_table *table)
{
    json_t *list = table->column_count > 1 ? json_array() : NULL;

    for (uint32_t i = 0; list && i < table->column_count; i++) {
        json_array_append_new(list, value_schema(&table->columns[i], NULL));
    }
    return list ? json_pack("{s:s, s:o}", "type", "array", "prefixItems", list)
                : value_schema(&table->columns[0], NULL);
}

static json_t *types_of(const char *type, bool is_optional)
{
    return is_optional ? json_pack("[ss]", type, "null") : json_string(type);
}

static json_t *table_schema(const struct mwa_table *table, const struct way *way)
{
    bool is_list = table->shape == MWA_LIST || table->shape == MWA_VALUES;
    json_t *schema = table->shape == MWA_ROW ? object_schema(table, way) : json_object();

    json_object_set_new(schema, "type",
                        types_of(is_list ? "array" : "object", table->unknown != NULL));
    describe(schema, way, NULL, table->unknown);
    if (table->shape == MWA_LIST) {
        json_t *items = object_schema(table, way);

        json_object_set_new(items, "type", json_string("object"));
        json_object_set_new(schema, "items", items);
    } else if (table->shape == MWA_VALUES) {
        json_object_set_new(schema, "items", values_schema(table));
    } else if (table->shape == MWA_MAP) {
        json_object_set_new(schema, "additionalProperties",
                            value_schema(&table->columns[1], NULL));
    }
    return schema;
}

json_t *mwa_table_schema(const struct mwa_table *table)
{
    const struct way none = { .text = "" };
    const struct way dump = { .text = "dump" };

    return table_schema(table, table->schema ? &none : &dump);
}
