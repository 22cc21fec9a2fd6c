#ifndef MWR_STATE_KERNEL_COUNTS_H
#define MWR_STATE_KERNEL_COUNTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * What the kernel knows of the calling thread and its process. All of it is asked for by system
 * calls that no tool in the program sees, and that are no cancellation points. Thread-safe.
 */

/* What memory and files come in. */
uint64_t mwr_kernel_page_bytes(void);

/* What getrusage counts of a thread. */
struct mwr_kernel_counts {
    uint64_t voluntary; /* switches: the thread went to sleep … */
    uint64_t involuntary; /* … or could have run on */
    uint64_t minor_faults;
    uint64_t major_faults;
    uint64_t blocks; /* written to files, of 512 bytes */
};

/* What /proc/self/io counts of the process. */
struct mwr_kernel_io {
    uint64_t chars; /* bytes */
    uint64_t writes;
};

/* What the calling thread has got by read and the like. */
struct mwr_kernel_reads {
    uint64_t bytes;
    uint64_t calls;
};

/* CPU time in ns, of the thread and of all of the process, those that have ended among them. */
uint64_t mwr_kernel_thread_ns(void);
uint64_t mwr_kernel_process_ns(void);

/* Takes a fraction of a microsecond. */
struct mwr_kernel_counts mwr_kernel_counts(void);

/* Whether it counts ticks of threads, so that it is known when they were in the kernel. */
bool mwr_kernel_tells_system(void);

/*
 * Of the thread's time on a core, ns in the kernel, by its ticks of 1 to 10 ms: each counts in full
 * where it comes. Takes as long as mwr_kernel_counts. 0 where that is not told.
 */
uint64_t mwr_kernel_system_ns(void);

/* How long a tick is; takes as long, too. */
uint64_t mwr_kernel_tick_ns(void);

/* What the process has handed to write and the like, beside spools; *io stays where it isn't told,
 * and never gets less. Opens a file, as all that follows. */
void mwr_kernel_io(struct mwr_kernel_io *io);

/* What the thread has read, from files, pipes or sockets, beside what functions here have. False:
 * it isn't told, and *reads stays. */
bool mwr_kernel_reads(struct mwr_kernel_reads *reads);

/* All the time in ns that the thread could have run and had no core; known if it isn't told. */
uint64_t mwr_kernel_delay_ns(uint64_t known);

/* Memory of the process in bytes; 0: it isn't told. */
uint64_t mwr_kernel_resident(void);

/* How long a thread of the process has been on a core, in ns, and how often it has got one. False:
 * it isn't told, or there is no such thread. */
bool mwr_kernel_turns(pid_t thread, uint64_t *ran, uint64_t *turns);

/* The same without its turns, and without opening a file; 0: it isn't told, or there is none. */
uint64_t mwr_kernel_ran_ns(pid_t thread);

/* How many threads the process has; 0: it isn't told. Opens no file. */
uint64_t mwr_kernel_thread_count(void);

/* Tells each of them, the calling one too. False: there may be more. */
bool mwr_kernel_each_thread(void (*tell)(pid_t thread));

#endif
