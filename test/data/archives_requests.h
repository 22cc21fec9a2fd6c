#ifndef MW_TEST_DATA_ARCHIVES_REQUESTS_H
#define MW_TEST_DATA_ARCHIVES_REQUESTS_H

/* An archive of calls that complete, start and ask for requests. It makes directory, which must
 * not exist; what is in it stands in the comment of archives_requests.c. */
void make_requests(const char *directory);

#endif
