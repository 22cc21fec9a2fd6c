/* A table is shorter than an incomplete beta function, and can be held against a printed one. */
#include "analyzer/report/spread.h"

#include <math.h>

#define Z95 1.6449 /* the same of the normal distribution */

double mwa_student_t95(uint64_t freedom)
{
    static const double table[] = { 6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860,
                                    1.833, 1.812, 1.796, 1.782, 1.771, 1.761, 1.753, 1.746,
                                    1.740, 1.734, 1.729, 1.725, 1.721, 1.717, 1.714, 1.711,
                                    1.708, 1.706, 1.703, 1.701, 1.699, 1.697 };

    const double v = (double)freedom;

    if (freedom <= sizeof table / sizeof table[0]) {
        return table[freedom ? freedom - 1 : 0];
    }
    /* Cornish and Fisher's expansion; Abramowitz and Stegun, 26.7.5. */
    return Z95 + (pow(Z95, 3) + Z95) / (4 * v) +
           (5 * pow(Z95, 5) + 16 * pow(Z95, 3) + 3 * Z95) / (96 * v * v);
}

struct mwa_spread_of_runs mwa_spread_of(const double *numbers, uint64_t count)
{
    struct mwa_spread_of_runs spread = { .count = count, .deviation = NAN };
    const double n = (double)count;
    double squares = 0;

    for (uint64_t i = 0; i < count; i++) {
        spread.mean += numbers[i] / n;
    }
    if (count == 0) {
        spread.mean = NAN;
    }
    if (count < 2) {
        return spread;
    }
    for (uint64_t i = 0; i < count; i++) {
        squares += (numbers[i] - spread.mean) * (numbers[i] - spread.mean);
    }
    spread.deviation = sqrt(squares / (n - 1));
    spread.noise = mwa_student_t95(count - 1) * spread.deviation * sqrt(1 + 1 / n);
    return spread;
}
