#ifndef MWR_STATE_CORES_H
#define MWR_STATE_CORES_H

#include <stddef.h>
#include <stdint.h>

/* What cores there are for a process. Texts are terminated; "" when it can't be known. */

/* The cores that the calling thread may run on: "0-3,8". */
void mwr_cores_allowed(char *text, size_t size);

/* What the cores of this host are called: "AMD EPYC 7763 64-Core Processor". */
void mwr_cores_model(char *text, size_t size);

/* The same of what /proc/cpuinfo says. */
void mwr_cores_model_in(const char *about, char *text, size_t size);

/*
 * How much time control groups (version 1 and 2) allow, in thousandths of a core: the least of the
 * groups that /proc/self/cgroup says, groups being its text, and of those above them. root is where
 * they are mounted, /sys/fs/cgroup. path gets the group that limits most.
 *
 * \return the limit, 0: there is none, or it can't be known.
 */
uint64_t mwr_cores_limit(const char *root, const char *groups, char *path, size_t size);

/* A file's beginning; "" if it can't be read. */
void mwr_cores_read(const char *path, char *text, size_t size);

#endif
