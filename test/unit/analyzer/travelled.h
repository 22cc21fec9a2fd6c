#ifndef TEST_UNIT_ANALYZER_TRAVELLED_H
#define TEST_UNIT_ANALYZER_TRAVELLED_H

#include "analyzer/analysis/analysis.h"

/*
 * What analysis, made of trace and scope in slot 1, has found in a chapter, as another process gets
 * it: by pack and unpack. It comes back as another analysis, and found is destroyed. On the way
 * bytes that are cut short are refused, and wrong ones harm nobody: they are refused, too, or
 * appended to nothing, and finished if the analysis is one of those that travelled.c knows.
 */
void *travelled(const struct mwa_exchange_analysis *analysis, const struct mwa_trace *trace,
                const struct mwa_scope *scope, struct mwa_region_paths *paths, void *found);

/*
 * As many lengths of so many bytes, less than all of them, as are worth a try: number 0, 1 … of
 * them, which are others each time; false: that was the last one.
 */
bool travelled_length(size_t bytes, size_t number, size_t *length);

/* Turns bits round, different ones each time. */
void travelled_spoil(char *bytes, size_t count);

#endif
