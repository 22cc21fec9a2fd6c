#ifndef MW_FORMATS_BASE_HOST_KEY_H
#define MW_FORMATS_BASE_HOST_KEY_H

/*
 * What tells one host, and so one clock and one set of files, from another. Bytes that are not
 * used are zero, so that keys can be compared by memcmp.
 */
struct mw_host_key {
    char boot_id[40];
    char name[64];
};

/* Fills in this host's; what can't be found out stays empty. Thread-safe. */
void mw_host_key_own(struct mw_host_key *key);

#endif
