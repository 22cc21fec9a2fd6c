#include "recorder/dispatch/chain.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mwr_chain mwr_chain;

/*
 * libmpi must stay among what the preloaded library needs, or it could not be found
 * by dlsym(RTLD_NEXT) in programs that open MPI themselves (mpi4py). The linker drops
 * libraries that only functions refer to when we define these functions ourselves; an
 * object that MPI owns keeps it.
 */
__attribute__((used, visibility("hidden"))) void *const mwr_keeps_libmpi_needed =
    &MPI_F_STATUS_IGNORE;

static mwr_function find(const char *prefix, const char *name)
{
    char symbol[128];

    snprintf(symbol, sizeof symbol, "%s%s", prefix, name);
    return (mwr_function)dlsym(RTLD_NEXT, symbol);
}

static void set_first(unsigned call, mwr_function function, intptr_t tool)
{
    mwr_chain.first[call].tool = tool;
    __atomic_store_n(&mwr_chain.first[call].function, function, __ATOMIC_RELEASE);
}

static void prepare_once(void)
{
    const char *interpose = getenv("MPIWATCH_INTERPOSE_PMPI");

    for (unsigned call = 0; call < MW_CALL_COUNT; call++) {
        mwr_function base = mwr_base_of(call);

        if (base) {
            mwr_chain.library[call] = find("P", mw_call_name(call));
            mwr_chain.next[call] = find("", mw_call_name(call));
            if (!mwr_chain.next[call]) {
                mwr_chain.next[call] = mwr_chain.library[call];
            }
            mwr_chain.after[call].function = base;
        }
    }
    mwr_chain_bypass();
    for (unsigned call = 0; call < MW_CALL_COUNT; call++) {
        if (call == MW_CALL_MPI_Init || call == MW_CALL_MPI_Init_thread) {
            set_first(call, mwr_hook_of(call), 1);
        }
    }
    mwr_chain.interpose_pmpi = !interpose || strcmp(interpose, "0") != 0;
    __atomic_store_n(&mwr_chain.ready, true, __ATOMIC_RELEASE);
}

void mwr_chain_prepare(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, prepare_once);
}

/* The run time of a rank is measured by these. */
static bool is_always_recorded(unsigned call)
{
    return call == MW_CALL_MPI_Init || call == MW_CALL_MPI_Init_thread ||
           call == MW_CALL_MPI_Finalize;
}

void mwr_chain_select(uint32_t groups)
{
    for (unsigned call = 0; call < MW_CALL_COUNT; call++) {
        mwr_function hook = mwr_hook_of(call);
        bool is_selected = groups >> mw_call_group(call) & 1;

        mwr_chain.is_recorded[call] = is_selected || is_always_recorded(call);
        if (hook && (is_selected || mwr_hook_is_permanent(call))) {
            set_first(call, hook, 1);
        }
    }
}

void mwr_chain_bypass(void)
{
    for (unsigned call = 0; call < MW_CALL_COUNT; call++) {
        set_first(call, mwr_base_of(call), 0);
    }
}
