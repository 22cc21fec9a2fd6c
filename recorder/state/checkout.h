#ifndef MWR_STATE_CHECKOUT_H
#define MWR_STATE_CHECKOUT_H

#include <stddef.h>

/*
 * The commit of the git checkout that a file lies in, as 40 or 64 hexadecimal digits, by the files
 * of the checkout and of its repository alone; "" if there is none.
 */
void mwr_checkout_commit(const char *file, char *text, size_t size);

#endif
