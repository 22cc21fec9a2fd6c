#include "analyzer/report/spread.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#define EXPECT_NEAR(got, wanted)                                                                   \
    cr_expect(fabs((got) - (wanted)) < 1e-3 * (wanted), "%.10g is not %.10g", (double)(got),   \
              (double)(wanted))

/*
 * 10, 12, 14: the mean is 12, s² = (4 + 0 + 4) / 2 = 4, s = 2. t of 2 degrees of freedom is 2.920
 * (any table), so one more is at most 12 + 2.920 * 2 * √(4/3) = 12 + 6.743.
 */
Test(spread, is_the_prediction_limit_of_three_runs)
{
    const struct mwa_spread_of_runs spread = mwa_spread_of((const double[]){ 14, 10, 12 }, 3);

    cr_expect_eq(spread.count, 3);
    EXPECT_NEAR(spread.mean, 12);
    EXPECT_NEAR(spread.deviation, 2);
    EXPECT_NEAR(spread.noise, 6.743);
}

/* 1, 3: s = √2, t of 1 is 6.314: 6.314 * √2 * √1.5 = 10.936. */
Test(spread, is_wide_of_two_runs)
{
    EXPECT_NEAR(mwa_spread_of((const double[]){ 1, 3 }, 2).noise, 10.936);
}

Test(spread, of_one_run_is_not_known_and_of_equal_ones_nothing)
{
    const struct mwa_spread_of_runs one = mwa_spread_of((const double[]){ 5 }, 1);

    cr_expect_eq(one.mean, 5);
    cr_expect(isnan(one.deviation));
    cr_expect_eq(one.noise, 0);
    cr_expect_eq(mwa_spread_of((const double[]){ 5, 5, 5 }, 3).noise, 0);
    cr_expect(isnan(mwa_spread_of(NULL, 0).mean));
    cr_expect(isnan(mwa_spread_of((const double[]){ 5, NAN }, 2).mean));
}

/* Of printed tables: 1.812 for 10, 1.684 for 40, 1.660 for 100, 1.645 in the end. */
Test(spread, has_students_t_of_tables)
{
    EXPECT_NEAR(mwa_student_t95(1), 6.314);
    EXPECT_NEAR(mwa_student_t95(10), 1.812);
    EXPECT_NEAR(mwa_student_t95(30), 1.697);
    EXPECT_NEAR(mwa_student_t95(31), 1.696);
    EXPECT_NEAR(mwa_student_t95(40), 1.684);
    EXPECT_NEAR(mwa_student_t95(100), 1.660);
    EXPECT_NEAR(mwa_student_t95(1000000), 1.645);
}

/* 20,000 times five runs and one more, of a normal distribution: 95% are within the limit. */
Test(spread, lets_19_of_20_runs_like_the_others_pass)
{
    unsigned within = 0;

    srand48(1);
    for (unsigned trial = 0; trial < 20000; trial++) {
        double runs[6];
        struct mwa_spread_of_runs spread;

        for (unsigned i = 0; i < 6; i++) {
            runs[i] = 100 + sqrt(-2 * log(1 - drand48())) * cos(2 * 3.14159265358979 * drand48());
        }
        spread = mwa_spread_of(runs, 5);
        within += runs[5] <= spread.mean + spread.noise;
    }
    cr_expect(within > 18850 && within < 19150, "%u of 20000", within);
}
