#ifndef MWR_STATE_CALLBACKS_H
#define MWR_STATE_CALLBACKS_H

/* Functions that the program gives MPI to be called. Thread-safe. */
enum mwr_callback {
    MWR_CALLBACK_ERRHANDLER,
    MWR_CALLBACK_KEYVAL,   /* what copies attributes of communicators */
    MWR_CALLBACK_FINALIZE, /* what deletes those of MPI_COMM_SELF */
    MWR_CALLBACKS
};

/* Tells the definitions, once, that there is one of that sort, if the call succeeded that gave
 * it. */
void mwr_callback_given(enum mwr_callback which, int result);

/* The program has set an attribute of MPI_COMM_SELF, by a call with that result. */
void mwr_attribute_of_self(int keyval, int result);

/*
 * Deletes these attributes, the last one first, as MPI_Finalize does before all else (MPI 4.0,
 * 11.4.1): to be called in it, before the recorder waits for other ranks, to which a function that
 * deletes one may send what they wait for. What can't be deleted is left to MPI.
 */
void mwr_attributes_of_self_delete(void);

#endif
