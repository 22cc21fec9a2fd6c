#ifndef MW_TEST_DATA_ARCHIVES_RETURNS_H
#define MW_TEST_DATA_ARCHIVES_RETURNS_H

/* Runs in which ranks are held in operations with a root, or scans, until others come to MPI. */
void make_waits_for_return(const char *directory);
void make_waits_for_handing_on(const char *directory);
void make_waits_for_taking(const char *directory);
void make_waits_for_completion(const char *directory);
void make_waits_for_beginning(const char *directory);

#endif
