# make check-valgrind: the programs and, with VALGRIND=all, the unit tests under valgrind. Not in
# a build with sanitizers.
VALGRIND = all
valgrind_tests = test/valgrind/programs_leave_memory_alone.sh
EXTRA_DIST += $(valgrind_tests)

.PHONY: check-valgrind
check-valgrind:
	VALGRIND='$(VALGRIND)' $(MAKE) $(AM_MAKEFLAGS) check TESTS='$(valgrind_tests)'

# make check-torture: every allocation of the recorder fails once, an hour, and of the analyzer. In
# make check some do.
.PHONY: check-torture
check-torture:
	TORTURE=all $(MAKE) $(AM_MAKEFLAGS) check \
		TESTS='test/system/failing_allocations_change_no_result.sh \
		test/system/an_analysis_that_lacks_memory_says_so.sh'
