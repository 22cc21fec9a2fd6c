# make check-fuzz: random variations of spools, of what reads archives before libotf2 does, and of
# the words of users in options and in the environment, FUZZ_RUNS of each, in the build of make
# check-sanitize. The seeds of spools are made by the program: those of another table of calls would
# be refused. The others are checked in: the first byte of each says what it is.
#
# make test/fuzz/WHAT_libfuzzer: the same with clang's libFuzzer, to be run by hand as long as one
# likes.
FUZZ_RUNS = 5000
archive_fuzz_seeds = \
	test/fuzz/seeds/anchor-plain \
	test/fuzz/seeds/anchor-properties \
	test/fuzz/seeds/events-attributes \
	test/fuzz/seeds/events-big-endian \
	test/fuzz/seeds/events-kinds \
	test/fuzz/seeds/index-blocks \
	test/fuzz/seeds/index-small \
	test/fuzz/seeds/json-least \
	test/fuzz/seeds/json-samples \
	test/fuzz/seeds/json-whole \
	test/fuzz/seeds/zip-empty \
	test/fuzz/seeds/zip-plain \
	test/fuzz/seeds/zip-zip64
settings_fuzz_seeds = test/fuzz/seeds/settings-output test/fuzz/seeds/settings-variables
EXTRA_DIST += $(archive_fuzz_seeds) $(settings_fuzz_seeds)
fuzzers = test/fuzz/archive_fuzz test/fuzz/settings_fuzz test/fuzz/spool_fuzz
EXTRA_PROGRAMS = $(fuzzers)
test_fuzz_archive_fuzz_LDADD = $(MWA_LIBS)
test_fuzz_archive_fuzz_SOURCES = test/fuzz/archive_fuzz.c test/fuzz/driver.c
test_fuzz_settings_fuzz_LDADD = libmwformats.a $(OTF2_LINKED) $(ZLIB_LIBS)
test_fuzz_settings_fuzz_SOURCES = \
	test/fuzz/settings_fuzz.c \
	test/fuzz/driver.c \
	$(MWR_SETTINGS_FILES)
test_fuzz_spool_fuzz_CPPFLAGS = $(AM_CPPFLAGS) -DPLAIN_DRIVER
test_fuzz_spool_fuzz_CFLAGS = $(AM_CFLAGS)
test_fuzz_spool_fuzz_LDADD = libmwformats.a $(OTF2_LINKED) $(ZLIB_LIBS)
test_fuzz_spool_fuzz_SOURCES = test/fuzz/spool_fuzz.c

# libotf2 loses memory of its own when it refuses an anchor file.
.PHONY: check-fuzz check-fuzz-words fuzz-programs
# One after the other: both build in sanitize/.
check-fuzz:
	$(MAKE) $(AM_MAKEFLAGS) check-fuzz-words
	$(MAKE) $(AM_MAKEFLAGS) check-fuzz-behind
# In sanitize/.
fuzz-programs: $(fuzzers) test/fuzz/serve mpiwatch-analyze mpiwatch-recover test/data/make_archive
check-fuzz-words: sanitize-tree
	$(MAKE) $(AM_MAKEFLAGS) -C sanitize fuzz-programs
	ASAN_OPTIONS=detect_leaks=0 sanitize/test/fuzz/spool_fuzz $(FUZZ_RUNS)
	ASAN_OPTIONS=detect_leaks=0 sanitize/test/fuzz/archive_fuzz $(FUZZ_RUNS) \
		$(archive_fuzz_seeds:%=$(srcdir)/%)
	sanitize/test/fuzz/settings_fuzz $(FUZZ_RUNS) $(settings_fuzz_seeds:%=$(srcdir)/%)

libfuzzers = $(fuzzers:_fuzz=_libfuzzer)
CLEANFILES += $(libfuzzers)
test/fuzz/archive_libfuzzer: $(libmwanalyzer_a_SOURCES)
test/fuzz/settings_libfuzzer: $(MWR_SETTINGS_FILES)
$(libfuzzers): test/fuzz/%_libfuzzer: test/fuzz/%_fuzz.c $(libmwformats_a_SOURCES)
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)clang -std=gnu11 $(DEFAULT_INCLUDES) $(AM_CPPFLAGS) -g1 -O1 \
		-fsanitize=fuzzer,address,undefined -o $@ $(filter %.c,$^) \
		$(if $(findstring archive,$@),$(filter-out %.la,$(MWA_LIBS)),$(OTF2_LINKED) $(ZLIB_LIBS))

# And for what is behind the checksums of archives and spools, for the programs as a whole, in the
# build of make check-sanitize: mpiwatch-analyze in a process that does not end. As many seconds
# with FUZZ_BEHIND=3600s.
FUZZ_BEHIND = $$(( $(FUZZ_RUNS) / 25 ))
FUZZ_SEED = 1
EXTRA_DIST += test/fuzz/archives.py test/fuzz/behind_checksums.sh
EXTRA_PROGRAMS += test/fuzz/serve
test_fuzz_serve_CPPFLAGS = $(AM_CPPFLAGS) -Dmain=mpiwatch_analyze_main
test_fuzz_serve_CFLAGS = $(AM_CFLAGS) -Wno-missing-prototypes
test_fuzz_serve_LDADD = $(mpiwatch_analyze_LDADD)
test_fuzz_serve_LDFLAGS = $(mpiwatch_analyze_LDFLAGS)
test_fuzz_serve_SOURCES = test/fuzz/serve.c $(mpiwatch_analyze_SOURCES)

check-fuzz-behind: sanitize-tree
	$(MAKE) $(AM_MAKEFLAGS) -C sanitize fuzz-programs
	@$(AM_TESTS_ENVIRONMENT) bash $(srcdir)/test/fuzz/behind_checksums.sh $(FUZZ_BEHIND) \
		$(FUZZ_SEED)
.PHONY: check-fuzz-behind
