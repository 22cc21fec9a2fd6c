# Long tests: other people's programs and test suites, under `make check-long` only.
long_tests = \
	test/long/communicators_by_ten_thousand_cost_little_each.sh \
	test/long/hpcc_passes_as_without_the_recorder.sh \
	test/long/mpi4py_passes_as_without_the_recorder.sh \
	test/long/mpich_tests_end_as_without_the_recorder.sh \
	test/long/results_do_not_depend_on_who_is_read_first_at_length.sh \
	test/long/scalapack_passes_as_without_the_recorder.sh \
	test/long/scout_finds_the_waits_worked_out_by_hand.sh \
	test/long/software_counters_of_open_mpi_are_what_it_reads_itself.sh \
	test/long/variables_of_busy_threads_are_told_as_they_read_them.sh \
	test/long/variables_of_mpich_are_what_it_reads_itself.sh \
	test/long/what_is_built_by_profile_tells_the_same.sh
EXTRA_DIST += $(long_tests) test/long/mpich_tests.py test/long/programs.sh \
	test/long/reads_variables.c test/long/scout_report.py

.PHONY: check-long
check-long:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(long_tests)'
