#ifndef MW_TEST_DATA_MAKER_H
#define MW_TEST_DATA_MAKER_H

#include <stdint.h>

#include <otf2/otf2.h>

/*
 * Makes tiny OTF2 archives through libotf2 alone, whose contents are worked out on paper.
 * Conventions are those of formats/ARCHIVE.md. Any failure ends the program with a
 * message: this is for programs that make test data.
 */

/* Regions that every archive of the maker has; ids are positions. */
enum maker_region {
    MAKER_INIT,
    MAKER_FINALIZE,
    MAKER_SEND,
    MAKER_RECV,
    MAKER_ISEND,
    MAKER_IRECV,
    MAKER_WAIT,
    MAKER_WAITALL,
    MAKER_TEST,
    MAKER_ALLREDUCE,
    MAKER_COMM_DUP,
    MAKER_COMM_FREE,
    MAKER_CANCEL,
    MAKER_REDUCE,
    MAKER_BCAST,
    MAKER_SCAN,
    MAKER_BARRIER,
    MAKER_IALLREDUCE,
    MAKER_NEIGHBOR,
    MAKER_INEIGHBOR,
    MAKER_ALLTOALLV,
    MAKER_IALLTOALLV,
    MAKER_START,
    MAKER_USER, /* "solve", no MPI */
    MAKER_WIN_CREATE,
    MAKER_WIN_FENCE,
    MAKER_WIN_POST,
    MAKER_WIN_START,
    MAKER_WIN_COMPLETE,
    MAKER_WIN_WAIT,
    MAKER_WIN_TEST,
    MAKER_WIN_LOCK,
    MAKER_WIN_UNLOCK,
    MAKER_WIN_FLUSH,
    MAKER_PUT,
    MAKER_GET,
    MAKER_PROBE,
    MAKER_FILE_WRITE,
    MAKER_FILE_CLOSE,
    MAKER_IPROBE,
    MAKER_FILE_IWRITE,
    MAKER_REGIONS
};

enum { MAKER_WORLD = 0, MAKER_SELF = 1 }; /* communicators that are always there */

struct maker;

/* An archive in directory, which must not exist, of ranks with the same number of threads. */
struct maker *maker_create(const char *directory, uint32_t ranks, uint32_t threads);

/* Communicators from 2 on, in order; parent is a communicator. Before any event. */
void maker_comm(struct maker *maker, const char *name, uint32_t parent, uint32_t count,
                const uint64_t *members);
void maker_inter_comm(struct maker *maker, const char *name, uint32_t parent, uint32_t count_a,
                      const uint64_t *members_a, uint32_t count_b, const uint64_t *members_b);

/*
 * The id of a group of world ranks, for parts of collectives to refer to. Before any event;
 * members must live until maker_finish.
 */
uint32_t maker_group(struct maker *maker, uint32_t count, const uint64_t *members);

/* The archive has a window on comm: RmaWin 0, "window". Before the end. */
void maker_window(struct maker *maker, uint32_t comm);

/* The same for an open file: IoHandle 0. */
void maker_file(struct maker *maker, uint32_t comm);

/* The archive tells what probes found. Before the end. */
void maker_found(struct maker *maker);

/* The trace's length in its clock properties; 100,000 ticks unless told. */
void maker_length(struct maker *maker, uint64_t length);

/* The ranks from first on are on node "two", which otherwise has the odd ones. */
void maker_second_host(struct maker *maker, uint32_t first);

/* Adds offset to the clock of rank at time, by a ClockOffset definition. */
void maker_clock(struct maker *maker, uint32_t rank, uint64_t time, int64_t offset);

/* The writer of a rank's thread, to write events with, and null as attributes. */
OTF2_EvtWriter *maker_writer(struct maker *maker, uint32_t rank, uint32_t thread);

/* The thread has no more events: frees its buffers, for archives of many ranks. */
void maker_through(struct maker *maker, uint32_t rank, uint32_t thread);

/* Shorthands: time, then what OTF2's functions want. */
void maker_enter(OTF2_EvtWriter *writer, uint64_t time, uint32_t region);
void maker_leave(OTF2_EvtWriter *writer, uint64_t time, uint32_t region);

/* Enter with mpiwatch.repeat and mpiwatch.inside: coalesced polls. */
void maker_enter_polls(OTF2_EvtWriter *writer, uint64_t time, uint32_t region, uint64_t repeat,
                       uint64_t inside);

/* A probe that found a message, for maker_found: the Enter, that of MPI_Probe, and the whole of
 * that. */
void maker_enter_found(OTF2_EvtWriter *writer, uint64_t time, uint32_t region, uint32_t comm,
                       uint32_t peer, uint32_t tag);
void maker_enter_probe(OTF2_EvtWriter *writer, uint64_t time, uint32_t comm, uint32_t peer,
                       uint32_t tag);
void maker_probe(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave, uint32_t comm,
                 uint32_t peer, uint32_t tag);

/* A blocking send from enter to leave, and a receive; the whole call. */
void maker_send(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave, uint32_t comm,
                uint32_t peer, uint32_t tag, uint64_t bytes);
void maker_recv(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave, uint32_t comm,
                uint32_t peer, uint32_t tag, uint64_t bytes);

/* A non-blocking one from enter to enter + 1, and its completion in an MPI_Wait. */
void maker_isend(OTF2_EvtWriter *writer, uint64_t enter, uint32_t comm, uint32_t peer,
                 uint32_t tag, uint64_t bytes, uint64_t request);
void maker_irecv(OTF2_EvtWriter *writer, uint64_t enter, uint64_t request);
void maker_wait_send(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave, uint64_t request);
void maker_wait_recv(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave, uint32_t comm,
                     uint32_t peer, uint32_t tag, uint64_t bytes, uint64_t request);

/* A collective operation of one rank; the whole call, in the region that operation names. */
struct maker_part {
    OTF2_CollectiveOp operation;
    uint32_t region; /* enum maker_region */
    uint32_t comm;
    uint32_t root;
    uint64_t sent;
    uint64_t received;
    uint32_t neighbors; /* mpiwatch.neighbors: a group, MAKER_UNKNOWN; 0: none */
    uint32_t sources;   /* mpiwatch.sources, likewise */
};

#define MAKER_UNKNOWN UINT32_MAX

void maker_collective(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave,
                      const struct maker_part *part);

/* A non-blocking one from enter to enter + 1, and its completion in an MPI_Wait. */
void maker_icollective(OTF2_EvtWriter *writer, uint64_t enter, uint32_t region,
                       uint64_t request);
void maker_wait_collective(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave,
                           const struct maker_part *part, uint64_t request);

/* A call from enter to leave that makes comm. */
void maker_comm_create(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave, uint32_t comm);

/* MPI_Cancel from enter to enter + 1, and the MPI_Wait that says so. */
void maker_cancel(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave, uint64_t request);

/* A marker, whose text is MAKER_MARKER. */
#define MAKER_MARKER "half way <script>window.hostile=1</script>"
void maker_marker(OTF2_EvtWriter *writer, uint64_t time);

/* MPI_Init from 0 to 100, and MPI_Finalize from begin to begin + 100. */
void maker_init(OTF2_EvtWriter *writer);
void maker_finalize(OTF2_EvtWriter *writer, uint64_t begin);

/* Writes all definitions and closes. */
void maker_finish(struct maker *maker);

#endif
