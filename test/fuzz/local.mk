# make check-fuzz: random variations of spools, read with the sanitizers on, FUZZ_RUNS of them.
# make test/fuzz/spool_libfuzzer: the same with clang's libFuzzer, to be run by hand as long as one
# likes. The seeds are made by the program: those of another table of calls would be refused.
FUZZ_RUNS = 5000
EXTRA_DIST += test/fuzz/spool_fuzz.c
CLEANFILES += test/fuzz/spool_fuzz test/fuzz/spool_libfuzzer
fuzz_flags = -std=gnu11 $(DEFAULT_INCLUDES) $(AM_CPPFLAGS) $(OTF2_CFLAGS) $(ZLIB_CFLAGS) -g -O1
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
EXTRA_DIST += test/fuzz/archive_fuzz.c $(archive_fuzz_seeds)
CLEANFILES += test/fuzz/archive_fuzz test/fuzz/archive_libfuzzer
archive_fuzz_seeds = \
	test/fuzz/seeds/index-blocks \
	test/fuzz/seeds/index-small \
	test/fuzz/seeds/json-least \
	test/fuzz/seeds/json-whole \
	test/fuzz/seeds/zip-empty \
	test/fuzz/seeds/zip-plain \
	test/fuzz/seeds/zip-zip64
archive_fuzz_files = \
	test/fuzz/archive_fuzz.c \
	analyzer/load/files.c \
	analyzer/load/member.c \
	analyzer/load/metadata.c \
	analyzer/load/variables.c \
	analyzer/load/zip.c \
	analyzer/model/metric.c \
	analyzer/model/table.c \
	analyzer/model/trace.c \
	analyzer/validate/block_index.c \
	formats/status.c
archive_fuzz_flags = -std=gnu11 $(DEFAULT_INCLUDES) $(AM_CPPFLAGS) $(JANSSON_CFLAGS) \
	$(ZLIB_CFLAGS) -g -O1 $(archive_fuzz_files:%=$(srcdir)/%) $(MWA_WRAP) $(JANSSON_LIBS) \
	$(ZLIB_LIBS) -lpthread

test/fuzz/archive_fuzz: $(archive_fuzz_files)
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(CC) -DPLAIN_DRIVER -fsanitize=address,undefined -fno-sanitize-recover=all \
		-o $@ $(archive_fuzz_flags)

test/fuzz/archive_libfuzzer: $(archive_fuzz_files)
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)clang -fsanitize=fuzzer,address,undefined -o $@ $(archive_fuzz_flags)

check-fuzz: check-fuzz-archive
check-fuzz-archive: test/fuzz/archive_fuzz
	test/fuzz/archive_fuzz $(FUZZ_RUNS) $(archive_fuzz_seeds:%=$(srcdir)/%)
.PHONY: check-fuzz-archive
