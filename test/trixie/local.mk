# make check-trixie: ./bootstrap demo and ./bootstrap check in a Debian 13. A share of it is in make
# check-share: the demo, and tests of what Debian 13's MPIs do otherwise. The longest comes first:
# it would be alone with the cores.
trixie_share = \
	test/system/programs_behave_as_without_the_recorder.sh \
	test/system/a_fatal_error_of_mpi_says_what_is_left.sh \
	test/system/a_run_that_dies_is_recovered_to_its_last_record.sh \
	test/system/attributes_of_self_are_deleted_as_without_us.sh \
	test/system/calls_table_matches_mpi_h.sh \
	test/system/collectives_are_recorded_with_their_bytes.sh \
	test/system/filtered_calls_are_counted_until_a_kill.sh \
	test/system/fortran_is_recorded_once_per_call.sh \
	test/system/mpi_4_is_recorded_with_its_meaning.sh \
	test/system/nothing_recorded_is_said_with_its_reason.sh \
	test/system/one_sided_operations_are_recorded_with_targets_and_bytes.sh \
	test/system/point_to_point_is_recorded_call_for_call.sh \
	test/system/spawned_jobs_have_archives_of_their_own.sh
EXTRA_DIST += test/trixie/debian.sh test/trixie/in_trixie.sh

.PHONY: check-trixie check-trixie-share
check-trixie:
	@$(AM_TESTS_ENVIRONMENT) bash '$(srcdir)/test/trixie/in_trixie.sh' whole
check-trixie-share:
	@$(AM_TESTS_ENVIRONMENT) SHARE='$(trixie_share)' \
		bash '$(srcdir)/test/trixie/in_trixie.sh' share

distclean-local: distclean-trixie
.PHONY: distclean-trixie
distclean-trixie:
	rm -rf trixie
