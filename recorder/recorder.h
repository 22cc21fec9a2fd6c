#ifndef MWR_RECORDER_H
#define MWR_RECORDER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "formats/archive/archive.h"
#include "formats/spool/definition_writer.h"
#include "recorder/dispatch/mpi_header.h"
#include "recorder/settings.h"
#include "recorder/state/thread.h"

/*
 * The recorder's state, one per process. It is written while MPI_Init and
 * MPI_Finalize run; in between only what says so below changes.
 */

enum mwr_phase {
    MWR_IDLE,      /* before MPI_Init, or stepped aside */
    MWR_RECORDING, /* between MPI_Init and MPI_Finalize */
    MWR_PAUSED,    /* the same, but recording is paused */
    MWR_FINISHED
};

#define MWR_PATH_BYTES 4096

/* Calls of the MPI in which the recorder itself sends or receives, and what it gives and takes. */
struct mwr_own_traffic {
    uint64_t calls;
    uint64_t sent; /* bytes */
    uint64_t received;
};

struct mwr_recorder {
    enum mwr_phase phase; /* changed by mwr_recorder_enter only */
    struct mwr_settings settings;
    MPI_Comm comm; /* private: a duplicate of MPI_COMM_WORLD that returns errors */
    MPI_Comm self; /* MPI_COMM_SELF; without MPI_Init a private one, null between sessions */
    MPI_Group world; /* of such a program: mpi://WORLD, while a session is open; else null */
    uint32_t sessions; /* that are open */
    bool is_apart; /* such a program is recorded: its processes end on their own */
    uint32_t rank; /* in MPI_COMM_WORLD */
    uint32_t size;
    uint32_t host;
    uint32_t hosts;       /* of the job */
    uint32_t host_leader; /* the lowest rank of this host: measures the clock for all there */
    bool is_multiple;    /* MPI_THREAD_MULTIPLE: tables are locked */
    bool definitions_failed; /* a definition could not be written: said when it happens */
    enum mw_status stream_failed; /* why a thread could not get a stream; MW_OK: all could */
    uint64_t unstreamed; /* calls of such threads */
    pid_t pid;       /* of the rank: a child of fork() or vfork() has another */
    int mark;        /* a descriptor (finalize/siblings.c), -1: none … */
    dev_t mark_device; /* … and what it leads to, as long as it is ours */
    ino_t mark_inode;
    bool has_seen_stderr;
    bool has_stderr; /* the program was started with one, and this is it */
    dev_t stderr_device;
    ino_t stderr_inode;
    int wish;        /* of a signal, not obeyed yet (state/signals.c); 0: none */
    int exit_status; /* given to exit, -1: not yet */
    bool has_told_end; /* how the process ends is in the definitions (finalize/ending.c) */
    uint64_t nonce;
    struct mwr_own_traffic own_traffic; /* while MPI_Init and MPI_Finalize run */
    char spool[MWR_PATH_BYTES];  /* this process's directory; "" when it has none */
    char output[MWR_PATH_BYTES]; /* absolute path of the archive to be */
    char run_file[MWR_PATH_BYTES]; /* of finalize/manifest.c; "" when there is none */
    bool run_file_is_shared;       /* all ranks see it */
    uint64_t spool_limit;        /* bytes per event spool, 0: none */
    struct mw_definition_writer *definitions; /* null: this process writes nothing */
    pthread_mutex_t lock;                     /* of the fields below */
    struct mwr_stream *streams;
    uint32_t stream_count;
    uint64_t paused_at; /* time of the latest pause and of the latest resumption */
    uint64_t resumed_at;
    uint32_t pauses;    /* how many pauses there have been */
};

extern struct mwr_recorder mwr_recorder __attribute__((visibility("hidden")));

/* Changes the phase; every thread sees it at its next call. Thread-safe. */
void mwr_recorder_enter(enum mwr_phase phase);

/*
 * Stop and go on recording in all threads of the process. Nothing happens when it is so
 * already, or before MPI_Init and after MPI_Finalize. Thread-safe.
 */
void mwr_recorder_pause(void);
void mwr_recorder_resume(void);

/*
 * Appends to the definitions, if this process has any. A failure stops the process's
 * definitions for good; it is reported at the end.
 */
void mwr_recorder_define(const struct mw_definition *definition);

/*
 * Whether room, bytes (0: not known) of the device, is too little for any call: that is said at the
 * start (finalize/foresight.c), and not again where a thread finds none. Thread-safe.
 */
bool mwr_recorder_has_no_room(uint64_t room);

/* The recorder itself has sent and received so many bytes in a call. */
void mwr_recorder_note_traffic(uint64_t sent, uint64_t received);

/* "mpiwatch: …" as one line on the stderr that the program was started with. */
void mwr_say(const char *format, ...) MW_PRINTF(1, 2);

/* The same, only with --verbose. */
void mwr_say_verbose(const char *format, ...) MW_PRINTF(1, 2);

#endif
