/*
 * The MPI counts who has initialized MPI_T, and the recorder is one of them: a program that has
 * not would be served, and one that finalizes it once too often would do so for the recorder, whose
 * handles would be gone. So the others are counted, at the library's own function, which their
 * calls come to by different ways: from the program, from a tool above or below the recorder, from
 * inside of another call. Who finds it in the library itself comes past that: Open MPI's own count
 * has them, too, and decides where there is one.
 */
#include "recorder/variables/own_mpi_t.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>

#include "recorder/dispatch/chain.h"

/* Found once, with the library's other functions, before any call goes through. */
static mwr_MPI_T_init_thread_function *library_init, *next_init;
static mwr_MPI_T_finalize_function *library_finalize, *next_finalize;

/* Atomic: who have initialized it, and have not finalized it; whether the recorder has. */
static atomic_int others;
static atomic_bool is_own;

/* Open MPI's: how many have initialized it, the recorder included. Null: there is none. */
static const volatile uint32_t *library_count;

/* How many counting functions are below each other: who is below may call the library by PMPI. */
static _Thread_local int depth;

static int init_by(mwr_MPI_T_init_thread_function *function, int required, int *provided)
{
    int result;

    depth++;
    result = function(required, provided);
    depth--;
    if (result == MPI_SUCCESS && depth == 0) {
        atomic_fetch_add(&others, 1);
    }
    return result;
}

/* Takes one of the others out, before the library does; false: there is none. */
static bool take_out(void)
{
    int count = atomic_load(&others);

    while (count > 0 && !atomic_compare_exchange_weak(&others, &count, count - 1)) {
    }
    return count > 0;
}

/* Whether the library has somebody else who has initialized it; if it does not tell, as counted. */
static bool has_others(bool are_counted)
{
    return library_count ? *library_count > 1 : are_counted;
}

static int finalize_by(mwr_MPI_T_finalize_function *function)
{
    const bool is_taken = depth == 0 && take_out();
    int result;

    if (depth == 0 && atomic_load(&is_own) && !has_others(is_taken)) {
        return MPI_T_ERR_NOT_INITIALIZED;
    }
    depth++;
    result = function();
    depth--;
    if (is_taken && result != MPI_SUCCESS) {
        atomic_fetch_add(&others, 1);
    }
    return result;
}

static int counted_init(int required, int *provided)
{
    return init_by(library_init, required, provided);
}

static int counted_next_init(int required, int *provided)
{
    return init_by(next_init, required, provided);
}

static int counted_finalize(void)
{
    return finalize_by(library_finalize);
}

static int counted_next_finalize(void)
{
    return finalize_by(next_finalize);
}

void mwr_own_mpi_t_prepare(void)
{
    library_init = MWR_PMPI(T_init_thread);
    library_finalize = MWR_PMPI(T_finalize);
    library_count = dlsym(RTLD_NEXT, "ompi_mpit_init_count");
    next_init = (mwr_MPI_T_init_thread_function *)mwr_chain.next[MW_CALL_MPI_T_init_thread];
    next_finalize = (mwr_MPI_T_finalize_function *)mwr_chain.next[MW_CALL_MPI_T_finalize];
    mwr_chain.library[MW_CALL_MPI_T_init_thread] = (mwr_function)counted_init;
    mwr_chain.library[MW_CALL_MPI_T_finalize] = (mwr_function)counted_finalize;
    mwr_chain.next[MW_CALL_MPI_T_init_thread] = (mwr_function)counted_next_init;
    mwr_chain.next[MW_CALL_MPI_T_finalize] = (mwr_function)counted_next_finalize;
}

bool mwr_own_mpi_t_begin(void)
{
    int provided;

    if (library_init(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) {
        return false;
    }
    atomic_store(&is_own, true);
    return true;
}

void mwr_own_mpi_t_end(void)
{
    if (atomic_exchange(&is_own, false)) {
        library_finalize();
    }
}

bool mwr_own_mpi_t_refuses(unsigned call)
{
    return mw_call_group(call) == MW_GROUP_TOOL && call != MW_CALL_MPI_T_init_thread &&
           atomic_load(&is_own) && !has_others(atomic_load(&others) > 0);
}
