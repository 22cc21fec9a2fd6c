#ifndef MW_TEST_DATA_ARCHIVES_PAGE_H
#define MW_TEST_DATA_ARCHIVES_PAGE_H

/* Archives for pages and exports, whose names would be markup if they were let. */
void make_names(const char *directory);

#endif
