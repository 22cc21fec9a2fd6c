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
