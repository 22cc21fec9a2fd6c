/*
 * PR_SET_PDEATHSIG is of no use: it signals when the thread has ended that started the child, and
 * that is a thread of one connection. So the child inherits the end of a pipe that nothing is ever
 * written to. The kernel closes the other one when we are gone, and signals that as any news of a
 * descriptor, to whom F_SETOWN names; the child needs to know nothing of it.
 */
#include "analyzer/view/view_tether.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

enum mw_status mwa_view_tether_make(struct mwa_view_tether *tether,
                                    struct mw_diagnostic *diagnostic)
{
    int ends[2];

    *tether = (struct mwa_view_tether){ -1, -1 };
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "can't make a pipe");
    }
    *tether = (struct mwa_view_tether){ ends[1], ends[0] };
    return MW_OK;
}

void mwa_view_tether_tie(struct mwa_view_tether *tether, pid_t child)
{
    fcntl(tether->given, F_SETOWN, child);
    fcntl(tether->given, F_SETSIG, SIGKILL);
    fcntl(tether->given, F_SETFL, O_ASYNC);
    close(tether->given);
    tether->given = -1;
}

void mwa_view_tether_cut(struct mwa_view_tether *tether)
{
    if (tether->given >= 0) {
        close(tether->given);
    }
    if (tether->held >= 0) {
        close(tether->held);
    }
    *tether = (struct mwa_view_tether){ -1, -1 };
}
