#ifndef MWA_MODEL_HUGE_PAGES_H
#define MWA_MODEL_HUGE_PAGES_H

/*
 * Memory in huge pages (2 MiB in place of 4 KiB on x86-64), where the system has them for who asks
 * (madvise(2), MADV_HUGEPAGE). A wish only: nothing is an error, and where malloc is another than
 * that of glibc nothing changes.
 */

/*
 * Has malloc take memory for the heap by many huge pages at a time, and give none of it back before
 * the program ends: that of the main thread, as others have heaps of their own with small pages.
 * Nothing of that where less than 64 MiB of memory are allowed. Call it once, when that limit
 * stands and before threads allocate.
 */
void mwa_huge_pages_begin(void);

/* Asks for huge pages for what the heap has grown by since the last time. From any thread; a few ns
 * where it has not grown. Nothing without mwa_huge_pages_begin. */
void mwa_huge_pages_go_on(void);

#endif
