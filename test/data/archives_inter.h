#ifndef MW_TEST_DATA_ARCHIVES_INTER_H
#define MW_TEST_DATA_ARCHIVES_INTER_H

/* Collective operations between two groups, whose waits are worked out by hand. */
void make_waits_inter(const char *directory);
void make_waits_own_group(const char *directory);
void make_waits_rooted_groups(const char *directory);

#endif
