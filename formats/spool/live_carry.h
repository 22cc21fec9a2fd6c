#ifndef MW_FORMATS_SPOOL_LIVE_CARRY_H
#define MW_FORMATS_SPOOL_LIVE_CARRY_H

#include <stdint.h>

#include "formats/spool/live_message.h"

/*
 * What mpiwatch-top and the process beside it that knows MPI (mpiwatch-carry) tell each other over
 * a socket of type SOCK_SEQPACKET: packets of a head and up to MW_LIVE_BYTES_MAX bytes. Both are of
 * the same version and machine. The carrier hands messages on as they are, and does not look into
 * them. Its arguments: the descriptor of the socket, "together", or "serve" with where the port
 * goes to (a path with a slash in it, "stdout" or "stderr"), or "connect" and a file with ports.
 */

#define MW_CARRY_PROGRAM "mpiwatch-carry"

enum mw_carry_kind {
    MW_CARRY_HELLO,   /* from the carrier, first: number tellers; the text of a rank: "0" */
    MW_CARRY_MESSAGE, /* of the teller number, or of somebody who watches what it tells; to the
                         carrier: for that number */
    MW_CARRY_OVER     /* the teller number tells nothing more; the text, if any, is why */
};

/* The number of those who watch: together, the first process; of a server, all its clients. */
#define MW_CARRY_WATCHERS UINT32_MAX

struct mw_carry_head {
    uint32_t kind; /* enum mw_carry_kind */
    uint32_t number;
};

#define MW_CARRY_BYTES_MAX (MW_LIVE_BYTES_MAX + sizeof(struct mw_carry_head))

#endif
