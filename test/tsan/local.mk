# make check-tsan: state that threads share, under ThreadSanitizer. The recorder's with Open MPI's
# mpi.h, whose handles are addresses; no MPI runs. The analyzer's in a build of its own, in the
# directory tsan/.
tsan_tests = test/tsan/threads_race_nowhere.sh
tsan_told_tests = test/tsan/threads_of_the_analyzer_race_nowhere.sh
tsan_told_programs = test/system/any_order test/data/make_irregular test/bench/generate
EXTRA_DIST += $(tsan_tests) $(tsan_told_tests) test/tsan/contention.c
CLEANFILES += test/tsan/contention
tsan_sources = \
	test/tsan/contention.c \
	$(filter recorder/recorder.c recorder/state/%.c,$(MWR_FILES)) \
	recorder/sites/call_sites.c recorder/sites/frame.c recorder/sites/known_stacks.c \
	recorder/sites/loaded.c \
	recorder/sites/python_line.c recorder/sites/python_module.c \
	recorder/sites/python_package.c recorder/sites/site_numbers.c \
	recorder/sites/stack_nodes.c recorder/sites/stacks.c \
	recorder/sites/elf_file.c recorder/sites/wrapper_code.c \
	$(filter %.c,$(MWR_SETTINGS_FILES) $(libmwformats_a_SOURCES))
tsan_flags = -std=gnu11 $(DEFAULT_INCLUDES) $(call mpi_cppflags,openmpi) $(OTF2_CFLAGS) \
	$(ZLIB_CFLAGS) -g1 -O1 -fsanitize=thread
tsan_libs = $(openmpi_libs) $(OTF2_LIBS) $(ZLIB_LIBS) -lpthread

.PHONY: check-tsan tsan-tree tsan-programs tsan-told
tsan-tree:
	@test '$(abs_srcdir)' != '$(abs_builddir)' || \
		{ echo "check-tsan: configure in a directory of its own, not in the sources"; exit 1; }
	@$(MKDIR_P) tsan
	@test -f tsan/config.status || { cd tsan && \
		'$(abs_srcdir)/configure' -q CC='$(CC)' CFLAGS='-O1 -g1 -fsanitize=thread'; }
# In tsan/.
tsan-programs: $(tsan_told_programs)
tsan-told: tsan-programs
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS check_PROGRAMS= check_SCRIPTS= TESTS='$(tsan_told_tests)'

test/tsan/contention: $(tsan_sources) recorder/openmpi/mpi_has.h
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(CC) $(tsan_flags) -o $@ $(tsan_sources:%=$(srcdir)/%) $(tsan_libs)

tsan_recorder = $(if $(filter openmpi,$(mpis)),test/tsan/contention)
check-tsan: tsan-tree $(tsan_recorder)
	@$(if $(tsan_recorder),$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(tsan_tests)', \
		echo "check-tsan: of the recorder: needs Open MPI's mpi.h")
	$(MAKE) $(AM_MAKEFLAGS) -C tsan tsan-told
