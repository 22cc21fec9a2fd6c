#ifndef MW_TEST_DATA_ARCHIVES_COMMS_H
#define MW_TEST_DATA_ARCHIVES_COMMS_H

/*
 * Archives of communicators. They make directory, which must not exist; what is in them
 * stands in the comments of archives_comms.c.
 */
void make_comm_lives(const char *directory);
void make_comm_mistakes(const char *directory);
void make_comm_stranger(const char *directory);
void make_comm_objects(const char *directory);

#endif
