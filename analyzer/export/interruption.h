#ifndef MWA_EXPORT_INTERRUPTION_H
#define MWA_EXPORT_INTERRUPTION_H

#include <stdbool.h>

/*
 * Signals by which users and batch systems end a program (SIGHUP, SIGINT, SIGTERM), while there is
 * something to be cleared away first. For the main thread; not nested.
 */

/* From here on such a signal only leaves a mark; one that is ignored stays so. */
void mwa_interruption_hold(void);

/* Whether one has come since then. */
bool mwa_interruption_has_come(void);

/* Back to what it was; ends the program, as the signal would have, if one has come. */
void mwa_interruption_release(void);

#endif
