/*
 * Nothing is computed when a call is made: who follows whom is found once, for
 * every call and instance, and the entry point reads one link. All that may change
 * later is whether the recorder's hook is in it.
 */
#include "recorder/dispatch/chain.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/dispatch/guard.h"
#include "recorder/dispatch/tools.h"
#include "recorder/hooks/init_hooks.h"
#include "recorder/hooks/nested.h"
#include "recorder/variables/own_mpi_t.h"

/*
 * Written under the lock of mwr_chain_prepare until it is ready; afterwards by who begins and
 * ends recording: only the links to and around the recorder's hook change, by atomics.
 */
struct mwr_chain mwr_chain;

/*
 * libmpi must stay among what the preloaded library needs, or it could not be found
 * by dlsym(RTLD_NEXT) in programs that open MPI themselves (mpi4py). The linker drops
 * libraries that only functions refer to when we define these functions ourselves; an
 * object that MPI owns keeps it.
 */
/* (A macro in the MPI ABI, whose library configure has linked by --no-as-needed.) */
#ifndef MWR_MPI_IS_ABI
__attribute__((used, visibility("hidden"))) void *const mwr_keeps_libmpi_needed =
    &MPI_F_STATUS_IGNORE;
#endif

static mwr_function find(const char *prefix, const char *name)
{
    char symbol[128];

    snprintf(symbol, sizeof symbol, "%s%s", prefix, name);
    return (mwr_function)dlsym(RTLD_NEXT, symbol);
}

static void set_first(unsigned call, struct mwr_link link)
{
    mwr_chain.first[call].tool = link.tool;
    __atomic_store_n(&mwr_chain.first[call].function, link.function, __ATOMIC_RELEASE);
}

static void find_functions(void)
{
    const char *interpose = getenv("MPIWATCH_INTERPOSE_PMPI");

    for (unsigned call = 0; call < MW_CALL_COUNT; call++) {
        if (mwr_base_of(call)) {
            mwr_chain.library[call] = find("P", mw_call_name(call));
            mwr_chain.next[call] = find("", mw_call_name(call));
            /* A few have one name only: MPIX_Query_cuda_support of Open MPI. */
            if (!mwr_chain.next[call]) {
                mwr_chain.next[call] = mwr_chain.library[call];
            } else if (!mwr_chain.library[call]) {
                mwr_chain.library[call] = mwr_chain.next[call];
            }
            /* Where the library has two functions for the names, this is true without a tool, and
             * either does the same. */
            mwr_chain.has_tool_below[call] = mwr_chain.next[call] != mwr_chain.library[call];
            set_first(call, (struct mwr_link){mwr_base_of(call), 0});
        }
    }
    mwr_nested_prepare();
    mwr_own_mpi_t_prepare();
    mwr_chain.interpose_pmpi = !interpose || strcmp(interpose, "0") != 0;
    if (!mwr_chain.interpose_pmpi) {
        mwr_say_what_is_hidden();
    }
}

mwr_function mwr_chain_inside(unsigned call, bool is_pmpi)
{
    return is_pmpi || mwr_thread.is_own ? mwr_chain.library[call] : mwr_chain.next[call];
}

/* The first instance after id that wants the call; 0: none, so the library is next. */
static int next_instance(int id, unsigned call)
{
    do {
        id++;
    } while (id <= mwr_tools.count && !mwr_tools.instances[id]->functions[call]);
    return id <= mwr_tools.count ? id : 0;
}

/* The link that follows instance id, or the program (0), for a call. */
static struct mwr_link link_after(int id, unsigned call)
{
    int next = next_instance(id, call);

    if (next == 0) {
        return (struct mwr_link){mwr_base_of(call), 0};
    }
    return (struct mwr_link){mwr_tools.instances[next]->functions[call], next};
}

/*
 * Puts the recorder's hook in or out. The ids stay what they are: the hook does not
 * look at its own, so it gets that of the instance after it.
 */
static void set_recorder(unsigned call, bool is_in)
{
    mwr_function function = is_in ? mwr_hook_of(call) : mwr_chain.after[call].function;
    struct mwr_instance *recorder = mwr_tools.instances[mwr_tools.recorder];

    if (!recorder || !function) {
        return;
    }
    __atomic_store_n(&recorder->next[call].function, function, __ATOMIC_RELEASE);
    if (next_instance(0, call) == mwr_tools.recorder) {
        __atomic_store_n(&mwr_chain.first[call].function, function, __ATOMIC_RELEASE);
    }
}

static bool is_start(unsigned call)
{
    return call == MW_CALL_MPI_Init || call == MW_CALL_MPI_Init_thread ||
           call == MW_CALL_MPI_Session_init;
}

/* What has to be seen before recording has started: it may start there, too. */
static bool is_early(unsigned call)
{
    return is_start(call) || call == MW_CALL_MPI_Session_finalize ||
           call == MW_CALL_MPI_Comm_create_from_group;
}

/* Who follows whom. */
static void link_instances(void)
{
    struct mwr_instance *recorder = mwr_tools.instances[mwr_tools.recorder];

    for (unsigned call = 0; call < MW_CALL_COUNT; call++) {
        if (!mwr_base_of(call)) {
            continue;
        }
        for (int id = 1; id <= mwr_tools.count; id++) {
            mwr_tools.instances[id]->next[call] = link_after(id, call);
        }
        if (recorder) {
            mwr_chain.after[call] = recorder->next[call];
        }
        set_first(call, recorder && next_instance(0, call) == mwr_tools.recorder
                            ? recorder->next[call]
                            : link_after(0, call));
        set_recorder(call, is_early(call));
    }
}

void mwr_chain_prepare(unsigned call)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct mwr_mark mark;

    pthread_once(&once, find_functions);
    if (!mwr_guard_raise(&mark, false)) {
        return;
    }
    pthread_mutex_lock(&lock);
    if (!mwr_chain.ready && mwr_tools_start(is_start(call))) {
        link_instances();
        __atomic_store_n(&mwr_chain.ready, true, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
    mwr_guard_lower();
}

/* The run time of a rank is measured by these, one that is cut short, too. */
static bool is_always_recorded(unsigned call)
{
    return is_start(call) || call == MW_CALL_MPI_Finalize ||
           call == MW_CALL_MPI_Session_finalize || call == MW_CALL_MPI_Abort;
}

void mwr_chain_select(uint32_t groups)
{
    for (unsigned call = 0; call < MW_CALL_COUNT; call++) {
        mwr_function hook = mwr_hook_of(call);
        bool is_selected = groups >> mw_call_group(call) & 1;

        mwr_chain.is_recorded[call] = is_selected || is_always_recorded(call);
        if (hook && (is_selected || mwr_hook_is_permanent(call))) {
            set_recorder(call, true);
        }
    }
}

void mwr_chain_bypass(void)
{
    for (unsigned call = 0; call < MW_CALL_COUNT; call++) {
        set_recorder(call, false);
    }
}
