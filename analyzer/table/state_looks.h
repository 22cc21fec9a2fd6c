#ifndef MWA_TABLE_STATE_LOOKS_H
#define MWA_TABLE_STATE_LOOKS_H

#include <stdint.h>
#include <stdio.h>

#include "analyzer/analysis/time/location_activity.h"
#include "analyzer/model/trace.h"

/*
 * How the states of ranks and of other locations look, in pages and pictures alike: colours of
 * Okabe and Ito, which all kinds of colour vision tell apart.
 */

struct mwa_colour {
    uint8_t red, green, blue, alpha;
};

struct mwa_state_look {
    const char *key;  /* the variable of the page's style */
    const char *word; /* for people; mwa_state_word */
    struct mwa_colour colour;
};

/* By state; MWA_STATE_WAITING of ranks is MWA_LOCATION_SYNC of other locations. */
extern const struct mwa_state_look mwa_state_looks[MWA_LOCATION_STATES];

/*
 * What a rank's state is called. Where it is known when threads were on a core, useful is only what
 * was: the state that begins outside of MPI is then called that. Static storage.
 */
const char *mwa_state_word(const struct mwa_trace *trace, unsigned state);

/* Prints "#009e73"; alpha is left out. Errors of out stay in out. */
void mwa_put_colour(const struct mwa_colour *colour, FILE *out);

#endif
