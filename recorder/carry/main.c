/*
 * mpiwatch-carry: what mpiwatch-top starts beside itself to speak over MPI. No user does; what it
 * is told and tells is in formats/spool/live_carry.h.
 */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "formats/archive/lent_library.h"
#include "formats/base/printable.h"
#include "recorder/carry/carry.h"

static int complain(const struct mw_diagnostic *diagnostic)
{
    char text[2048];
    char shown[4096];

    mw_diagnostic_text(diagnostic, text, sizeof text);
    fprintf(stderr, "mpiwatch-top: %s\n", mw_printable(text, shown, sizeof shown));
    return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    static const char *const ways[] = {"together", "serve", "connect"};
    struct mwr_carry_job job = {.place = argc > 3 ? argv[3] : NULL};
    struct mw_diagnostic diagnostic = {0};
    __typeof__(&mpiwatch_carry) carry;
    size_t way = 0;

    while (way < sizeof ways / sizeof ways[0] && argc > 2 && strcmp(argv[2], ways[way]) != 0) {
        way++;
    }
    if (argc < 3 || way == sizeof ways / sizeof ways[0] || (way > 0 && !job.place)) {
        fprintf(stderr, "mpiwatch-carry: mpiwatch-top starts this program\n");
        return EXIT_FAILURE;
    }
    job.way = (enum mwr_carry_way)way;
    job.socket = (int)strtol(argv[1], NULL, 10);
    /* Nobody would end it, were mpiwatch-top to end without a word. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN); /* mpiwatch-top gets it, too, and tells */
    signal(SIGTERM, SIG_IGN);
    carry = (__typeof__(carry))mw_lent_function(NULL, "mpiwatch_carry", &diagnostic);
    return carry && carry(&job, PACKAGE_STRING, &diagnostic) == MW_OK ? EXIT_SUCCESS
                                                                     : complain(&diagnostic);
}
