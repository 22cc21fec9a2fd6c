/* Neither a stream nor a value of jansson has room for why it is not whole. */
#include "analyzer/model/shortage.h"

#include <stdatomic.h>
#include <stdlib.h>

#include <jansson.h>

/* Written by whoever gets no memory, and by who begins to print: the number then. */
static _Atomic uint64_t noted;
static _Atomic uint64_t before = UINT64_MAX;

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);

    if (!memory) {
        mwa_shortage_note();
    }
    return memory;
}

void mwa_shortage_note_json(void)
{
    json_set_alloc_funcs(allocate, free);
}

void mwa_shortage_note(void)
{
    atomic_fetch_add(&noted, 1);
}

uint64_t mwa_shortage_count(void)
{
    return atomic_load(&noted);
}

void mwa_shortage_watch(void)
{
    atomic_store(&before, atomic_load(&noted));
}

bool mwa_shortage_seen(void)
{
    return atomic_load(&noted) > atomic_load(&before);
}
