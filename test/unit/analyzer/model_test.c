#include "analyzer/model/map.h"

#include <criterion/criterion.h>
#include <string.h>

#include "analyzer/analysis/messages/traffic.h"
#include "analyzer/model/function_name.h"
#include "analyzer/table/units.h"

Test(table, keeps_what_is_put_while_others_come_and_go)
{
    struct mwa_map table = { 0 };
    bool there[500] = { false };
    uint32_t random = 1;
    uint64_t count = 0;

    for (unsigned step = 0; step < 100000; step++) {
        struct mwa_key key;
        unsigned i;

        random = random * 1664525u + 1013904223u;
        i = (random >> 8) % 500;
        key = (struct mwa_key){ i % 3, i };
        if (random >> 31) {
            cr_assert_not_null(mwa_map_put(&table, key, i + 7));
            count += !there[i];
            there[i] = true;
        } else {
            cr_assert_eq(mwa_map_remove(&table, key), there[i] ? i + 7 : MWA_MAP_ABSENT);
            count -= there[i];
            there[i] = false;
        }
        cr_assert_eq(table.count, count);
    }
    for (unsigned i = 0; i < 500; i++) {
        cr_expect_eq(mwa_map_get(&table, (struct mwa_key){ i % 3, i }),
                     there[i] ? i + 7 : MWA_MAP_ABSENT);
    }
    mwa_map_fini(&table);
}

Test(table, grows_with_zeroes)
{
    uint32_t *numbers = NULL;
    uint64_t capacity = 0;

    cr_assert(mwa_grow(&numbers, &capacity, 1, sizeof *numbers));
    cr_assert_geq(capacity, 1);
    numbers[0] = 5;
    cr_assert(mwa_grow(&numbers, &capacity, 1000, sizeof *numbers));
    cr_expect_eq(numbers[0], 5);
    cr_expect_eq(numbers[999], 0);
    cr_expect_not(mwa_grow(&numbers, &capacity, UINT64_MAX / 2, sizeof *numbers));
    cr_expect_eq(numbers[0], 5);
    free(numbers);
}

Test(sizes, have_bins_that_are_exact_when_small_and_within_two_percent_when_not)
{
    const uint64_t sizes[] = { 0, 1, 127, 128, 129, 1000, 4096, 1u << 20, UINT64_C(3) << 31,
                               UINT64_MAX - 1 };

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        unsigned bin = mwa_bin_of_size(sizes[i]);
        uint64_t least = mwa_size_of_bin(bin);

        cr_assert_lt(bin, MWA_SIZE_BINS);
        cr_expect_leq(least, sizes[i]);
        cr_expect_leq(sizes[i] - least, sizes[i] / 64);
    }
    for (unsigned bin = 0; bin < MWA_SIZE_BINS; bin++) {
        cr_assert_eq(mwa_bin_of_size(mwa_size_of_bin(bin)), bin);
    }
}

Test(sizes, have_the_median_of_an_odd_and_an_even_number)
{
    struct mwa_traffic traffic = { .messages = 3 };

    traffic.sizes[mwa_bin_of_size(8)] = 1;
    traffic.sizes[mwa_bin_of_size(4096)] = 2;
    cr_expect_eq(mwa_traffic_median(&traffic), 4096);
    traffic.messages = 4;
    traffic.sizes[mwa_bin_of_size(8)] = 2;
    cr_expect_eq(mwa_traffic_median(&traffic), 8);
}

Test(units, have_three_digits_and_a_unit)
{
    char text[MWA_UNITS_BYTES];

    cr_expect_str_eq(mwa_time_text(999, text), "999 ns");
    cr_expect_str_eq(mwa_time_text(1234, text), "1.23 us");
    cr_expect_str_eq(mwa_time_text(41820000000, text), "41.8 s");
    cr_expect_str_eq(mwa_time_text(5000000000000, text), "5000 s");
    cr_expect_str_eq(mwa_bytes_text(17, text), "17 B");
    cr_expect_str_eq(mwa_bytes_text(999999, text), "1.00 MB");
    cr_expect_str_eq(mwa_count_text(412345, text), "412 k");
    cr_expect_str_eq(mwa_count_text(12, text), "12");
    cr_expect_str_eq(mwa_number_text(9999, text), "9999");
    cr_expect_str_eq(mwa_number_text(10000, text), "10.0 k");
    cr_expect_str_eq(mwa_times_text(0, text), "0 times");
    cr_expect_str_eq(mwa_times_text(1, text), "once");
    cr_expect_str_eq(mwa_times_text(21, text), "21 times");
    cr_expect_str_eq(mwa_times_text(UINT64_MAX, text), "18446744 T times");
    cr_expect_str_eq(mwa_share_text(1, 3, text), "33.3%");
    cr_expect_str_eq(mwa_share_text(1, 0, text), "-");
}

/* Ticks of a third of a ns, of 3 ns, and of 1 ns: whatever is printed is found again. */
Test(trace, times_that_were_printed_find_their_event)
{
    static const uint64_t resolutions[] = {3000000000u, 333333333u, 1000000000u};

    for (int i = 0; i < 3; i++) {
        struct mwa_trace trace = {
            .clock_resolution = resolutions[i], .clock_offset = 1000, .run_offset = 50
        };

        for (uint64_t time = 900; time < 1200; time++) {
            int64_t ns = mwa_trace_since_begin(&trace, time);

            cr_assert(mwa_trace_first_at(&trace, ns) <= time);
            cr_assert(mwa_trace_last_at(&trace, ns) >= time);
            cr_assert(mwa_trace_first_at(&trace, ns + 1) > time);
            cr_assert(mwa_trace_last_at(&trace, ns - 1) < time);
            cr_assert((ns < 0 && time < 1050) || (ns > 0 && time > 1050) || ns == 0);
        }
        cr_assert_eq(mwa_trace_since_begin(&trace, 1050), 0);
        cr_assert_eq(mwa_trace_last_at(&trace, MWA_LAST_NS), UINT64_MAX);
        cr_assert_eq(mwa_trace_first_at(&trace, MWA_FIRST_NS), 0);
        cr_assert_eq(mwa_trace_first_at(&trace, MWA_FIRST_NS + 1), 0);
        cr_assert_eq(mwa_trace_last_at(&trace, MWA_LAST_NS - 1) == UINT64_MAX,
                     resolutions[i] >= 3000000000u);
    }
}

/* The run may begin before what the archive says is its first moment. */
Test(trace, times_before_the_run_are_below_zero)
{
    const struct mwa_trace trace = {
        .clock_resolution = 1000000000u, .clock_offset = 1000, .run_offset = (uint64_t)-200
    };
    char text[MWA_UNITS_BYTES];

    cr_assert_eq(mwa_trace_origin(&trace), 800);
    cr_assert_eq(mwa_trace_since_begin(&trace, 1000), 200);
    cr_assert_eq(mwa_trace_since_begin(&trace, 650), -150);
    cr_assert_eq(mwa_trace_first_at(&trace, -150), 650);
    cr_assert_eq(mwa_trace_last_at(&trace, -150), 650);
    cr_expect_str_eq(mwa_moment_text(-181234567, text), "-181 ms");
    cr_expect_str_eq(mwa_moment_text(0, text), "0 ns");
    cr_expect_str_eq(mwa_moment_text(2500, text), "2.50 us");
}

Test(function_name, of_cxx_has_no_parameters_and_its_end)
{
    static const struct {
        const char *function, *name;
    } names[] = {
        { "_SCOTCHdmapTerm+0xce", "_SCOTCHdmapTerm+0xce" },
        { "libdolfinx_real.so.0.5+0x164cdc", "libdolfinx_real.so.0.5+0x164cdc" },
        { "main", "main" },
        { "paso::Coupler<double>::finishCollect()+0x6b", "paso::Coupler::finishCollect+0x6b" },
        { "void ns::send<int, std::pair<int, int> >(int (*)(int), long)+0x1", "ns::send+0x1" },
        { "std::list<int>::type (anonymous namespace)::f() const", "(anonymous namespace)::f" },
        { "(anonymous namespace)::f(int)+0x2", "(anonymous namespace)::f+0x2" },
        { "Queue::operator<<(int)+0x3", "Queue::operator<<+0x3" },
        { "bool operator< <int>(Queue<int> const&)+0x4", "operator<+0x4" },
        { "Queue::operator unsigned long() const+0x5", "Queue::operator unsigned long+0x5" },
        { "run(int) const::{lambda(int)#1}::operator()(int) const+0x6",
          "run::{lambda#1}::operator()+0x6" },
        { "Matrix::operator+(Matrix const&) [clone .isra.0]+0x7", "Matrix::operator++0x7" },
        { "void (*which<int>(int))(double)+0x8", "void (*which<int>(int))(double)+0x8" },
        { "f(unclosed<", "f" },
        { "amrex::each<3, Advance::run(int, const Box&)::<lambda(int, int)>, 3>", "amrex::each" },
    };
    char text[64];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cr_expect_str_eq(mwa_function_name(names[i].function, text, sizeof text), names[i].name);
    }
    cr_expect_str_eq(mwa_function_name("a_long::name(int)+0x9", text, 10), ":name+0x9");
    cr_expect_str_eq(mwa_function_name("Kokkos::Impl::Residual::apply()", text, 24),
                     "Impl::Residual::apply");
    cr_expect_str_eq(mwa_function_name("Kokkos::Impl::Residual::apply()", text, 22),
                     "Impl::Residual::apply"); /* nothing of that is cut */
    cr_expect_str_eq(mwa_function_name("what_computes_for_long::f()", text, 24),
                     "at_computes_for_long::f");
    cr_expect_str_eq(mwa_function_name("na\xc3\xafve_+0x9", text, 9), "ve_+0x9");
}

Test(function_name, tells_functions_of_one_name_apart)
{
    static const char *const functions[] = {
        "float solver::norm<float>(std::vector<float, std::allocator<float> > const&, int)",
        "double solver::norm<double>(std::vector<double, std::allocator<double> > const&, int)",
        "Grid<float, 3>::relax(int)", "Grid<double, 2>::relax(int)", "Grid<double, 3>::relax(int)",
        "f(int)", "f(long, Grid<int>)+0x12", "f(long, char)",
        "void put<std::vector<int, std::allocator<int> > >(int)", "void put<int>(int)",
        "post<a_name_that_is_longer_than_a_column_on_the_screen>(int)", "post<other>(int)",
        "set<float, 3>(int)", "set<double, 3>(int)", "set(int)",
        "get(int)", "get()",
        "double const& Grid<double const>::operator()<double const, 0>(int, int, int) const",
        "double const& Grid<double const>::operator()<double const, 0>(int, int, int, int) const",
        "double& Grid<double>::operator()<double, 0>(int, int, int, int) const",
    };
    static const struct {
        unsigned first, last; /* of one name */
        const char *names[3];
    } groups[] = {
        { 0, 1, { "solver::norm<float>", "solver::norm<double>" } },
        { 2, 4, { "Grid::relax<float>", "Grid::relax<double, 2>", "Grid::relax<double, 3>" } },
        { 5, 7, { "f(int)", "f+0x12(long, Grid<int>)", "f(long, char)" } },
        { 8, 9, { "put<std::vector>", "put<int>" } },
        { 10, 11, { "post<a_name_that_is_longer_than_a\xe2\x80\xa6>", "post<other>" } },
        { 9, 9, { "put" } },
        { 12, 14, { "set<float>", "set<double>", "set(int)" } },
        { 15, 16, { "get(int)", "get()" } },
        { 17, 19, { "Grid::operator()<double const>(int, int, int)",
                    "Grid::operator()<double const>(int, int, int, int)",
                    "Grid::operator()<double>" } },
    };
    char text[64];

    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        for (unsigned k = groups[i].first; k <= groups[i].last; k++) {
            const char *others[3];
            size_t count = 0;

            for (unsigned other = groups[i].first; other <= groups[i].last; other++) {
                if (other != k) {
                    others[count++] = functions[other];
                }
            }
            cr_expect_str_eq(mwa_function_name_among(functions[k], others, count, text,
                                                     sizeof text),
                             groups[i].names[k - groups[i].first]);
        }
    }
}
