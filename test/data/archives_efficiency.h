#ifndef MW_TEST_DATA_ARCHIVES_EFFICIENCY_H
#define MW_TEST_DATA_ARCHIVES_EFFICIENCY_H

/*
 * Archives for imbalance, pop and the critical path. They make directory, which must not
 * exist; what is in them stands in the comments of archives_efficiency.c.
 */
void make_uneven(const char *directory);
void make_longer(const char *directory);
void make_chain(const char *directory);
void make_ring(const char *directory);
void make_any_source(const char *directory);
void make_allreduce(const char *directory);
void make_rooted(const char *directory);
void make_overlap(const char *directory);
void make_overlap_lost(const char *directory);
void make_late_post(const char *directory);
void make_region(const char *directory);

#endif
