#ifndef TEST_SYSTEM_FAKE_MPIT_EVENTS_H
#define TEST_SYSTEM_FAKE_MPIT_EVENTS_H

#include <mpi.h>

enum { FAKE_PACKET, FAKE_TICK, FAKE_ODD, FAKE_OTHER };

/* The elements of fake_packet; fake_tick has none. */
struct fake_packet {
    unsigned bytes;
    int peer;
    double ms;
};

typedef void fake_work(void);

/* What the next MPI_Barrier does before it is one: called inside of it. */
void fake_work_in_barrier(fake_work *function);

/* Calls back who registered for the event, if anybody did for that safety (0 to 3). */
void fake_raise(int event, int safety, const struct fake_packet *packet);

/* Tells who registered that so many of the event were dropped. */
void fake_drop(int event, int count);

#endif
