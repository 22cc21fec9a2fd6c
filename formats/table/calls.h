#ifndef MW_FORMATS_TABLE_CALLS_H
#define MW_FORMATS_TABLE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The ids of MPI calls, MW_CALL_MPI_Send and so on, in the order of calls.def. */
enum mw_call {
#define MW_CALL(prefix, name, ...) MW_CALL_##prefix##_##name,
#define MW_CALL_VOID(prefix, name, ...) MW_CALL_##prefix##_##name,
#define MW_CALL_VARIADIC(prefix, name, ...) MW_CALL_##prefix##_##name,
#include "formats/table/calls.def"
    MW_CALL_COUNT
};

/* What a call means: the kinds of call_kinds.def, MW_KIND_SEND and so on. */
enum mw_call_kind {
#define MW_KIND(name, ...) MW_KIND_##name,
#include "formats/table/call_kinds.def"
    MW_KIND_COUNT
};

/* The kinds that calls.def names with what their calls differ in. */
#define MW_KIND_BLOCKING(collective) MW_KIND_##collective
#define MW_KIND_NONBLOCKING(collective) MW_KIND_I##collective
#define MW_KIND_PERSISTENT(collective) MW_KIND_##collective##_INIT
#define MW_KIND_COMM_CREATION(...) MW_KIND_COMM_CREATION
#define MW_KIND_ACCESS(...) MW_KIND_ACCESS
#define MW_KIND_RACCESS(...) MW_KIND_RACCESS
#define MW_KIND_LOOK(...) MW_KIND_LOOK
#define MW_KIND_KEYVAL(...) MW_KIND_KEYVAL
#define MW_KIND_ATTRIBUTE(...) MW_KIND_ATTRIBUTE
#define MW_KIND_PREADY(...) MW_KIND_PREADY
#define MW_KIND_FILE_TRANSFER(...) MW_KIND_FILE_TRANSFER
#define MW_KIND_FILE_ITRANSFER(...) MW_KIND_FILE_ITRANSFER
#define MW_KIND_FILE_SPLIT(...) MW_KIND_FILE_SPLIT

/* What is to be known of a kind beyond that. */
enum mw_meaning {
    MW_FOLLOWED = 1,     /* the recorder sees it whatever the user selects */
    MW_MAKES_COMM = 2,   /* members make communicators together, and wait for each other */
    MW_MAKES_OBJECT = 4, /* a window or a file, which later calls are on */
    MW_TESTS = 8,        /* it never waits */
    MW_AWAITED = 16,     /* others wait for its beginning: it posts a receive, or ends an epoch */
    MW_NEIGHBORS = 32,   /* a collective on a neighbourhood */
    MW_PERSISTENT = 64,  /* it makes a request that is started later, maybe many times */
    MW_BEGINS = 128,     /* it makes or starts a request, or lets it send, and returns */
    MW_LOOKS = 256       /* it tells whether something has come: it never waits either */
};

/* The groups by which calls are selected (mpiwatch-record --events). */
enum mw_group {
    MW_GROUP_P2P,
    MW_GROUP_COLL,
    MW_GROUP_COMM,
    MW_GROUP_TOPO,
    MW_GROUP_RMA,
    MW_GROUP_IO,
    MW_GROUP_ENV,
    MW_GROUP_TYPE,
    MW_GROUP_ATTR,
    MW_GROUP_ERR,
    MW_GROUP_INFO,
    MW_GROUP_GROUP,
    MW_GROUP_CONV,
    MW_GROUP_TOOL,
    MW_GROUP_COUNT
};

/* The set of groups that is recorded when the user says nothing. */
#define MW_GROUPS_DEFAULT                                                                       \
    (1u << MW_GROUP_P2P | 1u << MW_GROUP_COLL | 1u << MW_GROUP_COMM | 1u << MW_GROUP_RMA |      \
     1u << MW_GROUP_IO | 1u << MW_GROUP_TOPO)
#define MW_GROUPS_ALL ((1u << MW_GROUP_COUNT) - 1)

/* "MPI_Send"; static storage; null when call is not below MW_CALL_COUNT. */
const char *mw_call_name(unsigned call);

/* "split" of MPI_Comm_split, "cart_create" of MPI_Cart_create; "unknown" out of range. */
void mw_call_short_name(unsigned call, char *text, size_t room);

/* The call's group; call must be below MW_CALL_COUNT. */
enum mw_group mw_call_group(unsigned call);

/* Of the calls below MW_CALL_COUNT, and of all kinds, sets of enum mw_meaning. */
extern const uint8_t mw_kinds_of_calls[];
extern const uint16_t mw_meanings_of_kinds[];

/* The call's kind; MW_KIND_PLAIN when call is not below MW_CALL_COUNT. */
static inline enum mw_call_kind mw_call_kind(unsigned call)
{
    return call < MW_CALL_COUNT ? (enum mw_call_kind)mw_kinds_of_calls[call] : MW_KIND_PLAIN;
}

/* Whether the call's kind has one of these meanings; false when call is not below MW_CALL_COUNT. */
static inline bool mw_call_means(unsigned call, unsigned meanings)
{
    return (mw_meanings_of_kinds[mw_call_kind(call)] & meanings) != 0;
}

/* Whether both do the same, and match each other where all members of a communicator do it: one may
 * be with large counts (MPI_Bcast_c), or give hints besides (MPI_Comm_dup_with_info). */
bool mw_call_is_same(unsigned call, unsigned other);

/* Whether it waits for requests: MPI_Wait and its like. */
bool mw_call_waits(unsigned call);

/* Whether it looks for something that may have come, and returns if nothing has: MPI_Test,
 * MPI_Iprobe and their like. False of MW_CALL_COUNT. */
static inline bool mw_call_polls(unsigned call)
{
    return mw_call_means(call, MW_TESTS | MW_LOOKS);
}

/*
 * Whether MPIs may move messages in it, other than its own: true of what may wait or look for some,
 * and of MW_CALL_COUNT; false where it begins something and returns, or asks what its process knows
 * (of topologies, types, groups …).
 */
bool mw_call_moves_messages(unsigned call);

/* The id of the function called name ("MPI_Send"), or MW_CALL_COUNT. Linear in the table. */
unsigned mw_call_find(const char *name);

/* "p2p" and so on, as the user writes it; static storage; null when out of range. */
const char *mw_group_name(unsigned group);

/*
 * Reads a comma-separated list of group names ("p2p,coll", "all", "default"; a
 * leading "-" removes the group, the first one from the default) into a set of
 * 1 << enum mw_group.
 *
 * \return true and the set in *groups; false when a word is unknown, which then
 * is what *unknown points to inside list (not terminated at the comma).
 */
bool mw_groups_parse(const char *list, uint32_t *groups, const char **unknown);

/*
 * A fingerprint of all names in order: equal when two builds number the calls
 * alike. Spools carry it, since they hold ids and not names.
 */
uint64_t mw_calls_fingerprint(void);

#endif
