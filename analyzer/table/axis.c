/* A reader takes numbers in between best from ticks at round ones. */
#include "analyzer/table/axis.h"

#include <math.h>
#include <stddef.h>

double mwa_plot_step(double span, double count)
{
    static const double factors[] = { 1, 2, 5 };
    double raw = span / count;
    double power = pow(10, floor(log10(raw)));

    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
        if (factors[i] * power >= raw) {
            return factors[i] * power;
        }
    }
    return 10 * power;
}
