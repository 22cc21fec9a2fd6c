#include "analyzer/table/units.h"

#include <criterion/criterion.h>
#include <math.h>

static void expect(double from, double to, const char *expected)
{
    char text[MWA_UNITS_BYTES];

    cr_assert_str_eq(mwa_change_text(from, to, text), expected, "%g to %g: %s", from, to, text);
}

Test(units, changes_are_percent_up_to_the_hundredfold)
{
    expect(100, 120, "+20%");
    expect(100, 109.9, "+9.9%");
    expect(100, 96.9, "-3.1%");
    expect(100, 0, "-100%");
    expect(1, 99, "+9800%");
    expect(1, 100, "x 100");
    expect(1350, 6030000, "x 4467");
}

Test(units, changes_of_nothing_have_no_number)
{
    expect(0, 0, "0%");
    expect(7, 7, "0%");
    expect(0, 7, "new");
    expect(NAN, 7, "-");
    expect(7, NAN, "-");
}
