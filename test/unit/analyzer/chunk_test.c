#include "analyzer/load/chunk.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Where the first record is: behind the kind, the byte order, and two numbers of events. */
#define FIRST 18

#define EVENTS MWA_CHUNK_EVENTS
#define LOCAL  MWA_CHUNK_LOCAL_DEFINITIONS
#define GLOBAL MWA_CHUNK_GLOBAL_DEFINITIONS

static struct mwa_chunk_state state; /* of the file of a test */
static unsigned char order = 0x42;   /* little-endian; 0x23: big-endian */

/* Looks at a chunk of these records; it has memory of its own for the sanitizer. */
static const char *check(enum mwa_chunk_kind kind, const unsigned char *records, size_t size,
                         size_t *offset)
{
    unsigned char *chunk = calloc(1, FIRST + size);
    const char *wrong;

    cr_assert_not_null(chunk);
    chunk[0] = 3;
    chunk[1] = order;
    memcpy(chunk + FIRST, records, size);
    wrong = mwa_chunk_check(kind, &state, chunk, FIRST + size, offset);
    free(chunk);
    return wrong;
}

static void expect_fine(enum mwa_chunk_kind kind, const unsigned char *records, size_t size)
{
    size_t offset = 0;
    const char *wrong = check(kind, records, size, &offset);

    cr_expect_null(wrong, "%s at %zu", wrong, offset - FIRST);
}

static void expect_wrong(enum mwa_chunk_kind kind, const unsigned char *records, size_t size,
                         const char *what, size_t at)
{
    size_t offset = 0;
    const char *wrong = check(kind, records, size, &offset);

    cr_assert_not_null(wrong, "nothing was found, but should be: %s", what);
    cr_expect_not_null(strstr(wrong, what), "%s, instead of %s", wrong, what);
    cr_expect_eq(offset, FIRST + at, "%s at %zu", wrong, offset - FIRST);
}

#define BYTES(...) (const unsigned char[]){ __VA_ARGS__ }, sizeof(unsigned char[]){ __VA_ARGS__ }
#define FINE(kind, ...) expect_fine(kind, BYTES(__VA_ARGS__))
#define WRONG(kind, what, at, ...) expect_wrong(kind, BYTES(__VA_ARGS__), what, at)

#define TIME 5, 1, 2, 3, 4, 5, 6, 7, 8
#define EIGHT 1, 2, 3, 4, 5, 6, 7, 8

Test(chunk, has_events_whose_fields_are_within_their_length)
{
    FINE(EVENTS, TIME, 12, 1, 3, 2);                 /* Enter 3 */
    FINE(EVENTS, TIME, 13, 255, 0);                  /* Leave of no region; another chunk */
    FINE(EVENTS, 14, 6, 0, 255, 0, 2, 1, 1, 2);      /* MpiSend to 0, 257 bytes */
    FINE(EVENTS, 14, 8, 0, 255, 0, 2, 1, 1, 9, 9, 2); /* and what later versions may add */
    FINE(EVENTS, 6, 6, 1, 1, 1, 7, 1, 9, 12, 0, 2);  /* AttributeList: 7 is the byte 9; Enter 0 */
    FINE(EVENTS, 31, 8, 0, 2, 1, 2, 1, 2, 1, 0, 2);  /* Metric 0 of the values 513 and 0 */
    FINE(EVENTS, 83, 5, 0, 1, 2, 0, 0, 2);           /* ProgramBegin with two arguments */
    FINE(EVENTS, 200, 2, 77, 77, 2);                 /* of a later version */
    FINE(EVENTS, 2);
    WRONG(EVENTS, "longer than its chunk", 0, 12, 0);
    WRONG(EVENTS, "the chunk has no end", 0, 5, 1, 2);
    WRONG(EVENTS, "the chunk has no end", 3, 12, 1, 3, TIME);
    WRONG(EVENTS, "longer than its chunk", 2, 12, 0, 12, 1);
    WRONG(EVENTS, "longer than its chunk", 0, 12, 9, EIGHT, 0, 0, 2); /* no number has 9 bytes */
    WRONG(EVENTS, "longer than its chunk", 0, 200, 3, 77, 77, 2);
    WRONG(EVENTS, "longer than its chunk", 0, 200, 255, 0, 0, 0, 0, 0, 0, 0, 128, 2);
    WRONG(EVENTS, "more than it has", 0, 14, 3, 0, 255, 0, 2, 1, 1, 2);
    WRONG(EVENTS, "more than it has", 2, 12, 0, 6, 6, 1, 2, 1, 7, 1, 9, 2);
    WRONG(EVENTS, "more than it has", 0, 31, 6, 0, 2, 1, 2, 1, 2, 2);
    WRONG(EVENTS, "more than it has", 0, 83, 7, 0, 4, 254, 255, 255, 255, 0, 2);
}

Test(chunk, has_definitions_whose_fields_are_within_their_length)
{
    FINE(GLOBAL, 10, 5, 0, 'a', 'b', 'c', 0, 2);     /* String 0 */
    FINE(GLOBAL, 18, 7, 0, 0, 1, 1, 1, 1, 1, 2);     /* Group of OTF2 1.1 of the member 1 */
    FINE(GLOBAL, 18, 10, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0, 2); /* as it is today */
    FINE(GLOBAL, 26, 3, 0, 0, 0, 2);                 /* SystemTreeNodeProperty of OTF2 1.5 */
    FINE(GLOBAL, 26, 12, 0, 0, 0, 10, EIGHT, 2);     /* with a DOUBLE */
    FINE(GLOBAL, 5, 4, 0, 0, 0, 0, 2);               /* ClockProperties */
    FINE(LOCAL, 6, 18, EIGHT, 1, 1, EIGHT, 2);       /* ClockOffset */
    WRONG(GLOBAL, "more than it has", 0, 10, 4, 0, 'a', 'b', 'c', 0, 2);
    WRONG(GLOBAL, "more than it has", 0, 18, 7, 0, 0, 1, 1, 2, 1, 1, 2);
    WRONG(GLOBAL, "more than it has", 0, 18, 5, 0, 0, 1, 255, 0, 2);
    WRONG(GLOBAL, "more than it has", 0, 26, 11, 0, 0, 0, 10, 1, 2, 3, 4, 5, 6, 7, 2);
    WRONG(GLOBAL, "more than it has", 0, 20, 4, 0, 3, 0, 0, 2); /* MetricClass of 3 members */
    WRONG(LOCAL, "more than it has", 0, 6, 1, 0, 2);
    WRONG(LOCAL, "longer than its chunk", 0, 6, 1, 0);
    WRONG(LOCAL, "longer than its chunk", 0, 10);
    expect_wrong(LOCAL, (const unsigned char *)"", 0, "the chunk has no end", 0);
}

/* MappingTable of Strings (0): how many numbers, 0 for all or 1 for pairs, the numbers. */
Test(chunk, has_tables_of_as_many_numbers_as_they_say)
{
    FINE(LOCAL, 5, 7, 0, 1, 2, 0, 1, 9, 0, 2);       /* 0 is 9, 1 is 0 */
    FINE(LOCAL, 5, 8, 0, 1, 2, 1, 0, 0, 0, 0, 2);    /* 0 is 0, once more */
    FINE(LOCAL, 5, 9, 0, 1, 1, 1, 1, 7, 1, 8, 0, 2); /* 7 is 8 */
    WRONG(LOCAL, "more than it has", 0, 5, 6, 0, 1, 4, 0, 1, 9, 2);
    WRONG(LOCAL, "more than it has", 0, 5, 7, 0, 1, 2, 1, 0, 0, 0, 2);
    WRONG(LOCAL, "more than it has", 0, 5, 14, 0, 8, 0, 0, 0, 0, 0, 0, 0, 128, 1, 0, 0, 0, 2);
    WRONG(LOCAL, "more than it has", 0, 5, 2, 0, 0, 2);
    WRONG(LOCAL, "more than it has", 0, 5, 0, 2);
    /* libotf2 would move 7 behind 6. */
    WRONG(LOCAL, "more than it has", 0, 5, 9, 0, 1, 2, 1, 1, 7, 0, 1, 6, 0, 2);
}

Test(chunk, may_come_from_a_machine_of_the_other_byte_order)
{
    order = 0x23;
    FINE(GLOBAL, 18, 9, 0, 0, 1, 4, 0, 0, 0, 1, 0, 2);
    FINE(GLOBAL, 200, 255, 0, 0, 0, 0, 0, 0, 0, 1, 77, 2);
    WRONG(GLOBAL, "more than it has", 0, 18, 9, 0, 0, 1, 4, 1, 0, 0, 0, 0, 2);
    WRONG(GLOBAL, "longer than its chunk", 0, 200, 255, 1, 0, 0, 0, 0, 0, 0, 0, 77, 2);
}

/* 4096 attributes, 128 in a list: 4,096 of them are as many as an event may have. */
Test(chunk, has_not_too_many_attributes_for_an_event)
{
    unsigned char list[128 * 3 + 13] = { 6, 255, 128 * 3 % 256 + 2, 128 * 3 / 256, 0, 0, 0, 0, 0, 0,
                                         1, 128 };

    for (unsigned i = 0; i < 128; i++) {
        list[12 + 3 * i + 1] = 1;
    }
    list[sizeof list - 1] = 0; /* on to the next chunk */
    for (unsigned i = 0; i < 32; i++) {
        expect_fine(EVENTS, list, sizeof list);
    }
    expect_wrong(EVENTS, list, sizeof list, "more than 4096 attributes", 0);
    state = (struct mwa_chunk_state){ .attributes = 4096 };
    FINE(EVENTS, 12, 0, 0);
    expect_fine(EVENTS, list, sizeof list);
}

/* CallingContext 7 when there were that many, and 9 was the last. */
Test(chunk, has_contexts_whose_order_costs_little)
{
    state = (struct mwa_chunk_state){ .contexts = 1000, .context = 9 };
    FINE(GLOBAL, 34, 5, 1, 7, 0, 0, 0, 2);
    cr_expect_eq(state.moved, 1000);
    state = (struct mwa_chunk_state){ .contexts = UINT64_C(1) << 32, .context = 9 };
    FINE(GLOBAL, 34, 5, 1, 10, 0, 0, 0, 2);
    WRONG(GLOBAL, "in no order", 0, 34, 5, 1, 7, 0, 0, 0, 2);
}
