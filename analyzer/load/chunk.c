#include "analyzer/load/chunk.h"

#include <stdbool.h>
#include <string.h>

#include <otf2/otf2.h>

#include "analyzer/load/event_block.h"
#include "analyzer/load/otf2_layout.h"

#define CALLING_CONTEXT 34u

/* libotf2 moves the contexts behind the one that it puts in order: some seconds for so many. */
#define MOVED_MAX (UINT64_C(1) << 31)

/*
 * The fields of definitions, by the number of the record (event_records.def has those of events): b
 * one byte, 8 eight, c a number of up to 8 bytes behind one that says how many, s a text, v a value
 * behind its type, m a map of ids; those in B( ) and C( ) as often as the byte or the number at
 * this place says. Behind | are fields that older versions of the record don't have. A record
 * without a row is known by its length alone, as it is to libotf2.
 */
static const char *const definition_fields[] = {
    [10] = "cs",        [11] = "ccb|c",  [12] = "cccc",         [13] = "ccbc|c",
    [14] = "ccbcc",     [16] = "ccccc",  [15] = "cccbccc|cbbc", [17] = "ccc",
    [19] = "cccbbbbcc", [21] = "cccbc",  [18] = "ccbC(c)|bbc",  [20] = "cB(c)b|b",
    [22] = "cccc|c",    [23] = "ccb",    [24] = "ccc|c",        [25] = "cc",
    [26] = "ccc|v",     [27] = "cb",     [28] = "ccc|v",        [29] = "ccc|v",
    [30] = "cccb",      [32] = "ccB(c)", [31] = "cccB(c)",      [33] = "ccc",
    [34] = "cccc",      [35] = "ccv",    [36] = "ccbbcc",       [37] = "ccv",
    [38] = "ccc",       [39] = "ccc",    [40] = "cccbccc",      [41] = "cbc",
    [42] = "ccv",       [43] = "cccccc"
};

/* Those that mean something else in global definitions than in those of a location. */
static const char *const global_fields[] = {
    [5] = "ccc|c", [6] = "bcb", [7] = "bbv", [8] = "bccbcB(bv)"
};
static const char *const local_fields[] = { [5] = "bm", [6] = "8c8" };

/*
 * The functions below go over something that begins at a byte and must not go beyond end, and
 * return where it ends; null when it would.
 */

static const unsigned char *over(const unsigned char *at, const unsigned char *end, size_t count)
{
    return (size_t)(end - at) < count ? NULL : at + count;
}

static const unsigned char *over_text(const unsigned char *at, const unsigned char *end)
{
    const unsigned char *last = memchr(at, 0, (size_t)(end - at));

    return last ? last + 1 : NULL;
}

static const unsigned char *over_typed_value(const unsigned char *at, const unsigned char *end)
{
    if (at == end) {
        return NULL;
    }
    switch (*at) {
    case OTF2_TYPE_UINT8:
    case OTF2_TYPE_INT8:
        return over(at + 1, end, 1);
    case OTF2_TYPE_UINT16:
    case OTF2_TYPE_INT16:
        return over(at + 1, end, 2);
    case OTF2_TYPE_FLOAT:
        return over(at + 1, end, 4);
    case OTF2_TYPE_DOUBLE:
        return over(at + 1, end, 8);
    default:
        return mwa_otf2_over(at + 1, end);
    }
}

/* A sparse map has pairs, by the first of them: libotf2 would sort others for hours. */
static const unsigned char *over_map(const unsigned char *at, const unsigned char *end,
                                     bool big_endian)
{
    uint64_t count, id, last = 0;
    bool sparse;

    at = mwa_otf2_take(at, end, big_endian, &count);
    if (!at || at == end) {
        return NULL;
    }
    sparse = *at++ == OTF2_ID_MAP_SPARSE;
    for (uint64_t i = 0; at && i < count; i++) {
        if (sparse) {
            at = mwa_otf2_take(at, end, big_endian, &id);
            if (!at || id < last) {
                return NULL;
            }
            last = id;
        }
        at = mwa_otf2_over(at, end);
    }
    return at;
}

static const unsigned char *over_fields(const unsigned char *at, const unsigned char *end,
                                        bool big_endian, const char *fields);

/* What is in brackets, as often as is said before. */
static const unsigned char *over_repeated(const unsigned char *at, const unsigned char *end,
                                          bool big_endian, const char *fields)
{
    uint64_t count;

    if (*fields == 'C') {
        at = mwa_otf2_take(at, end, big_endian, &count);
    } else {
        count = at < end ? *at : 0;
        at = over(at, end, 1);
    }
    for (uint64_t i = 0; at && i < count; i++) {
        at = over_fields(at, end, big_endian, fields + 2);
    }
    return at;
}

/* Up to the end of the fields or a closing bracket. */
static const unsigned char *over_fields(const unsigned char *at, const unsigned char *end,
                                        bool big_endian, const char *fields)
{
    for (; at && *fields && *fields != ')'; fields++) {
        switch (*fields) {
        case 'c':
            at = mwa_otf2_over(at, end);
            break;
        case 'b':
            at = over(at, end, 1);
            break;
        case '8':
            at = over(at, end, 8);
            break;
        case 's':
            at = over_text(at, end);
            break;
        case 'v':
            at = over_typed_value(at, end);
            break;
        case 'm':
            at = over_map(at, end, big_endian);
            break;
        case '|':
            if (at == end) {
                return at;
            }
            break;
        default:
            at = over_repeated(at, end, big_endian, fields);
            fields = strchr(fields, ')');
        }
    }
    return at;
}

/* A chunk on the way. */
struct walk {
    enum mwa_chunk_kind kind;
    struct mwa_chunk_state *state;
    const unsigned char *end;
    bool big_endian;
    const char *wrong;
};

static const unsigned char *refuse(struct walk *walk, const char *what)
{
    walk->wrong = what;
    return NULL;
}

static inline const char *fields_of(enum mwa_chunk_kind kind, unsigned type)
{
#define ROW(table) (type < sizeof(table) / sizeof(table)[0] ? (table)[type] : NULL)
    if (ROW(definition_fields)) {
        return ROW(definition_fields);
    }
    return kind == MWA_CHUNK_GLOBAL_DEFINITIONS ? ROW(global_fields) : ROW(local_fields);
#undef ROW
}

/* Counts what takes libotf2 time in its square. */
static void count_costs(struct walk *walk, const unsigned char *at, const unsigned char *end)
{
    struct mwa_chunk_state *state = walk->state;
    uint64_t number;

    if (mwa_otf2_take(at, end, walk->big_endian, &number)) {
        state->moved += number < state->context ? state->contexts : 0;
        state->context = number;
    }
    state->contexts++;
    if (state->moved > MOVED_MAX) {
        walk->wrong = "its CallingContexts are in no order";
    }
}

/* A record behind its type; at least the end of its chunk comes behind it. */
static inline const unsigned char *over_record(struct walk *walk, unsigned type,
                                               const unsigned char *at)
{
    const char *fields = fields_of(walk->kind, type);
    uint64_t length;

    at = mwa_otf2_length(at, walk->end, walk->big_endian, &length);
    if (!at) {
        return refuse(walk, "a record is longer than its chunk");
    }
    if (walk->kind == MWA_CHUNK_GLOBAL_DEFINITIONS && type == CALLING_CONTEXT) {
        count_costs(walk, at, at + length);
    }
    if (fields && !over_fields(at, at + length, walk->big_endian, fields)) {
        return refuse(walk, "a record says that it has more than it has");
    }
    return walk->wrong ? NULL : at + length;
}

/* From the first record on; *offset is that of the one that is looked at. */
static void walk_records(struct walk *walk, const unsigned char *chunk, size_t *offset)
{
    const unsigned char *at = chunk + MWA_CHUNK_HEAD;

    while (at) {
        *offset = (size_t)(at - chunk);
        if (at == walk->end) {
            walk->wrong = "the chunk has no end";
            return;
        }
        if (*at == MWA_CHUNK_END || *at == MWA_FILE_END) {
            return;
        }
        at = over_record(walk, *at, at + 1);
    }
}

static const char *check_events(struct mwa_chunk_state *state, const unsigned char *chunk,
                                size_t size, size_t *offset)
{
    struct mwa_event_block block = { .is_skimmed = true,
                               .counts = state->counts,
                               .attributes = state->attributes };
    enum mwa_event_block_step step = mwa_event_block_begin(&block, chunk, size);

    if (step != MWA_BLOCK_WRONG) {
        do {
            step = mwa_event_block_next(&block);
        } while (step == MWA_BLOCK_EVENT);
    }
    state->attributes = block.attributes;
    *offset = mwa_event_block_offset(&block);
    return block.wrong;
}

const char *mwa_chunk_check(enum mwa_chunk_kind kind, struct mwa_chunk_state *state,
                            const unsigned char *chunk, size_t size, size_t *offset)
{
    struct walk walk = { .kind = kind, .state = state, .end = chunk + size };

    if (kind == MWA_CHUNK_EVENTS) {
        return check_events(state, chunk, size, offset);
    }
    *offset = 0;
    if (size < MWA_CHUNK_HEAD || chunk[0] != MWA_CHUNK_BEGIN) {
        return "this is no chunk";
    }
    walk.big_endian = chunk[1] == MWA_BIG_ENDIAN;
    walk_records(&walk, chunk, offset);
    return walk.wrong;
}
