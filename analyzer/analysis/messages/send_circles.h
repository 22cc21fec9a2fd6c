#ifndef MWA_ANALYSIS_MESSAGES_SEND_CIRCLES_H
#define MWA_ANALYSIS_MESSAGES_SEND_CIRCLES_H

#include "analyzer/analysis/messages/mistakes.h"

/*
 * Sends in a circle: ranks that call MPI_Send before each of them posts the receive that the one
 * before it in the circle waits for. They went on because the MPI had kept the messages, which it
 * need not do (MPI 4.0, 3.5): with larger messages, or another MPI, all of them hang.
 *
 * A rank can leave its i-th MPI_Send, if nothing is kept, when its receive is posted; and that is
 * posted when the receiver has left the k sends that it had made before. So each send needs the
 * k-th one of its receiver, and one that needs itself is in a circle. That is so whatever the times
 * were. Of main threads; messages received by what was posted outside of the record are left out.
 */
extern const struct mwa_exchange_analysis mwa_send_circles_analysis; /* struct mwa_mistakes */

#endif
