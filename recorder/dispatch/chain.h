#ifndef MWR_DISPATCH_CHAIN_H
#define MWR_DISPATCH_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/base/status.h"
#include "formats/table/calls.h"
#include "recorder/dispatch/mpi_header.h"

/*
 * How a call travels: entry point → tools, outermost first → base → library.
 *
 * The recorder is one of the tools (tools.h). Each tool's function gets the context of
 * the call and its own tool id before the arguments, and calls the next one with the
 * next one's id (that is the calling convention of QMPI, where id 0 is the library).
 * Who follows whom is computed once; only the recorder comes and goes, and with it the
 * functions in `first` and in the recorder's own instance, while the ids stay: reading
 * a link needs no lock.
 *
 * What a PMPI tool that was preloaded or linked behind the recorder sees of all that is what it
 * would see without it: MPI_X of the program, of its callbacks and of the MPI itself, but none of
 * PMPI_X, and nothing of what the recorder does.
 */

typedef void (*mwr_function)(void);

struct mwr_context {
    void *caller; /* the address that called MPI; QMPI's storage_stack lies here */
};

struct mwr_link {
    mwr_function function;
    intptr_t tool;
};

struct mwr_chain {
    bool ready;                           /* nothing below changes but for the recorder */
    bool interpose_pmpi;                  /* calls by PMPI_X are seen, too */
    bool is_recorded[MW_CALL_COUNT];      /* its group is, or it is a call always recorded */
    bool has_tool_below[MW_CALL_COUNT];   /* next is not the library's, as far as is known */
    struct mwr_link first[MW_CALL_COUNT]; /* what the entry point calls */
    struct mwr_link after[MW_CALL_COUNT]; /* what the recorder's hook calls */
    mwr_function next[MW_CALL_COUNT];     /* MPI_X below us: a PMPI tool's, or the library's */
    mwr_function library[MW_CALL_COUNT];  /* PMPI_X of the library */
};

extern struct mwr_chain mwr_chain;

/* Acquire: a thread that another one's first call was quicker than sees all of the chain. */
MW_INLINE bool mwr_chain_is_ready(void)
{
    return __atomic_load_n(&mwr_chain.ready, __ATOMIC_ACQUIRE);
}

/*
 * Finds the library's functions at the first MPI call of the process, whichever it is.
 * Puts the tools in as soon as all that are listed have registered, or else when call
 * is one by which MPI starts; until then every call goes straight through. The
 * recorder follows only MPI_Init and MPI_Init_thread at first, which start it.
 * To be called until mwr_chain_is_ready. Thread-safe; does nothing when a tool's
 * constructor or init function calls MPI.
 */
void mwr_chain_prepare(unsigned call);

/*
 * Puts the recorder's hooks in for the calls of groups (1 << enum mw_group) and for
 * those that it follows always: start and end, pausing, communicators.
 */
void mwr_chain_select(uint32_t groups);

/* Lets every call pass the recorder by; the other tools stay. */
void mwr_chain_bypass(void);

/* The recorder's hook of a call, null if this MPI does not have it (hooks/hooks.c). */
mwr_function mwr_hook_of(unsigned call);
/* Whether the recorder follows the call, or its requests, whatever the groups. */
bool mwr_hook_is_permanent(unsigned call);
/*
 * Learns which calls can be filtered by what they are on, what is to be done before a call is
 * entered, and of which calls only the requests are followed; before recording begins, when it
 * is known what is filtered and whether there are threads.
 */
void mwr_hooks_start(void);
/* The last link, which calls who is below us; null if this MPI does not have it (base.c). */
mwr_function mwr_base_of(unsigned call);
/* Who gets a call inside of another one: next, or the library for PMPI_X and inside of the
 * recorder's own calls (mwr_thread.is_own). Any thread. */
mwr_function mwr_chain_inside(unsigned call, bool is_pmpi);
/*
 * The call's gate: a function to which the id says whose next link to follow, at the time
 * of the call. It stands for the recorder, which comes and goes, and for what init
 * functions can't know yet (base.c).
 */
mwr_function mwr_gate_of(unsigned call);

/* Types: mwr_MPI_Send_function is MPI_Send's, mwr_MPI_Send_link that of a tool's hook. */
#define MWR_ROW(prefix, name, type, group, kind, params, args, link_params, link_args)          \
    typedef type mwr_##prefix##_##name##_function params;                                       \
    typedef type mwr_##prefix##_##name##_link link_params;
#include "recorder/dispatch/rows.h"

/* The library's own function, for the recorder's calls: MWR_PMPI(Comm_rank)(comm, &rank). */
#define MWR_PMPI(name)                                                                          \
    ((mwr_MPI_##name##_function *)mwr_chain.library[MW_CALL_MPI_##name])

#endif
