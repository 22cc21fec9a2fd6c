#ifndef MW_TEST_DATA_ARCHIVES_NEIGHBORS_H
#define MW_TEST_DATA_ARCHIVES_NEIGHBORS_H

/*
 * Archives with operations that wait for some ranks only, worked out on paper. They make
 * directory, which must not exist; what is in them stands in the comments of
 * archives_neighbors.c. All runs begin at 100.
 */
void make_waits_neighbors(const char *directory);
void make_waits_alltoallv(const char *directory);
void make_halo(const char *directory);
void make_outside(const char *directory);

#endif
