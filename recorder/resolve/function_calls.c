/*
 * Compilers list the calls of a function among its entries, all in one level with what is inlined:
 * a function with thousands is asked for each, so that they are read once.
 */
#include "recorder/resolve/function_calls.h"

#include <dwarf.h>
#include <stdlib.h>

#include "formats/base/array.h"

#define DEPTH_MAX 128u /* of entries: functions and blocks that are in each other */

struct visit {
    uint64_t *left;
    mwr_take_call *take;
    void *context;
};

/* An address that a call has; 0: none. */
static Dwarf_Addr address_in(Dwarf_Die *entry, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Addr address = 0;

    return dwarf_formaddr(dwarf_attr(entry, name, &attribute), &address) == 0 ? address : 0;
}

static bool has_flag(Dwarf_Die *entry, unsigned name)
{
    Dwarf_Attribute attribute;
    bool is = false;

    return dwarf_formflag(dwarf_attr(entry, name, &attribute), &is) == 0 && is;
}

static struct mwr_call read_call(Dwarf_Die *entry)
{
    const bool is_old = dwarf_tag(entry) == DW_TAG_GNU_call_site;
    struct mwr_call call = {
        .behind = address_in(entry, is_old ? DW_AT_low_pc : DW_AT_call_return_pc),
        .own = address_in(entry, DW_AT_call_pc),
        .is_jump = has_flag(entry, is_old ? DW_AT_GNU_tail_call : DW_AT_call_tail_call),
    };
    Dwarf_Attribute attribute;

    call.is_known = dwarf_formref_die(
        dwarf_attr(entry, is_old ? DW_AT_abstract_origin : DW_AT_call_origin, &attribute),
        &call.called);
    return call;
}

static bool go_through(struct visit *visit, Dwarf_Die *entry, unsigned depth)
{
    Dwarf_Die child;

    if (depth == DEPTH_MAX) {
        return false;
    }
    for (bool has = dwarf_child(entry, &child) == 0; has;
         has = dwarf_siblingof(&child, &child) == 0) {
        const int tag = dwarf_tag(&child);

        if (*visit->left == 0) {
            return false;
        }
        *visit->left -= 1;
        if (tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site) {
            const struct mwr_call call = read_call(&child);

            visit->take(visit->context, &call);
        } else if (tag != DW_TAG_subprogram && !go_through(visit, &child, depth + 1)) {
            return false;
        }
    }
    return true;
}

bool mwr_calls_of(Dwarf_Die *function, uint64_t *left, mwr_take_call *take, void *context)
{
    struct visit visit = {left, take, context};

    return go_through(&visit, function, 0);
}

static void add(void *context, const struct mwr_call *call)
{
    struct mwr_function_calls *calls = context;

    if (call->behind > 0 && call->is_known &&
        mw_array_grow((void **)&calls->list, calls->count, sizeof *call)) {
        calls->list[calls->count++] = *call;
    }
}

static int by_address(const void *one, const void *other)
{
    const struct mwr_call *a = one;
    const struct mwr_call *b = other;

    return (a->behind > b->behind) - (a->behind < b->behind);
}

void mwr_function_calls_read(struct mwr_function_calls *calls, Dwarf_Die *function,
                             uint64_t *left)
{
    if (!calls->is_read) {
        calls->is_read = true;
        (void)mwr_calls_of(function, left, add, calls);
        if (calls->count > 0) {
            qsort(calls->list, calls->count, sizeof *calls->list, by_address);
        }
    }
}

size_t mwr_function_calls_from(const struct mwr_function_calls *calls, Dwarf_Addr address)
{
    size_t low = 0;

    for (size_t high = calls->count; low < high;) {
        const size_t middle = low + (high - low) / 2;

        if (calls->list[middle].behind < address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

struct mwr_call *mwr_function_calls_find(const struct mwr_function_calls *calls,
                                         Dwarf_Addr address)
{
    const size_t at = mwr_function_calls_from(calls, address);

    return at < calls->count && calls->list[at].behind == address ? &calls->list[at] : NULL;
}
