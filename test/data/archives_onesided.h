#ifndef MW_TEST_DATA_ARCHIVES_ONESIDED_H
#define MW_TEST_DATA_ARCHIVES_ONESIDED_H

/*
 * Archives of one-sided communication, its waits worked out on paper. They make directory, which
 * must not exist; what is in them stands in the comments of archives_onesided.c. All runs
 * begin at 100.
 */
void make_onesided_posts(const char *directory);
void make_onesided_locks(const char *directory);
void make_onesided_held_up(const char *directory);
void make_onesided_turns(const char *directory);
void make_onesided_late_locks(const char *directory);
void make_onesided_fences(const char *directory);
void make_onesided_path(const char *directory);
void make_onesided_fence_path(const char *directory);

#endif
