#ifndef MWA_REPORT_SPREAD_H
#define MWA_REPORT_SPREAD_H

#include <stdint.h>

/*
 * How much a number differs between runs that should be the same, and what one more such run may
 * have: the one-sided 95% prediction limit for one future observation of a normal distribution,
 *
 *   mean + t(0.95, n - 1) s √(1 + 1/n),    s² = Σ (x - mean)² / (n - 1)
 *
 * (Hahn and Meeker, Statistical Intervals, 1991, chapter 4; t is Student's). Of 20 runs that are
 * like the others one is above it by chance. It says nothing of one run alone.
 */

struct mwa_spread_of_runs {
    uint64_t count;
    double mean;
    double deviation; /* s; NaN of one run */
    double noise;     /* t s √(1 + 1/n): one like the others is not further away; 0 of one run */
};

/* Of count numbers; NaN where one of them is, or there is none. */
struct mwa_spread_of_runs mwa_spread_of(const double *numbers, uint64_t count);

/* Student's t for so many degrees of freedom, from 1 on: 95% of all are below it. */
double mwa_student_t95(uint64_t freedom);

#endif
