#ifndef MWR_HOOKS_NESTED_H
#define MWR_HOOKS_NESTED_H

/*
 * Calls inside of another call (in a callback of the program, such as an attribute's delete
 * function) are no events, and go to who is below. Those that free a communicator are heard
 * of all the same, since its handle may be another's at once: it gets its end, at that time.
 * So is MPI_Abort, in an error handler or in that of a signal: it is how the rank ends.
 *
 * Puts such functions where mwr_chain has those of the library, and of who is next. Once, when it
 * is filled. Where these call each other, or are entered behind the recorder's hook, the first one
 * hears of it.
 */
void mwr_nested_prepare(void);

#endif
