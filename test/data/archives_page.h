#ifndef MW_TEST_DATA_ARCHIVES_PAGE_H
#define MW_TEST_DATA_ARCHIVES_PAGE_H

/* Archives for pages and exports, whose names would be markup if they were let. */
void make_names(const char *directory);

/* Times worked out from where the first rank leaves MPI_Init. */
void make_origin(const char *directory);

#endif
