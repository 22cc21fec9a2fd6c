/*
 * All that is known of calls comes from calls.def by its columns. The fingerprint
 * tells a spool of another table, in which the same numbers are other calls.
 */
#include "formats/table/calls.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char *const call_names[] = {
#define MW_CALL(prefix, name, ...) #prefix "_" #name,
#define MW_CALL_VOID(prefix, name, ...) #prefix "_" #name,
#define MW_CALL_VARIADIC(prefix, name, ...) #prefix "_" #name,
#include "formats/table/calls.def"
};

static const uint8_t call_groups[] = {
#define MW_CALL(prefix, name, upper, type, group, ...) MW_GROUP_##group,
#define MW_CALL_VOID(prefix, name, upper, type, group, ...) MW_GROUP_##group,
#define MW_CALL_VARIADIC(prefix, name, upper, type, group, ...) MW_GROUP_##group,
#include "formats/table/calls.def"
};

const uint8_t mw_kinds_of_calls[] = {
#define MW_CALL(prefix, name, upper, type, group, kind, ...) MW_KIND_##kind,
#define MW_CALL_VOID(prefix, name, upper, type, group, kind, ...) MW_KIND_##kind,
#define MW_CALL_VARIADIC(prefix, name, upper, type, group, kind, ...) MW_KIND_##kind,
#include "formats/table/calls.def"
};

const uint16_t mw_meanings_of_kinds[] = {
#define MW_KIND(name, role, meanings) meanings,
#include "formats/table/call_kinds.def"
};

static const char *const group_names[] = {
    [MW_GROUP_P2P] = "p2p",   [MW_GROUP_COLL] = "coll",   [MW_GROUP_COMM] = "comm",
    [MW_GROUP_TOPO] = "topo", [MW_GROUP_RMA] = "rma",     [MW_GROUP_IO] = "io",
    [MW_GROUP_ENV] = "env",   [MW_GROUP_TYPE] = "type",   [MW_GROUP_ATTR] = "attr",
    [MW_GROUP_ERR] = "err",   [MW_GROUP_INFO] = "info",   [MW_GROUP_GROUP] = "group",
    [MW_GROUP_CONV] = "conv", [MW_GROUP_TOOL] = "tool",
};

const char *mw_call_name(unsigned call)
{
    return call < MW_CALL_COUNT ? call_names[call] : NULL;
}

void mw_call_short_name(unsigned call, char *text, size_t room)
{
    const char *name = call < MW_CALL_COUNT ? mw_call_name(call) : "MPI_unknown";

    name += strncmp(name, "MPI_Comm_", 9) == 0 ? 9 : 4;
    snprintf(text, room, "%s", name);
    text[0] = (char)tolower((unsigned char)text[0]);
}

enum mw_group mw_call_group(unsigned call)
{
    return (enum mw_group)call_groups[call];
}

/* Bytes of the name before what says no more than of which sort its arguments are. */
static size_t operation_length(const char *name)
{
    static const char *const endings[] = {"_c", "_with_info"};
    const size_t length = strlen(name);

    for (unsigned i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t ending = strlen(endings[i]);

        if (length > ending && strcmp(name + length - ending, endings[i]) == 0) {
            return length - ending;
        }
    }
    return length;
}

bool mw_call_is_same(unsigned call, unsigned other)
{
    const char *name = mw_call_name(call);
    const char *others = mw_call_name(other);

    return call == other ||
           (name && others && operation_length(name) == operation_length(others) &&
            memcmp(name, others, operation_length(name)) == 0);
}

bool mw_call_waits(unsigned call)
{
    switch (mw_call_kind(call)) {
    case MW_KIND_WAIT:
    case MW_KIND_WAITALL:
    case MW_KIND_WAITANY:
    case MW_KIND_WAITSOME:
        return true;
    default:
        return false;
    }
}

bool mw_call_moves_messages(unsigned call)
{
    const uint32_t may = 1u << MW_GROUP_P2P | 1u << MW_GROUP_COLL | 1u << MW_GROUP_COMM |
                         1u << MW_GROUP_RMA | 1u << MW_GROUP_IO;
    const enum mw_call_kind kind = mw_call_kind(call);
    const bool is_plain = kind == MW_KIND_PLAIN || kind == MW_KIND_VALUE ||
                          kind == MW_KIND_ERRHANDLER || kind == MW_KIND_KEYVAL ||
                          kind == MW_KIND_ATTRIBUTE;

    return call >= MW_CALL_COUNT ||
           (!mw_call_means(call, MW_BEGINS) &&
            (!is_plain || (1u << mw_call_group(call) & may) != 0));
}

unsigned mw_call_find(const char *name)
{
    unsigned call = 0;

    while (call < MW_CALL_COUNT && strcmp(call_names[call], name) != 0) {
        call++;
    }
    return call;
}

const char *mw_group_name(unsigned group)
{
    return group < MW_GROUP_COUNT ? group_names[group] : NULL;
}

/* The set that one word of a list stands for, 0 when it is unknown. */
static uint32_t groups_of_word(const char *word, size_t length)
{
    if (length == 3 && memcmp(word, "all", 3) == 0) {
        return MW_GROUPS_ALL;
    }
    if (length == 7 && memcmp(word, "default", 7) == 0) {
        return MW_GROUPS_DEFAULT;
    }
    for (unsigned group = 0; group < MW_GROUP_COUNT; group++) {
        if (strlen(group_names[group]) == length && memcmp(group_names[group], word, length) == 0) {
            return 1u << group;
        }
    }
    return 0;
}

bool mw_groups_parse(const char *list, uint32_t *groups, const char **unknown)
{
    uint32_t set = list[0] == '-' ? MW_GROUPS_DEFAULT : 0;

    for (const char *word = list; *word;) {
        size_t length = strcspn(word, ",");
        bool remove = length > 0 && word[0] == '-';
        uint32_t meant = groups_of_word(word + remove, length - remove);

        if (length > 0 && meant == 0) {
            *unknown = word;
            return false;
        }
        set = remove ? set & ~meant : set | meant;
        word += length + (word[length] == ',');
    }
    *groups = set;
    return true;
}

uint64_t mw_calls_fingerprint(void)
{
    /* FNV-1a over all names with their terminating zeros. */
    uint64_t hash = 14695981039346656037u;

    for (unsigned call = 0; call < MW_CALL_COUNT; call++) {
        const char *name = call_names[call];

        do {
            hash = (hash ^ (unsigned char)*name) * 1099511628211u;
        } while (*name++);
    }
    return hash;
}
