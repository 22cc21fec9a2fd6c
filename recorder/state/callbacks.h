#ifndef MWR_STATE_CALLBACKS_H
#define MWR_STATE_CALLBACKS_H

/* Functions that the program gives MPI to be called. Thread-safe. */
enum mwr_callback {
    MWR_CALLBACK_ERRHANDLER,
    MWR_CALLBACK_KEYVAL,   /* what copies attributes of communicators */
    MWR_CALLBACK_REQUEST,  /* those of a generalized request */
    MWR_CALLBACK_FINALIZE, /* what deletes those of MPI_COMM_SELF, in MPI_Finalize … */
    MWR_CALLBACK_FINALIZE_OVER, /* … where all of that has been called */
    MWR_CALLBACKS
};

/* Tells the definitions, once, that there is one of that sort, if the call succeeded that gave
 * it. */
void mwr_callback_given(enum mwr_callback which, int result);

#endif
