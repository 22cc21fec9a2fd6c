#ifndef MWR_SITES_FRAME_H
#define MWR_SITES_FRAME_H

#include <stddef.h>
#include <stdint.h>

/*
 * Where the frame of a function's caller is, by the tables that compilers write for exceptions
 * (DWARF 5, section 6.4; Linux Standard Base, section 10.6). CFA is the Canonical Frame Address:
 * where the caller's stack pointer is once the function has returned, and right below it the
 * address that it returns to.
 */
enum mwr_frame_base {
    MWR_FRAME_UNKNOWN,   /* not told, not understood, or not on this machine */
    MWR_FRAME_OUTERMOST, /* nobody has called it */
    MWR_FRAME_STACK,     /* the CFA is the stack pointer and offset: the same in each call … */
    MWR_FRAME_POINTER,   /* … or rbp and offset … */
    MWR_FRAME_AT_POINTER /* … or what lies at rbp and offset: the function aligns its frame */
};

/* Where the caller's rbp is. */
enum mwr_pointer_rule {
    MWR_POINTER_SAME,      /* it is rbp */
    MWR_POINTER_AT_FRAME,  /* at the CFA and saved: above the stack pointer */
    MWR_POINTER_AT_POINTER, /* at rbp */
    MWR_POINTER_LOST
};

struct mwr_frame_rule {
    enum mwr_frame_base base;
    enum mwr_pointer_rule pointer;
    int32_t offset;
    int32_t saved;
};

/*
 * Says the rule of the function that calls another one which returns to address, in what has its
 * .eh_frame_hdr at header, of so many bytes (null: it has none).
 */
void mwr_frame_find(const void *header, size_t bytes, uintptr_t address,
                    struct mwr_frame_rule *rule);

/* The offset of MWR_FRAME_STACK, if it is small; 0: it is another rule. */
uint32_t mwr_frame_bytes(const void *header, size_t bytes, uintptr_t address);

#endif
