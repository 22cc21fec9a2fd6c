#ifndef MW_TEST_DATA_ARCHIVES_DELAY_H
#define MW_TEST_DATA_ARCHIVES_DELAY_H

/* Archives whose delays are worked out by hand; each says how. */
void make_delay_chain(const char *directory);
void make_delay_late_start(const char *directory);
void make_delay_shared(const char *directory);
void make_delay_at_once(const char *directory);
void make_delay_inside(const char *directory);
void make_delay_uneven(const char *directory);

#endif
