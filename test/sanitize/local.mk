# make check-sanitize: the unit tests, the analyzer on sound, damaged and hostile archives, and
# recovery, in a build of their own with ASan and UBSan, in the directory sanitize/. How many
# archives are damaged is up to SANITIZE_HOSTILE and SANITIZE_DAMAGE (see the scripts).
SANITIZE_HOSTILE = 6 8 16
SANITIZE_DAMAGE = 6 15 30 100
sanitize_tests = \
	test/system/analyze_keeps_its_manual.sh \
	test/system/analyze_refuses_hostile_archives.sh \
	test/system/analyze_survives_damaged_archives.sh \
	test/system/validate_says_what_is_wrong_and_where.sh
sanitize_programs = \
	mpiwatch-analyze \
	mpiwatch-recover \
	mpiwatch-record \
	test/data/make_archive \
	test/data/make_hostile

# At fixed addresses: what the sanitizers know of the sources is a quarter of a million addresses,
# which the loader would have to correct whenever a program begins, and tests begin thousands.
.PHONY: check-sanitize sanitize-tree
sanitize-tree:
	@test '$(abs_srcdir)' != '$(abs_builddir)' || \
		{ echo "check-sanitize: configure in a directory of its own, not in the sources"; exit 1; }
	@$(MKDIR_P) sanitize
	@test -f sanitize/config.status || { cd sanitize && \
		'$(abs_srcdir)/configure' -q --enable-sanitizers CC='$(CC)' \
			CFLAGS='-O1 -g1 -fno-pie' LDFLAGS=-no-pie; }
check-sanitize: sanitize-tree
	$(MAKE) $(AM_MAKEFLAGS) -C sanitize sanitize-programs
	HOSTILE='$(SANITIZE_HOSTILE)' DAMAGE='$(SANITIZE_DAMAGE)' \
		$(MAKE) $(AM_MAKEFLAGS) -C sanitize sanitize-tests

# In sanitize/.
.PHONY: sanitize-programs sanitize-tests
if HAVE_CRITERION
sanitize_programs += $(unit_tests)
sanitize_tests += $(unit_tests)
endif
sanitize-programs: $(sanitize_programs)
sanitize-tests: sanitize-programs
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS check_PROGRAMS= check_SCRIPTS= TESTS='$(sanitize_tests)'

distclean-local:
	rm -rf sanitize tsan
