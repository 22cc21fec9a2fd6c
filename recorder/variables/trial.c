#include "recorder/variables/trial.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/dispatch/chain.h"
#include "recorder/recorder.h"
#include "recorder/variables/probe.h"
#include "recorder/variables/pvar_selection.h"

#define ELEMENTS_MAX 65536

/* --- whether ------------------------------------------------------------------------- */

static bool has_entries(const char *directory)
{
    DIR *stream = opendir(directory);
    const struct dirent *entry;
    bool any = false;

    while (stream && !any && (entry = readdir(stream))) {
        any = entry->d_name[0] != '.';
    }
    if (stream) {
        closedir(stream);
    }
    return any;
}

/* InfiniBand, RoCE, Omni-Path, EFA; Slingshot; Aries. */
static bool has_rdma(void)
{
    return has_entries("/sys/class/infiniband") || has_entries("/sys/class/cxi") ||
           has_entries("/sys/class/gni");
}

bool mwr_trial_is_wanted(bool is_start)
{
    switch (mwr_recorder.settings.pvar_probe) {
    case MWR_PROBE_FORK:
        return true;
    case MWR_PROBE_OFF:
        return false;
    case MWR_PROBE_AUTO:
        break;
    }
    return is_start && !has_rdma();
}

/* --- performance variables ------------------------------------------------------------- */

/* For what runs in child processes; set just before these are started. */
static struct {
    const struct mwr_pvar *pvars;
    MPI_T_pvar_session session;
} tried;

static void touch_pvar(int at)
{
    const struct mwr_pvar *pvar = &tried.pvars[at];
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_T_pvar_handle handle;
    int count = 0;
    char *room;

    if (mwr_pvar_is_known(pvar->name) ||
        (pvar->bind != MWR_BIND_NONE && pvar->bind != MWR_BIND_COMM) ||
        MWR_PMPI(T_pvar_handle_alloc)(tried.session, pvar->index,
                                      pvar->bind == MWR_BIND_COMM ? &world : NULL, &handle,
                                      &count) != MPI_SUCCESS) {
        return;
    }
    room = count > 0 && count <= ELEMENTS_MAX ? calloc((size_t)count, pvar->element_bytes) : NULL;
    if (room) {
        (void)MWR_PMPI(T_pvar_read)(tried.session, handle, room);
    }
    free(room);
    MWR_PMPI(T_pvar_handle_free)(tried.session, &handle);
}

static bool has_unknown(const struct mwr_pvars *pvars, uint32_t first)
{
    for (uint32_t i = first; i < pvars->count; i++) {
        if (!mwr_pvar_is_known(pvars->list[i].name)) {
            return true;
        }
    }
    return false;
}

void mwr_trial_of_pvars(struct mwr_pvars *pvars, uint32_t first, MPI_T_pvar_session session)
{
    uint32_t count = pvars->count - first;
    uint32_t kept = first;
    int *signals = has_unknown(pvars, first) ? calloc(count, sizeof *signals) : NULL;
    char why[128];

    if (!signals) {
        return;
    }
    tried.pvars = pvars->list + first;
    tried.session = session;
    (void)mwr_probe((int)count, touch_pvar, MWR_TRIAL_SECONDS, signals);
    for (uint32_t i = first; i < pvars->count; i++) {
        if (signals[i - first] == 0) {
            pvars->list[kept++] = pvars->list[i];
            continue;
        }
        snprintf(why, sizeof why, "a child process that read it died of signal %d (%s)",
                 signals[i - first], strsignal(signals[i - first]));
        mwr_pvars_refuse(pvars, pvars->list[i].name, why);
    }
    pvars->count = kept;
    free(signals);
}
