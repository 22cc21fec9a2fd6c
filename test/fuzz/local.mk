# make check-fuzz: random variations of spools, read with the sanitizers on, FUZZ_RUNS of them.
# make test/fuzz/spool_libfuzzer: the same with clang's libFuzzer, to be run by hand as long as one
# likes. The seeds are made by the program: those of another table of calls would be refused.
FUZZ_RUNS = 5000
EXTRA_DIST += test/fuzz/spool_fuzz.c
CLEANFILES += test/fuzz/spool_fuzz test/fuzz/spool_libfuzzer
fuzz_flags = -std=gnu11 $(DEFAULT_INCLUDES) $(AM_CPPFLAGS) -g1 -O1
fuzz_sources = $(srcdir)/test/fuzz/spool_fuzz.c $(libmwformats_la_SOURCES:%=$(srcdir)/%)
fuzz_libs = $(OTF2_LIBS) $(ZLIB_LIBS) -lpthread

test/fuzz/spool_fuzz: test/fuzz/spool_fuzz.c $(libmwformats_la_SOURCES)
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(CC) $(fuzz_flags) -DPLAIN_DRIVER -fsanitize=address,undefined \
		-fno-sanitize-recover=all -o $@ $(filter %.c,$(fuzz_sources)) $(fuzz_libs)

test/fuzz/spool_libfuzzer: test/fuzz/spool_fuzz.c $(libmwformats_la_SOURCES)
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)clang $(fuzz_flags) -fsanitize=fuzzer,address,undefined -o $@ \
		$(filter %.c,$(fuzz_sources)) $(fuzz_libs)

check-fuzz: test/fuzz/spool_fuzz
	ASAN_OPTIONS=detect_leaks=0 test/fuzz/spool_fuzz $(FUZZ_RUNS)
.PHONY: check-fuzz

# The same for what reads archives before libotf2 does. The seeds are checked in: the first byte
# of each says what it is.
EXTRA_DIST += test/fuzz/archive_fuzz.c test/fuzz/driver.c $(archive_fuzz_seeds)
CLEANFILES += test/fuzz/archive_fuzz test/fuzz/archive_libfuzzer
archive_fuzz_seeds = \
	test/fuzz/seeds/anchor-plain \
	test/fuzz/seeds/anchor-properties \
	test/fuzz/seeds/events-attributes \
	test/fuzz/seeds/events-big-endian \
	test/fuzz/seeds/events-kinds \
	test/fuzz/seeds/index-blocks \
	test/fuzz/seeds/index-small \
	test/fuzz/seeds/json-least \
	test/fuzz/seeds/json-whole \
	test/fuzz/seeds/zip-empty \
	test/fuzz/seeds/zip-plain \
	test/fuzz/seeds/zip-zip64
archive_fuzz_files = \
	test/fuzz/archive_fuzz.c \
	$(filter analyzer/load/%.c analyzer/model/%.c analyzer/sidecar/%.c analyzer/team/%.c, \
		$(libmwanalyzer_la_SOURCES)) \
	formats/archive/archive_words.c \
	formats/archive/resolve_sites.c \
	formats/archive/transport.c \
	formats/merge/merge_sites.c \
	formats/table/calls.c \
	formats/table/terms.c \
	formats/base/buffer.c \
	formats/base/child.c \
	formats/base/clock.c \
	formats/base/file.c \
	formats/base/index_table.c \
	formats/base/nearby.c \
	formats/base/scratch.c \
	formats/base/status.c \
	formats/zip/isal_library.c
archive_fuzz_flags = $(fuzz_flags) $(archive_fuzz_files:%=$(srcdir)/%)
archive_fuzz_libs = $(MWA_WRAP) $(OTF2_LINKED) $(JANSSON_LIBS) $(ZLIB_LIBS) -lpthread -lm
fuzz_driver = $(srcdir)/test/fuzz/driver.c -fsanitize=address,undefined \
	-fno-sanitize-recover=all

test/fuzz/archive_fuzz: $(archive_fuzz_files) test/fuzz/driver.c
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(CC) -o $@ $(archive_fuzz_flags) $(fuzz_driver) $(archive_fuzz_libs)

test/fuzz/archive_libfuzzer: $(archive_fuzz_files)
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)clang -fsanitize=fuzzer,address,undefined -o $@ $(archive_fuzz_flags) \
		$(archive_fuzz_libs)

# libotf2 loses memory of its own when it refuses an anchor file.
check-fuzz: check-fuzz-archive
check-fuzz-archive: test/fuzz/archive_fuzz
	ASAN_OPTIONS=detect_leaks=0 \
		test/fuzz/archive_fuzz $(FUZZ_RUNS) $(archive_fuzz_seeds:%=$(srcdir)/%)
.PHONY: check-fuzz-archive

# And for the words of users, in options and in the environment.
EXTRA_DIST += test/fuzz/settings_fuzz.c $(settings_fuzz_seeds)
CLEANFILES += test/fuzz/settings_fuzz test/fuzz/settings_libfuzzer
settings_fuzz_seeds = test/fuzz/seeds/settings-output test/fuzz/seeds/settings-variables
settings_fuzz_files = \
	test/fuzz/settings_fuzz.c \
	formats/table/calls.c \
	formats/archive/archive_words.c \
	formats/base/clock.c \
	formats/base/nearest.c \
	formats/base/status.c \
	$(MWR_SETTINGS_FILES)
settings_fuzz_flags = $(fuzz_flags) \
	$(patsubst %,$(srcdir)/%,$(filter %.c,$(settings_fuzz_files)))

test/fuzz/settings_fuzz: $(settings_fuzz_files) test/fuzz/driver.c
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(CC) -o $@ $(settings_fuzz_flags) $(fuzz_driver)

test/fuzz/settings_libfuzzer: $(settings_fuzz_files)
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)clang -fsanitize=fuzzer,address,undefined -o $@ $(settings_fuzz_flags)

check-fuzz: check-fuzz-settings
check-fuzz-settings: test/fuzz/settings_fuzz
	test/fuzz/settings_fuzz $(FUZZ_RUNS) $(settings_fuzz_seeds:%=$(srcdir)/%)
.PHONY: check-fuzz-settings

# And for what is behind the checksums of archives and spools, for the programs as a whole, in the
# build of make check-sanitize: mpiwatch-analyze in a process that does not end. As many seconds
# with FUZZ_BEHIND=3600s.
FUZZ_BEHIND = $$(( $(FUZZ_RUNS) / 25 ))
FUZZ_SEED = 1
EXTRA_DIST += test/fuzz/archives.py test/fuzz/behind_checksums.sh
EXTRA_PROGRAMS = test/fuzz/serve
test_fuzz_serve_CPPFLAGS = $(AM_CPPFLAGS) -Dmain=mpiwatch_analyze_main
test_fuzz_serve_CFLAGS = $(AM_CFLAGS) -Wno-missing-prototypes
test_fuzz_serve_LDADD = $(mpiwatch_analyze_LDADD)
test_fuzz_serve_SOURCES = test/fuzz/serve.c $(mpiwatch_analyze_SOURCES)

check-fuzz: check-fuzz-behind
check-fuzz-behind: sanitize-tree
	$(MAKE) $(AM_MAKEFLAGS) -C sanitize test/fuzz/serve mpiwatch-analyze mpiwatch-recover \
		test/data/make_archive
	@$(AM_TESTS_ENVIRONMENT) bash $(srcdir)/test/fuzz/behind_checksums.sh $(FUZZ_BEHIND) \
		$(FUZZ_SEED)
.PHONY: check-fuzz-behind
