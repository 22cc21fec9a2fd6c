/*
 * What a function does last is a jump from -O2 on, and leaves no frame of it: the call would be
 * told at the line that calls the function. Compilers tell the jumps of a function, and whether
 * these are all (DWARF 5, DW_AT_call_all_calls), by which debuggers find such frames, too.
 */
#include "recorder/resolve/tail_calls.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "formats/base/array.h"
#include "formats/table/calls.h"
#include "formats/table/wrapper_name.h"

#define DEPTH_MAX     128u /* of entries: functions and blocks that are in each other */
#define FUNCTIONS_MAX 64u  /* that may be jumped to */

/* A jump at the end of a function. */
struct jump {
    Dwarf_Die function;
    Dwarf_Addr address; /* 0: not told */
};

struct search {
    const char *call;
    mwr_definition_of *definition_of;
    void *context;
    struct mwr_function_calls *calls;
    bool is_listing; /* calls, and not following jumps */
    const void *seen[FUNCTIONS_MAX];
    unsigned seen_count;
    struct jump way[FUNCTIONS_MAX]; /* to the function that is looked at */
    unsigned length;
    struct jump found[FUNCTIONS_MAX]; /* the way to MPI */
    unsigned found_length;
    unsigned ways;
    bool is_open; /* there may be others */
};

static bool is_call_site(Dwarf_Die *entry)
{
    return dwarf_tag(entry) == DW_TAG_call_site || dwarf_tag(entry) == DW_TAG_GNU_call_site;
}

/* What a call is of. False: it is not told, as of those by pointers. */
static bool origin_of(Dwarf_Die *entry, Dwarf_Die *origin)
{
    const bool is_old = dwarf_tag(entry) == DW_TAG_GNU_call_site;
    Dwarf_Attribute attribute;

    return dwarf_formref_die(dwarf_attr(entry, is_old ? DW_AT_abstract_origin : DW_AT_call_origin,
                                        &attribute),
                             origin) != NULL;
}

/* An address that a call has; 0: none. */
static Dwarf_Addr address_in(Dwarf_Die *entry, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Addr address = 0;

    return dwarf_formaddr(dwarf_attr(entry, name, &attribute), &address) == 0 ? address : 0;
}

/* Behind the call. */
static Dwarf_Addr return_of(Dwarf_Die *entry)
{
    return address_in(entry, dwarf_tag(entry) == DW_TAG_GNU_call_site ? DW_AT_low_pc
                                                                      : DW_AT_call_return_pc);
}

static bool has_flag(Dwarf_Die *entry, unsigned name)
{
    Dwarf_Attribute attribute;
    bool is = false;

    return dwarf_formflag(dwarf_attr(entry, name, &attribute), &is) == 0 && is;
}

static bool is_jump(Dwarf_Die *entry)
{
    return has_flag(entry, DW_AT_call_tail_call) || has_flag(entry, DW_AT_GNU_tail_call);
}

static bool tells_all_jumps(Dwarf_Die *function)
{
    return has_flag(function, DW_AT_call_all_calls) ||
           has_flag(function, DW_AT_call_all_tail_calls) ||
           has_flag(function, DW_AT_GNU_all_call_sites) ||
           has_flag(function, DW_AT_GNU_all_tail_call_sites);
}

/* The linker's name, of C++, or that of the source. */
static const char *name_of(Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    const char *name = dwarf_formstring(
        dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute));

    name = name ? name : dwarf_diename(function);
    return name ? name : "";
}

/* Whether a name of C or Fortran is that of a function of MPI. */
static bool names(const char *name, const char *call)
{
    const size_t length = strlen(call);

    return strncasecmp(name, call, length) == 0 && name[length + strspn(name + length, "_")] == 0;
}

static bool is_of_mpi(const char *name)
{
    for (unsigned i = 0; i < MW_CALL_COUNT; i++) {
        if (names(name, mw_call_name(i))) {
            return true;
        }
    }
    return false;
}

static void look_at(struct search *search, Dwarf_Die *function);

/* A function of this file goes on; MPI's end it. */
static void follow(struct search *search, Dwarf_Die *entry)
{
    Dwarf_Die origin, function;

    if (!origin_of(entry, &origin)) {
        search->is_open = true;
    } else if (search->definition_of(search->context, &origin, &function)) {
        look_at(search, &function);
    } else if (names(name_of(&origin), search->call)) {
        search->ways++;
        search->found_length = search->length;
        memcpy(search->found, search->way, search->length * sizeof search->way[0]);
    } else if (!is_of_mpi(name_of(&origin))) {
        search->is_open = true;
    }
}

static void list(struct mwr_function_calls *calls, Dwarf_Die *entry)
{
    struct mwr_function_call call = {.address = return_of(entry)};

    if (call.address > 0 && !is_jump(entry) && origin_of(entry, &call.called) &&
        mw_array_grow((void **)&calls->list, calls->count, sizeof call)) {
        calls->list[calls->count++] = call;
    }
}

static void take(struct search *search, Dwarf_Die *entry)
{
    if (search->is_listing) {
        list(search->calls, entry);
    } else if (is_jump(entry)) {
        const Dwarf_Addr own = address_in(entry, DW_AT_call_pc);
        const Dwarf_Addr behind = return_of(entry);

        search->way[search->length - 1].address = own > 0 ? own : behind > 0 ? behind - 1 : 0;
        follow(search, entry);
    }
}

/* Takes calls that are told below an entry. */
static void visit(struct search *search, Dwarf_Die *entry, unsigned depth)
{
    Dwarf_Die child;

    if (depth == DEPTH_MAX) {
        search->is_open = true;
        return;
    }
    for (bool has = dwarf_child(entry, &child) == 0; has;
         has = dwarf_siblingof(&child, &child) == 0) {
        if (search->calls->left == 0) {
            search->is_open = true;
            return;
        }
        search->calls->left--;
        if (is_call_site(&child)) {
            take(search, &child);
        } else if (dwarf_tag(&child) != DW_TAG_subprogram) {
            visit(search, &child, depth + 1);
        }
    }
}

/* One that two ways lead to leaves open which was taken. */
static void look_at(struct search *search, Dwarf_Die *function)
{
    for (unsigned i = 0; i < search->seen_count; i++) {
        search->is_open |= search->seen[i] == function->addr;
    }
    search->is_open |= search->seen_count == FUNCTIONS_MAX || !tells_all_jumps(function);
    if (!search->is_open) {
        search->seen[search->seen_count++] = function->addr;
        search->way[search->length++].function = *function;
        visit(search, function, 0);
        search->length--;
    }
}

static int by_address(const void *one, const void *other)
{
    const struct mwr_function_call *a = one;
    const struct mwr_function_call *b = other;

    return (a->address > b->address) - (a->address < b->address);
}

/* What the function calls right before the address; null: that is not told. */
static struct mwr_function_call *find_call(struct mwr_function_calls *calls, Dwarf_Die *function,
                                           Dwarf_Addr address)
{
    const struct mwr_function_call asked = {.address = address};
    struct search search = {.calls = calls, .is_listing = true};

    if (calls->function != function->addr) {
        calls->function = function->addr;
        calls->count = 0;
        visit(&search, function, 0);
        if (calls->count > 0) {
            qsort(calls->list, calls->count, sizeof *calls->list, by_address);
        }
    }
    return calls->count > 0 ? bsearch(&asked, calls->list, calls->count, sizeof *calls->list,
                                      by_address)
                            : NULL;
}

Dwarf_Addr mwr_tail_call(Dwarf_Die *function, Dwarf_Addr address, const char *call,
                         mwr_definition_of *definition_of, void *context,
                         struct mwr_function_calls *calls)
{
    struct search search = {
        .call = call, .definition_of = definition_of, .context = context, .calls = calls};
    struct mwr_function_call *made = find_call(calls, function, address);
    Dwarf_Die called;

    if (!made || !definition_of(context, &made->called, &called)) {
        return 0;
    }
    look_at(&search, &called);
    if (search.is_open || search.ways != 1) {
        return 0;
    }
    for (unsigned i = search.found_length; i > 0; i--) {
        struct jump *jump = &search.found[i - 1];

        if (!mw_wraps_calls(name_of(&jump->function), call)) {
            return jump->address;
        }
    }
    return 0;
}

void mwr_function_calls_fini(struct mwr_function_calls *calls)
{
    free(calls->list);
    *calls = (struct mwr_function_calls){.left = 0};
}
