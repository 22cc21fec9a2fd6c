#ifndef MW_TEST_DATA_ARCHIVES_H
#define MW_TEST_DATA_ARCHIVES_H

/*
 * Archives with contents worked out on paper, one family each. They make directory, which
 * must not exist. What is in them stands in the comments of archives.c.
 */
void make_plain(const char *directory);
void make_reordered(const char *directory);
void make_long_pending(const char *directory);
void make_long_pending_blocking(const char *directory);
void make_never_completed(const char *directory);
void make_cancelled(const char *directory);
void make_inter_comm(const char *directory);
void make_threads(const char *directory);
void make_working_threads(const char *directory);
void make_clocks(const char *directory);
void make_violated(const char *directory);
void make_nested(const char *directory);
void make_callback(const char *directory);
void make_paused(const char *directory);
void make_open(const char *directory);
void make_comms(const char *directory);
void make_empty(const char *directory);
void make_backwards(const char *directory);

/* All of them by name, for programs; ends with null. */
struct made_archive {
    const char *name;
    void (*make)(const char *directory);
};
extern const struct made_archive made_archives[];

#endif
