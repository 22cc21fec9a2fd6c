#ifndef MWR_SITES_FRAME_H
#define MWR_SITES_FRAME_H

#include <stddef.h>
#include <stdint.h>

/*
 * How far above the stack pointer of a function its caller's begins, where it calls another one
 * that returns to address: what the Canonical Frame Address is there (DWARF 5, section 6.4), in a
 * library whose .eh_frame_hdr (Linux Standard Base, section 10.6.2) takes up so many bytes.
 * Only if the function's rule for it is the stack pointer and a number; no rule but that is the
 * same in each call.
 *
 * \return bytes; 0: it is no such rule, it is not told, or not on this machine.
 */
uint32_t mwr_frame_bytes(const void *header, size_t bytes, uintptr_t address);

#endif
