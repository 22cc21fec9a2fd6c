/* What is counted before a tree is made, against what jansson then takes. */
#include "analyzer/load/metadata_json.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

/* What jansson needs whatever it reads, and large blocks being whole pages. */
#define SLACK_BYTES 16384

static size_t taken, most;

/* Blocks of glibc have 8 bytes in front. */
static void *take(size_t bytes)
{
    void *block = malloc(bytes);

    taken += block ? malloc_usable_size(block) + 8 : 0;
    most = taken > most ? taken : most;
    return block;
}

static void give(void *block)
{
    taken -= block ? malloc_usable_size(block) + 8 : 0;
    free(block);
}

/* A list of count items, each printed with its number. */
static char *list_of(const char *item, unsigned count)
{
    size_t room = count * (strlen(item) + 16) + 3, at = 1;
    char *text = malloc(room);

    text[0] = '[';
    for (unsigned i = 0; i < count; i++) {
        at += (size_t)snprintf(text + at, room - at, "%s%s%u%s", i > 0 ? "," : "", item, i,
                               item[0] == '[' ? "]" : item[0] == '{' ? "}" : "");
    }
    snprintf(text + at, room - at, "]");
    return text;
}

static void compare(char *text)
{
    struct mwa_json_cost cost = { 0 };
    size_t size = strlen(text);
    json_error_t error;
    json_t *root;

    taken = most = 0;
    json_set_alloc_funcs(take, give);
    root = json_loads(text, 0, &error);
    cr_assert_not_null(root, "%s", error.text);
    cr_assert_eq(mwa_json_cost_add(&cost, text, size, UINT64_MAX), size);
    cr_assert_geq(cost.bytes + SLACK_BYTES, most, "%.20s: %zu bytes taken, %zu counted", text,
                  most, (size_t)cost.bytes);
    cr_assert_leq(cost.bytes, 3 * most + SLACK_BYTES, "%.20s: %zu bytes taken, %zu counted", text,
                  most, (size_t)cost.bytes);
    json_decref(root);
    free(text);
}

/* Counts around powers of two, where arrays and objects are the emptiest. */
Test(metadata_json, counts_at_least_what_a_tree_takes_and_not_much_more)
{
    static const unsigned counts[] = { 1, 7, 8, 9, 1000, 1024, 1025, 65536, 65537, 100000 };

    for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        compare(list_of("[", counts[i]));
        compare(list_of("", counts[i]));
        compare(list_of("-1.5e-", counts[i]));
        compare(list_of("{\"rank\":[1,2],\"host\":\"node\\\"x\",\"ok\":true,\"n\":", counts[i]));
    }
}

Test(metadata_json, counts_strings)
{
    for (unsigned count = 10; count < 100000000; count *= 10) {
        char *text = malloc(count + 5);

        snprintf(text, 3, "[\"");
        memset(text + 2, 'a', count);
        snprintf(text + 2 + count, 3, "\"]");
        compare(text);
    }
}

/* A number, or what should be true or null: jansson reads it to its end before it looks at it. */
Test(metadata_json, counts_words_without_end)
{
    struct mwa_json_cost cost = { 0 };

    for (unsigned count = 10; count < 10000000; count *= 10) {
        char *text = malloc(count + 5);

        snprintf(text, 4, "[1.");
        memset(text + 3, '0', count);
        snprintf(text + 3 + count, 2, "]");
        compare(text);
    }
    /* 152 bytes for an array, 32 for a number, 3 for each character but the first 16; and the
     * next one is read to the same room. */
    cr_assert_eq(mwa_json_cost_add(&cost, "[99999999999999999999,99999999", 30, UINT64_MAX), 30);
    cr_assert_eq(cost.bytes, 152 + 32 + 4 * 3 + 24 + 32);
    cost = (struct mwa_json_cost){ 0 };
    cr_assert_eq(mwa_json_cost_add(&cost, "tttttttttttttttttttt", 20, 9), 19, "no number");
}

Test(metadata_json, counts_keys_of_an_object)
{
    for (unsigned count = 1; count < 200000; count = 2 * count + 1) {
        size_t room = 24 * (size_t)count + 3, at = 1;
        char *text = malloc(room);

        text[0] = '{';
        for (unsigned i = 0; i < count; i++) {
            at += (size_t)snprintf(text + at, room - at, "%s\"%x\":%u", i > 0 ? "," : "", i, i);
        }
        snprintf(text + at, room - at, "}");
        compare(text);
    }
}

Test(metadata_json, stops_where_it_becomes_too_much)
{
    struct mwa_json_cost cost = { 0 };

    /* 152 bytes for an array, 24 for each comma, 32 for a number. */
    cr_assert_eq(mwa_json_cost_add(&cost, "[1,2,3]", 7, 239), 3);
    cost = (struct mwa_json_cost){ 0 };
    cr_assert_eq(mwa_json_cost_add(&cost, "[1,", 3, 240), 3, "in pieces");
    cr_assert_eq(mwa_json_cost_add(&cost, "2,3]", 4, 240), 1);
    /* Nothing in a string counts but itself: 72 and 3 for each of 8 bytes with its end. */
    cost = (struct mwa_json_cost){ 0 };
    cr_assert_eq(mwa_json_cost_add(&cost, "\"[{\\\"[1,\"", 9, 96), 9);
    cr_assert_eq(cost.bytes, 96);
}
