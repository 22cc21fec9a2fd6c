#ifndef MWR_SITES_SITE_NUMBERS_H
#define MWR_SITES_SITE_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/sites/loaded.h"

/*
 * The numbers by which records and definitions know modules, places of calls, and stacks: what is
 * new gets the next one, and is defined. A library that comes again is the same module.
 *
 * One lock is for all of that and for what is remembered of it; while it is held the loader's is
 * never taken. Functions below want it held, if they don't say otherwise.
 */

/*
 * False: this thread has it already, in a call that a signal interrupted. In a call that is
 * recorded it never has: a call inside it has no site.
 */
bool mwr_sites_lock(void);
void mwr_sites_unlock(void);

/* Before all others. False without memory. */
bool mwr_site_numbers_start(void);

/*
 * \return what records of the call that returns to address have as their call: call itself if
 * there is no memory, or no number left.
 */
unsigned mwr_number_site(unsigned call, uintptr_t address, const struct mwr_loaded *loaded);

/* The same of a line of a file that is run as it is written. */
unsigned mwr_number_line(unsigned call, const char *file, uint32_t line, const char *function);

/* The module's index; UINT32_MAX without memory. */
uint32_t mwr_number_module(const struct mwr_loaded *loaded);

/*
 * The number of a frame that returns to address (as the module's file counts them), called by that
 * of number parent, MW_FRAME_NONE or MW_FRAME_CUT. \return UINT32_MAX - 2 or more: there is none.
 */
uint32_t mwr_number_frame(uint32_t parent, uint32_t module, uint64_t address);

/* The same of a frame at a line of a file that is run as it is written. */
uint32_t mwr_number_line_frame(uint32_t parent, const char *file, uint32_t line,
                               const char *function);

/* Defines how much more often the process was seen at an address (as the module's file counts them)
 * on the way to a call of which records have code. */
void mwr_number_sampled(unsigned code, uint32_t module, uint64_t address, uint64_t count,
                        bool of_others);

/* How many frames have a number. */
uint32_t mwr_number_count_frames(void);

/* \return as mwr_number_site, of a call in this frame. */
unsigned mwr_number_stack(unsigned call, uint32_t frame);

/* Says in the definitions, once, that from here on calls are told without their place or stack. */
void mwr_site_numbers_end(void);

/* The enum mw_call of what a record has as its call. Takes no lock. */
unsigned mwr_site_call(unsigned code);

#endif
