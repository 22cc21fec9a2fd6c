#ifndef MW_TEST_DATA_ARCHIVES_PROBES_H
#define MW_TEST_DATA_ARCHIVES_PROBES_H

/*
 * Archives of ranks that probe, worked out on paper. They make directory, which must not exist;
 * what is in them stands in the comments of archives_probes.c. All runs begin at 100.
 */
void make_probes(const char *directory);
void make_probed_workers(const char *directory);
void make_probes_at_once(const char *directory);
void make_polls(const char *directory);

#endif
