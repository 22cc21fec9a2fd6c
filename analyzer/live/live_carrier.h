#ifndef MWA_LIVE_LIVE_CARRIER_H
#define MWA_LIVE_LIVE_CARRIER_H

#include <sys/types.h>

#include "formats/spool/live_carry.h"

/* The process that speaks over MPI for this one (formats/spool/live_carry.h). Only here is known
 * that there is such a thing. */

struct mwa_live_carrier {
    int socket; /* -1: it is gone */
    pid_t pid;
    uint32_t rank;    /* of this process among those of its job */
    uint32_t tellers; /* whose messages it brings */
    char packet[MW_CARRY_BYTES_MAX];
};

/*
 * Starts it, and waits until it can speak. way and place are its arguments; place may be null.
 * mwa_live_carrier_end is due in any case.
 *
 * \return MW_OK; MW_ERROR_SYSTEM: it can't be run; MW_ERROR_MPI: it can't speak, and said why on
 * stderr.
 */
enum mw_status mwa_live_carrier_begin(struct mwa_live_carrier *carrier, const char *way,
                                      const char *place,
                                      struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Gives it a message for a number of struct mw_carry_head; what it does not take at once is
 * dropped. \return whether it took it. */
bool mwa_live_carrier_give(struct mwa_live_carrier *carrier, uint32_t to, const void *message,
                           size_t bytes);

/*
 * Takes what it brought within so many milliseconds. *data and *bytes, in the carrier: a message,
 * or why the teller number is over, valid until the next call.
 *
 * \return false: nothing came, or it is gone (socket is -1).
 */
bool mwa_live_carrier_take(struct mwa_live_carrier *carrier, int milliseconds,
                           struct mw_carry_head *head, const char **data, size_t *bytes);

/* Tells it that no message will come any more; it ends when it has done what it has to. */
void mwa_live_carrier_stop(struct mwa_live_carrier *carrier);

/* Ends it, by force if it does not end within fifteen seconds. */
void mwa_live_carrier_end(struct mwa_live_carrier *carrier);

#endif
