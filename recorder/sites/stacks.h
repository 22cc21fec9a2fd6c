#ifndef MWR_SITES_STACKS_H
#define MWR_SITES_STACKS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * By which frames a call comes: all calls (--sites=stack), or those that libraries make, up to the
 * first frame of the program's own file (--sites=auto). Frames are found by the rules of the
 * functions that are on the stack (recorder/sites/frame.h). What is remembered is a tree: by the
 * addresses that functions return to, from the recorder's own outwards, it leads to the rule of the
 * next frame, and at last to the number of the stack; and of whole stacks, what decided that way
 * (recorder/sites/known_stacks.h): where all of that is as it was before, the way is, too.
 *
 * A stack ends, and says so, before what is not understood: a signal's frame, code of no file or
 * without tables, a frame that would not lie in the thread's own stack. Frames of the recorder, of
 * tools in its chain, of MPI's libraries and of the C library are gone through and not told.
 */

#define MWR_STACK_FRAMES_MAX 64u /* that can be asked for */

/* Whether stacks are known to be told on this machine. */
#if defined(__x86_64__) || (defined(__aarch64__) && defined(__LP64__) && !defined(__AARCH64EB__))
#define MWR_HAS_STACKS 1
#else
#define MWR_HAS_STACKS 0
#endif

/* How many frames of the program are told; 0: none. Set before recording begins. */
extern unsigned mwr_stack_frames __attribute__((visibility("hidden")));
/* Whether those of calls by libraries alone are. */
extern bool mwr_stacks_are_of_libraries __attribute__((visibility("hidden")));

/* Begins to tell stacks of at most so many frames. False without memory. */
bool mwr_stacks_start(unsigned frames, bool of_libraries);

/* The code of a call from mpi4py: its frames are Python's (recorder/sites/python_line.h). */
#define MWR_STACK_OF_PYTHON (UINT32_MAX - 2)

/*
 * From here on, below that: the code of a call by a library that a line of Python leads to, which
 * mwr_stack_number knows.
 */
#define MWR_STACK_BELOW_PYTHON 0x80000000u

/*
 * What a record of the call that this thread is in, from caller, has as its call, or a code of
 * Python; call itself where it can't be told. Keeps errno.
 */
unsigned mwr_stack_find(unsigned call, const void *caller);

/*
 * What a record of the call has, whose code below Python this is, where the frame of this number
 * leads to the library: MW_FRAME_CUT if it is not known. Call itself if there is no memory, or
 * there are enough. Under the lock of sites.
 */
unsigned mwr_stack_number(unsigned call, unsigned code, uint32_t frame);

/* What lay in this memory is not there any more. Under the lock of sites. */
void mwr_stacks_forget(uintptr_t begin, uintptr_t end);

/* Whether stacks of all calls are told. */
static inline bool mwr_stacks_are_told(void)
{
    return mwr_stack_frames > 0 && !mwr_stacks_are_of_libraries;
}

#endif
