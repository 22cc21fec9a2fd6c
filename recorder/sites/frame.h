#ifndef MWR_SITES_FRAME_H
#define MWR_SITES_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "formats/base/status.h"

/*
 * Where the frame of a function's caller is, by the tables that compilers write for exceptions
 * (DWARF 5, section 6.4; Linux Standard Base, section 10.6). CFA is the Canonical Frame Address:
 * where the caller's stack pointer is once the function has returned. The address that it returns
 * to is right below it where the call itself pushes it, as on x86-64; on AArch64 a function that
 * calls others saves it (x30) where it likes. The base pointer is rbp there and x29 here.
 */
enum mwr_frame_base {
    MWR_FRAME_UNKNOWN,   /* not told, not understood, or not on this machine */
    MWR_FRAME_OUTERMOST, /* nobody has called it */
    MWR_FRAME_STACK,     /* the CFA is the stack pointer and offset: the same in each call … */
    MWR_FRAME_POINTER,   /* … or the base pointer and offset … */
    MWR_FRAME_AT_POINTER /* … or what lies there: the function aligns its frame */
};

/* Where the caller's base pointer is. */
enum mwr_pointer_rule {
    MWR_POINTER_SAME,      /* it is the base pointer */
    MWR_POINTER_AT_FRAME,  /* at the CFA and saved: above the stack pointer */
    MWR_POINTER_AT_POINTER, /* at the base pointer */
    MWR_POINTER_LOST
};

struct mwr_frame_rule {
    enum mwr_frame_base base;
    enum mwr_pointer_rule pointer;
    int32_t offset;
    int32_t saved;
    int32_t back; /* at the CFA and this number, below 0, is the address that is returned to */
};

/* What tells one machine's tables from another's. */
struct mwr_frame_machine {
    unsigned char base_pointer; /* numbers of DWARF … */
    unsigned char stack_pointer;
    unsigned char return_address; /* … which AArch64 has in a register */
    bool is_pushed;               /* the call itself puts it right below the CFA */
};

/* Those that are known, whatever machine this is. */
extern const struct mwr_frame_machine mwr_frame_of_x86_64 __attribute__((visibility("hidden")));
extern const struct mwr_frame_machine mwr_frame_of_aarch64 __attribute__((visibility("hidden")));

#if defined(__x86_64__)
#define MWR_FRAME_OF_HERE (&mwr_frame_of_x86_64)
#elif defined(__aarch64__) && defined(__LP64__) && !defined(__AARCH64EB__)
#define MWR_FRAME_OF_HERE (&mwr_frame_of_aarch64)
#else
#define MWR_FRAME_OF_HERE ((const struct mwr_frame_machine *)0)
#endif

/*
 * Says the rule of the function that calls another one which returns to address, in what has its
 * .eh_frame_hdr at header, of so many bytes (null: it has none). Machine: null is none that is
 * known, of which nothing is told.
 */
void mwr_frame_find(const struct mwr_frame_machine *machine, const void *header, size_t bytes,
                    uintptr_t address, struct mwr_frame_rule *rule);

/*
 * A frame of MWR_FRAME_STACK, if it is small, in 28 bits: its size, and behind 16 bits how many
 * words below its end the address lies that its function returns to. 0: it is another rule.
 */
uint32_t mwr_frame_fixed(const void *header, size_t bytes, uintptr_t address);
#define MWR_FRAME_BYTES(fixed) ((fixed) & 0xffffu)
#define MWR_FRAME_BACK(fixed) (-(int32_t)(((fixed) >> 16 & 0xfffu) * sizeof(uintptr_t)))

/*
 * The address in a word that a function has saved. On AArch64 functions may sign it, in bits that
 * no address in a program has (pointer authentication): xpaclri takes these away, and does nothing
 * where the processor knows none of it, being a hint.
 */
MW_INLINE uintptr_t mwr_frame_address(uintptr_t word)
{
#if defined(__aarch64__)
    register uintptr_t x30 __asm__("x30") = word;

    __asm__("hint #7" : "+r"(x30));
    return x30;
#else
    return word;
#endif
}

/* What the function returns to whose frame ends at the CFA. */
MW_INLINE uintptr_t mwr_frame_returns_to(uintptr_t cfa, int32_t back)
{
    uintptr_t word;

#if defined(__x86_64__)
    back = -(int32_t)sizeof word; /* always: the compiler may know */
#endif
    memcpy(&word, (const char *)cfa + back, sizeof word);
    return mwr_frame_address(word);
}

#endif
