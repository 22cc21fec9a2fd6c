#ifndef MWR_STATE_ERROR_CODE_H
#define MWR_STATE_ERROR_CODE_H

/*
 * The class of an error code that a call has returned; the code itself where the MPI knows none of
 * it. Invokes no error handler. Any thread, while MPI is initialized.
 */
int mwr_error_class(int error_code);

#endif
