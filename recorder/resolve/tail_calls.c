/*
 * What a function does last is a jump from -O2 on, and leaves no frame of it: the call would be
 * told at the line that calls the function. Compilers tell the jumps of a function, and whether
 * these are all (DWARF 5, DW_AT_call_all_calls), by which debuggers find such frames, too.
 */
#include "recorder/resolve/tail_calls.h"

#include <dwarf.h>
#include <string.h>
#include <strings.h>

#include "formats/table/calls.h"
#include "formats/table/wrapper_name.h"
#include "recorder/resolve/function_calls.h"

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
    uint64_t *left; /* entries */
    const void *seen[FUNCTIONS_MAX];
    unsigned seen_count;
    struct jump way[FUNCTIONS_MAX]; /* to the function that is looked at */
    unsigned length;
    struct jump found[FUNCTIONS_MAX]; /* the way to MPI */
    unsigned found_length;
    unsigned ways;
    bool is_open; /* there may be others */
};

static bool has_flag(Dwarf_Die *entry, unsigned name)
{
    Dwarf_Attribute attribute;
    bool is = false;

    return dwarf_formflag(dwarf_attr(entry, name, &attribute), &is) == 0 && is;
}

static bool tells_all_jumps(Dwarf_Die *function)
{
    return has_flag(function, DW_AT_call_all_calls) ||
           has_flag(function, DW_AT_call_all_tail_calls) ||
           has_flag(function, DW_AT_GNU_all_call_sites) ||
           has_flag(function, DW_AT_GNU_all_tail_call_sites);
}

const char *mwr_function_name(Dwarf_Die *function)
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
static void follow(struct search *search, struct mwr_call jump)
{
    Dwarf_Die function;

    if (!jump.is_known) {
        search->is_open = true;
    } else if (search->definition_of(search->context, &jump.called, &function)) {
        look_at(search, &function);
    } else if (names(mwr_function_name(&jump.called), search->call)) {
        search->ways++;
        search->found_length = search->length;
        memcpy(search->found, search->way, search->length * sizeof search->way[0]);
    } else if (!is_of_mpi(mwr_function_name(&jump.called))) {
        search->is_open = true;
    }
}

static void take(void *context, const struct mwr_call *call)
{
    struct search *search = context;

    if (call->is_jump) {
        search->way[search->length - 1].address = call->own > 0      ? call->own
                                                  : call->behind > 0 ? call->behind - 1
                                                                     : 0;
        follow(search, *call);
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
        search->is_open |= !mwr_calls_of(function, search->left, take, search);
        search->length--;
    }
}

Dwarf_Addr mwr_tail_call(Dwarf_Die *function, const char *call,
                         mwr_definition_of *definition_of, void *context, uint64_t *left)
{
    struct search search = {
        .call = call, .definition_of = definition_of, .context = context, .left = left};

    look_at(&search, function);
    if (search.is_open || search.ways != 1) {
        return 0;
    }
    for (unsigned i = search.found_length; i > 0; i--) {
        struct jump *jump = &search.found[i - 1];

        if (!mw_wraps_calls(mwr_function_name(&jump->function), call)) {
            return jump->address;
        }
    }
    return 0;
}
