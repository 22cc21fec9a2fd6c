#ifndef MW_FORMATS_BASE_STANDARD_STREAMS_H
#define MW_FORMATS_BASE_STANDARD_STREAMS_H

/*
 * Takes the numbers of standard input, output and error that are closed, so that no file gets one
 * of them and with it what is printed. To read or write there fails as it does where they are
 * closed. To be called first in main.
 */
void mw_standard_streams_hold(void);

#endif
