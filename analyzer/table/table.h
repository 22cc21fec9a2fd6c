#ifndef MWA_TABLE_TABLE_H
#define MWA_TABLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "analyzer/model/trace.h"

struct mwa_results;

/*
 * What an analysis found, as named values and lists of rows. A table says once, for each column,
 * what it is called in data and on screen, its unit, and where its value comes from; JSON, CSV,
 * text, page and schema take it from there, so that a number is the same everywhere. A column can
 * hold a table: a list in a row, or an object. What a command says as JSON is such an object, of
 * its results.
 *
 * All functions: any thread, on results that nobody changes.
 */

enum mwa_kind {
    MWA_NOTHING, /* null: not known, or there is none */
    MWA_NUMBER,
    MWA_REAL,    /* null where it is not finite */
    MWA_DECIMAL, /* a real number that is an integer in JSON when it is a whole one */
    MWA_MEASURED, /* of columns: mwa_measured, or nothing */
    MWA_TEXT,
    MWA_FLAG
};

struct mwa_value {
    enum mwa_kind kind;
    union {
        uint64_t number; /* above 2^63 - 1 only of mwa_measured, or if it is negative */
        double real;
        const char *text; /* of the trace, or static; null is nothing */
        bool flag;
    };
    char *owned; /* text that has to be freed: set in the place of text, otherwise null */
    bool is_negative; /* a number is so much below 0 */
};

/* How a value is shown to people; data have ns, bytes and shares of one. */
enum mwa_unit { MWA_PLAIN, MWA_COUNT, MWA_NS, MWA_BYTES, MWA_SHARE, MWA_RATIO };

/* A row, what it is in, and its place there. */
struct mwa_cell {
    const struct mwa_results *results; /* null: what its columns say is in the row itself */
    const struct mwa_cell *parent;     /* null: results themselves, or what else there is */
    const void *row;
    uint64_t index;
    uint64_t place; /* among the rows of data that are shown; by mwa_ordered_rows only */
};

/* What a number that is a member counts: ticks of the trace become ns. */
enum mwa_clock { MWA_NO_CLOCK, MWA_TICKS, MWA_TICKS_SINCE_BEGIN /* below 0 before it */ };

enum mwa_place { MWA_EVERYWHERE, MWA_ON_SCREEN, MWA_ON_PAGE };

struct mwa_column {
    const char *key;   /* in JSON and CSV; null: for people only, or keys of table stand here */
    const char *title; /* for people; null: in data only */
    unsigned width;    /* on screen: text is on the left of it; 0: as wide as the text is */
    enum mwa_unit unit;
    enum mwa_kind kind;
    size_t offset; /* of the value in the row, and its size */
    size_t size;
    struct mwa_value (*value)(const struct mwa_cell *cell); /* null: it is a member */
    const struct mwa_table *table;                          /* null: it is a value */
    bool is_signed;
    enum mwa_clock clock;
    enum mwa_place place; /* where title is shown */
    unsigned aside; /* on a narrow screen: 0 stays, of the others up to 9 the highest goes first */
    bool is_uncut; /* text of the last column, as wide as it is: on a narrow screen it stands in
                      lines of its own */
    const char *nothing;  /* for people in the place of nothing; null: "-" */
    const char *unknown;  /* why a value may be nothing; null: it always is known */
};

/* A column's value is a member of the row's type. Of numbers all ones (MWA_NONE) are nothing, but
 * for those that may be below 0. */
#define MWA_KIND_OF(expression)                                                                    \
    _Generic((expression),                                                                         \
        uint64_t: MWA_NUMBER,                                                                      \
        int64_t: MWA_NUMBER,                                                                       \
        uint32_t: MWA_NUMBER,                                                                      \
        double: MWA_REAL,                                                                          \
        const char *: MWA_TEXT,                                                                    \
        char *: MWA_TEXT,                                                                          \
        bool: MWA_FLAG)
#define MWA_IN(type, member)                                                                       \
    .kind = MWA_KIND_OF(((type *)0)->member), .size = sizeof(((type *)0)->member),                 \
    .offset = offsetof(type, member),                                                              \
    .is_signed = _Generic(((type *)0)->member, int64_t: true, default: false)
#define MWA_BY(kind_of_it, function) .kind = (kind_of_it), .value = (function)

enum mwa_shape {
    MWA_LIST,   /* of objects */
    MWA_VALUES, /* a list of the column's values, or of several columns' lists of values */
    MWA_ROW,    /* an object: one row */
    MWA_MAP     /* an object: the first column has the keys, the second the values */
};

struct mwa_table {
    enum mwa_shape shape;
    const char *schema; /* of an object that a command says: "mpiwatch-calls/1" */
    const struct mwa_column *columns;
    uint32_t column_count;

    const struct mwa_table *above; /* a list's rows are in each row of it; null: in the root's */

    /* A list's rows are an array that the parent's row points to, whose length it has; or by
     * functions (row: null for one that is left out). An object's row is a member of the parent's
     * row. */
    size_t rows_at;
    size_t count_at;
    size_t stride;
    uint64_t (*count)(const struct mwa_cell *parent);
    const void *(*row)(const struct mwa_cell *parent, uint64_t index);

    bool (*is_known)(const struct mwa_cell *parent);  /* false: null in its place, */
    const char *unknown;                              /* and why; null: it has no key */
    bool (*is_shown)(const struct mwa_cell *cell);    /* false: the row is left out everywhere, */
    bool (*is_worth)(const struct mwa_cell *cell);    /* or of what people see; or null */
    int (*order)(const void *one, const void *other); /* of pointers to rows, for people; or null */
    bool (*is_zero_without)(const char *name); /* a row of that name that is not there would have
                                                  nothing but zeros; null: none */

    const char *none; /* for people in the place of a list without rows, */
    const char *note; /* and below one that has some; or null */
};

#define MWA_COLUMNS(list) .columns = (list), .column_count = sizeof(list) / sizeof((list)[0])
#define MWA_ROWS(type, list, count_member)                                                         \
    .rows_at = offsetof(type, list), .count_at = offsetof(type, count_member),                     \
    .stride = sizeof(*((type *)0)->list) +                                                         \
              0 * sizeof(char[_Generic(((type *)0)->count_member, uint64_t: 1)])

/* Functions of tables that are one expression of cell, or of its row; of parent and index. */
#define MWA_VALUE(name, ...)                                                                       \
    static struct mwa_value name(const struct mwa_cell *cell)                                      \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }
#define MWA_VALUE_OF(name, type, ...)                                                              \
    static struct mwa_value name(const struct mwa_cell *cell)                                      \
    {                                                                                              \
        const type *row = cell->row;                                                               \
                                                                                                   \
        return __VA_ARGS__;                                                                        \
    }
#define MWA_WHETHER(name, ...)                                                                     \
    static bool name(const struct mwa_cell *cell)                                                  \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }
#define MWA_COUNT_BY(name, ...)                                                                    \
    static uint64_t name(const struct mwa_cell *parent)                                            \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }
#define MWA_ROW_BY(name, ...)                                                                      \
    static const void *name(const struct mwa_cell *parent, uint64_t index)                         \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }

static inline struct mwa_value mwa_nothing(void)
{
    return (struct mwa_value){ .kind = MWA_NOTHING };
}

/* 2^63 - 1 for greater ones, which most that reads JSON has not: whoever shows it says the same. */
static inline struct mwa_value mwa_number(uint64_t number)
{
    return (struct mwa_value){ .kind = MWA_NUMBER,
                               .number = number > INT64_MAX ? INT64_MAX : number };
}

static inline struct mwa_value mwa_signed(int64_t number)
{
    return (struct mwa_value){ .kind = MWA_NUMBER,
                               .number = number < 0 ? 0 - (uint64_t)number : (uint64_t)number,
                               .is_negative = number < 0 };
}

static inline struct mwa_value mwa_number_if(bool known, uint64_t number)
{
    return known ? mwa_number(number) : mwa_nothing();
}

static inline struct mwa_value mwa_signed_if(bool known, int64_t number)
{
    return known ? mwa_signed(number) : mwa_nothing();
}

static inline struct mwa_value mwa_real(double real)
{
    return (struct mwa_value){ .kind = MWA_REAL, .real = real };
}

static inline struct mwa_value mwa_decimal(double real)
{
    return (struct mwa_value){ .kind = MWA_DECIMAL, .real = real };
}

/*
 * A value of a variable of this type, by its bits: integers are exact. Where JSON has no integer of
 * this size (jansson's end at 2^63 - 1) it has a text with the digits.
 */
struct mwa_value mwa_measured(enum mw_metric_type type, uint64_t bits);

/* A part of a whole, from 0 to 1; nothing where there is no whole. */
struct mwa_value mwa_share(uint64_t part, uint64_t whole);

static inline struct mwa_value mwa_text(const char *text)
{
    return (struct mwa_value){ .kind = text ? MWA_TEXT : MWA_NOTHING, .text = text };
}

/* A text that the value owns; null: nothing. */
static inline struct mwa_value mwa_owned_text(char *text)
{
    return (struct mwa_value){ .kind = text ? MWA_TEXT : MWA_NOTHING, .text = text,
                               .owned = text };
}

static inline struct mwa_value mwa_flag(bool flag)
{
    return (struct mwa_value){ .kind = MWA_FLAG, .flag = flag };
}

/* A row's value in a column that holds none of a table; whoever asks frees value.owned. */
struct mwa_value mwa_value_of(const struct mwa_column *column, const struct mwa_cell *cell);

/*
 * The rows of a table in the order of data: begin with *at = 0, false behind the last one. cell is
 * filled.
 */
bool mwa_next_row(const struct mwa_table *table, const struct mwa_cell *parent, uint64_t *at,
                  struct mwa_cell *cell);

/* All rows in the order for people, *count of them; the caller frees them. Null: no memory. */
struct mwa_cell *mwa_ordered_rows(const struct mwa_table *table, const struct mwa_cell *parent,
                                  uint64_t *count);

#define MWA_VALUE_BYTES 256

/* What people see of a value of the column; in text, of MWA_VALUE_BYTES, or a static string. */
const char *mwa_value_text(const struct mwa_column *column, const struct mwa_value *value,
                           char *text);

/* Null when there is no memory. */
json_t *mwa_table_json(const struct mwa_table *table, const struct mwa_cell *parent);

/* What a command says: an object of results. */
json_t *mwa_document_json(const struct mwa_table *document, const struct mwa_results *results);

/*
 * Lists of objects, which have two members at least, get so many rows at most; of those that have
 * more, how many are left out is noted. All zero but for most; whoever makes it frees lists.
 */
struct mwa_json_cut {
    uint64_t most;
    struct mwa_json_left_out {
        const json_t *list; /* not a reference */
        uint64_t rows;
    } *lists;
    uint64_t count, capacity;
};

/* As mwa_document_json, cut. */
json_t *mwa_document_json_cut(const struct mwa_table *document, const struct mwa_results *results,
                              struct mwa_json_cut *cut);

/*
 * A header with the keys and a line for each row, of those in rows above one after the other. Of an
 * object in a row each member is a column, named high_value; a list of values has blanks between
 * them; lists of rows are tables of their own. Errors of out stay in out.
 */
void mwa_table_csv(const struct mwa_table *table, const struct mwa_cell *root, FILE *out);
void mwa_table_csv_header(const struct mwa_table *table, FILE *out);

/* A heading, and at most so many rows in the order for people; says how many more are where. What
 * holds for all of them stands below. With a table above it: the rows in all rows of that. All is
 * to be laid out (analyzer/table/layout.h). */
void mwa_table_text(const struct mwa_table *table, const struct mwa_cell *parent, uint64_t most,
                    const char *where, FILE *out);

void mwa_table_text_header(const struct mwa_table *table, FILE *out);

/* "ns", "bytes", "of 1", "ratio", "count"; null of numbers without a unit. */
const char *mwa_unit_name(enum mwa_unit unit);

/*
 * The JSON Schema (draft 2020-12) of what mwa_table_json makes: a value may be null where it can be
 * unknown, and the description says why, behind what the key means (analyzer/table/meanings.def).
 * Null when there is no memory.
 */
json_t *mwa_table_schema(const struct mwa_table *table);

#endif
