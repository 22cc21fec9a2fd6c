# Tests. Three kinds, each a test of Automake's:
#
#   unit_tests    Criterion programs, test/unit/FOLDER/…, mirror the source tree; never under mpirun
#   system_tests  test/system/A_SENTENCE.sh, run whole programs; they source test/system/lib.sh
#   style_tests   test/style/A_SENTENCE.sh, look at the sources and at what was built
#
# A fragment per folder adds to these three lists.
unit_tests =
system_tests =
style_tests =

include test/unit/formats/local.mk
include test/unit/recorder/local.mk
include test/unit/analyzer/local.mk
include test/system/local.mk
include test/style/local.mk
include test/bench/local.mk
include test/long/local.mk
include test/packages/local.mk
include test/arm/local.mk
include test/fuzz/local.mk
include test/sanitize/local.mk
include test/trixie/local.mk
include test/tsan/local.mk
include test/valgrind/local.mk

TEST_EXTENSIONS = .sh
SH_LOG_COMPILER = bash
AM_TESTS_ENVIRONMENT = \
	TOP_SRCDIR='$(abs_top_srcdir)'; export TOP_SRCDIR; \
	TOP_BUILDDIR='$(abs_top_builddir)'; export TOP_BUILDDIR; \
	MPIRUN_OPENMPI='$(MPIRUN_OPENMPI)'; export MPIRUN_OPENMPI; \
	MPIRUN_MPICH='$(MPIRUN_MPICH)'; export MPIRUN_MPICH; \
	MPICC_OPENMPI='$(MPICC_OPENMPI)'; export MPICC_OPENMPI; \
	MPICC_MPICH='$(MPICC_MPICH)'; export MPICC_MPICH; \
	CC='$(CC)'; export CC; \
	OTF2_CFLAGS='$(OTF2_CFLAGS)'; export OTF2_CFLAGS;

# What the unit tests of a folder share.
test_unit_libanalyzer_a_SOURCES = \
	test/unit/analyzer/archive_fixture.c \
	test/unit/analyzer/archive_fixture.h \
	test/unit/analyzer/delay_run.c \
	test/unit/analyzer/delay_run.h \
	test/unit/analyzer/forked_team.c \
	test/unit/analyzer/forked_team.h \
	test/unit/analyzer/same_waits.c \
	test/unit/analyzer/same_waits.h \
	test/unit/analyzer/told_in_chapters.c \
	test/unit/analyzer/told_in_chapters.h \
	test/unit/analyzer/told_run.c \
	test/unit/analyzer/told_run.h \
	test/unit/analyzer/travel.c \
	test/unit/analyzer/travel.h
test_unit_libformats_a_SOURCES = \
	test/unit/formats/maker.c \
	test/unit/formats/maker.h

if HAVE_CRITERION
check_LIBRARIES += test/unit/libanalyzer.a test/unit/libformats.a
check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)
endif
TESTS += $(system_tests) $(style_tests)

# make check-share: what of the long checks fits into a few minutes, for .ci/run. Those that use one
# core go beside the Debian 13, whose installation mostly waits; what that says comes behind them.
# The last line names what did not pass, so that one failure hides no other.
.PHONY: check-share check-share-programs
check-share:
	@failed=; \
	$(MAKE) $(AM_MAKEFLAGS) check-sanitize || failed="$$failed check-sanitize"; \
	$(MAKE) $(AM_MAKEFLAGS) check-trixie-share >trixie-share.log 2>&1 & trixie=$$!; \
	trap 'kill $$trixie; wait; exit 130' INT TERM HUP; \
	$(MAKE) $(AM_MAKEFLAGS) check-tsan || failed="$$failed check-tsan"; \
	$(MAKE) $(AM_MAKEFLAGS) check-valgrind VALGRIND=programs || failed="$$failed check-valgrind"; \
	$(MAKE) $(AM_MAKEFLAGS) check-fuzz FUZZ_RUNS=500 || failed="$$failed check-fuzz"; \
	wait $$trixie || failed="$$failed check-trixie-share"; \
	cat trixie-share.log; \
	[ -z "$$failed" ] || { echo "check-share: did not pass:$$failed"; exit 1; }
CLEANFILES += trixie-share.log

# What of it is compiled in directories of its own, and so can be beside make check.
check-share-programs: sanitize-tree tsan-tree
	$(MAKE) $(AM_MAKEFLAGS) -C sanitize sanitize-programs fuzz-programs
	$(MAKE) $(AM_MAKEFLAGS) -C tsan tsan-programs
CLEANFILES += share-programs.log

EXTRA_DIST += $(system_tests) $(style_tests) test/system/lib.sh
