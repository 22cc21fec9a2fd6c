#ifndef MWA_TABLE_AXIS_H
#define MWA_TABLE_AXIS_H

/* Where axes of pages and pictures have their ticks. */

/* The least of 1, 2, 5 times a power of ten that cuts span, above 0, into at most count parts. */
double mwa_plot_step(double span, double count);

#endif
