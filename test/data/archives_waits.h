#ifndef MW_TEST_DATA_ARCHIVES_WAITS_H
#define MW_TEST_DATA_ARCHIVES_WAITS_H

/*
 * Archives with wait states worked out on paper. They make directory, which must not exist;
 * what is in them stands in the comments of archives_waits.c. All runs begin at 100.
 */
void make_waits_messages(const char *directory);
void make_waits_behind(const char *directory);
void make_waits_order(const char *directory);
void make_waits_collective(const char *directory);
void make_waits_for_last(const char *directory);
void make_held_operations(const char *directory);
void make_waits_threads(const char *directory);
void make_waits_losses(const char *directory);
void make_waits_together(const char *directory);
void make_waits_cancelled(const char *directory);
void make_waits_forgotten(const char *directory);
void make_waits_lost_ends(const char *directory); /* in each of LOST_STEPS steps */
#define LOST_STEPS 40000u

#endif
