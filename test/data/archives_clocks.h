#ifndef MW_TEST_DATA_ARCHIVES_CLOCKS_H
#define MW_TEST_DATA_ARCHIVES_CLOCKS_H

/* Archives whose clocks disagree: what is in them stands in archives_clocks.c. */
void make_clock_jump(const char *directory);
void make_clock_probes(const char *directory);
void make_clock_thread_probes(const char *directory);
void make_clock_collectives(const char *directory);

#endif
