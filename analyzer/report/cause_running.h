#ifndef MWA_REPORT_CAUSE_RUNNING_H
#define MWA_REPORT_CAUSE_RUNNING_H

#include <stddef.h>

#include "analyzer/analysis/results.h"

/* What the first rank of a cause may wait for that sleeps, beside a file, as far as is known
 * whether its other threads did anything: ", a lock or another process" in text, of room bytes. */
void mwa_cause_lock(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                    size_t room);

/* Other threads of a cause's ranks, where they run for so long that the core may be theirs
 * meanwhile: "its own other threads, which run for 2.1 s". Else text, of room bytes, stays. */
void mwa_cause_own_threads(const struct mwa_results *results, const struct mwa_cause *cause,
                           char *text, size_t room);

/* What may have the cores of the host of a cause's first rank when its ranks print much: "mpirun,
 * if ranks there print: 46.0 MB at most", as so much that they write did not get files on disks
 * larger or changed, where passing that on would take long enough, or it is not told how much that
 * is. Else text, of room bytes, stays. */
void mwa_cause_passing(const struct mwa_results *results, const struct mwa_cause *cause,
                       char *text, size_t room);

/* What to do where messages bring the first rank of a cause little: "if it has the work, send more
 * with each of the 5.00 k messages, for which rank 1 computes 88.6 us (chunksize in
 * mpi4py.futures)"; of messages of several ranks it is not known who has the work. Else text, of
 * room bytes, stays. */
void mwa_cause_bring(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                     size_t room);

/* Why one rank more may help, where a single one sleeps: "if rank 0 only hands out work, its core
 * is free". Else text, of room bytes, stays. */
void mwa_cause_idle(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                    size_t room);

/* How long the first rank of a cause writes to files: "about 1.6 s as text (80 ms if copied)" where
 * small pieces speak for text, else "80 ms (copied) to 1.6 s (made text)"; "about 80 ms" where it
 * is the same. */
void mwa_cause_writing(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                       size_t room);

/* What is read, for the time of a cause: "text (80 ms if copied)", or "copied". */
void mwa_cause_text(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                    size_t room);

/* What helps ranks that are in the kernel: with page faults of memory that is freed and comes back,
 * or of what is new, or without. In text, of room bytes, 256 at least. */
void mwa_cause_kernel(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                      size_t room);

/* What could be saved of the time of a cause, where that is less by a tenth or more: "38 ms". Else
 * text, of room bytes, stays. */
void mwa_cause_delays(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                      size_t room);

/* What others waited for a rank that slept, "38 ms", and by which calls it would not have kept them
 * waiting. Nobody waited: text, of room bytes, stays. */
void mwa_cause_held(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                    size_t room);
void mwa_cause_blocking(const struct mwa_results *results, const struct mwa_cause *cause,
                        char *text, size_t room);

/* What the first rank of a cause writes to files, or reads, where it may do so for longer than
 * ranks on average by half of what it computes longer: "rank 0 writes 16.1 MB to files meanwhile",
 * "rank 0 reads 16.1 MB from files meanwhile". Else text, of room bytes, stays. */
void mwa_cause_wrote(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                     size_t room);

/* In which function ranks compute what a cause says of them, as far as samples tell: "compute,
 * force.c:88 (71% +-5% of it)". Else text, of room bytes, stays. */
void mwa_cause_where(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                     size_t room);

/* For how long the first rank of a cause does what `count` samples tell, with its standard error:
 * "spends 375 ms +-43 ms", of several ranks "spend up to …". In text, of room bytes. */
void mwa_cause_sampled(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                       size_t room);

/* What helps against that, where it is said. Else text, of room bytes, stays. */
void mwa_cause_with_files(const struct mwa_results *results, const struct mwa_cause *cause,
                          char *text, size_t room);

/* What to do where others take cores. Else text, of room bytes, stays. */
void mwa_cause_others(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                      size_t room);

#endif
