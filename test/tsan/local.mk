# make check-tsan: state that threads share, under ThreadSanitizer. With Open MPI's mpi.h, whose
# handles are addresses; no MPI runs.
tsan_tests = test/tsan/threads_race_nowhere.sh
EXTRA_DIST += $(tsan_tests) test/tsan/contention.c
CLEANFILES += test/tsan/contention
tsan_sources = \
	test/tsan/contention.c \
	$(filter recorder/recorder.c recorder/state/%.c,$(MWR_FILES)) \
	recorder/sites/call_sites.c recorder/sites/frame.c recorder/sites/known_stacks.c \
	recorder/sites/loaded.c \
	recorder/sites/python_line.c recorder/sites/python_module.c \
	recorder/sites/site_numbers.c recorder/sites/stacks.c \
	$(filter %.c,$(MWR_SETTINGS_FILES) $(libmwformats_a_SOURCES))
tsan_flags = -std=gnu11 $(DEFAULT_INCLUDES) $(call mpi_cppflags,openmpi) $(OTF2_CFLAGS) \
	$(ZLIB_CFLAGS) -g1 -O1 -fsanitize=thread
tsan_libs = $(openmpi_libs) $(OTF2_LIBS) $(ZLIB_LIBS) -lpthread

.PHONY: check-tsan
test/tsan/contention: $(tsan_sources) recorder/openmpi/mpi_has.h
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(CC) $(tsan_flags) -o $@ $(tsan_sources:%=$(srcdir)/%) $(tsan_libs)

check-tsan: $(if $(filter openmpi,$(mpis)),test/tsan/contention)
	@$(if $^,$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(tsan_tests)', \
		echo "check-tsan: needs Open MPI's mpi.h")
