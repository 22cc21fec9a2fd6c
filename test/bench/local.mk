# make bench: what recording costs. Not part of make check. To publish, on a machine that does
# nothing else: make bench BENCH="--runs 10 --seconds 60".
BENCH =
EXTRA_DIST += \
	test/bench/MEASURED.md \
	test/bench/chain.py \
	test/bench/comms.c \
	test/bench/comms.py \
	test/bench/growth.py \
	test/bench/overhead.c \
	test/bench/overhead.py \
	test/bench/passive.c \
	test/bench/same_events.py \
	test/bench/scale.py \
	test/bench/speed.py \
	test/bench/top.py \
	test/bench/view.py

bench_programs = \
	$(call of_each_mpi,test/bench/,comms overhead) \
	$(call of_each_mpi,test/bench/,passive,.so)
CLEANFILES += $(bench_programs)
bench: all $(bench_programs)
	@for mpi in $(mpi_c); do \
	    /usr/bin/python3 $(srcdir)/test/bench/overhead.py --mpi $$mpi $(BENCH) || exit 1; \
	    /usr/bin/python3 $(srcdir)/test/bench/chain.py --mpi $$mpi || exit 1; \
	    /usr/bin/python3 $(srcdir)/test/bench/comms.py --mpi $$mpi || exit 1; \
	done
.PHONY: bench

# What watching costs: test/bench/top.py BUILD MPIRUN MPICC, a minute for each of four runs.

# What finalize costs, without MPI: test/bench/replay_bench [CALLS [LEVEL [DIRECTORY]]]
check_PROGRAMS += test/bench/replay_bench
test_bench_replay_bench_LDADD = libmwformats.a $(OTF2_LIBS) $(ZLIB_LIBS)

# What holds up a thread that records: test/bench/window_stalls SPOOL [SECONDS [WINDOWS]]
check_PROGRAMS += test/bench/window_stalls
test_bench_window_stalls_LDADD = libmwformats.a $(ZLIB_LIBS)

# How fast archives are read: make bench-speed, or test/bench/speed.py with other sizes.
check_PROGRAMS += test/bench/generate
test_bench_generate_LDADD = test/data/libarchives.a $(OTF2_LINKED) -lm

# The same of many ranks that are uneven: test/bench/generate_box DIRECTORY RANKS STEPS.
check_PROGRAMS += test/bench/generate_box
test_bench_generate_box_LDADD = test/data/libarchives.a $(OTF2_LINKED) -lm

# What libotf2 takes to read them: test/bench/libotf2_reads DIRECTORY.
check_PROGRAMS += test/bench/libotf2_reads
test_bench_libotf2_reads_LDADD = $(OTF2_LIBS)

bench-speed: mpiwatch-analyze test/bench/generate test/bench/generate_box test/bench/libotf2_reads
	/usr/bin/python3 $(srcdir)/test/bench/speed.py
.PHONY: bench-speed

# How work and memory grow with each thing that can be many: make bench-growth, or
# test/bench/growth.py with some of the shapes only.
check_PROGRAMS += test/bench/shapes
test_bench_shapes_SOURCES = test/bench/shapes.c test/bench/shapes.h test/bench/shapes_crowd.c \
	test/bench/shapes_kit.c test/bench/shapes_objects.c test/bench/shapes_plain.c \
	test/bench/shapes_windows.c
test_bench_shapes_LDADD = libmwformats.a $(OTF2_LIBS) $(ZLIB_LIBS)

check_PROGRAMS += test/bench/measure
test_bench_measure_LDADD =

bench-growth: mpiwatch-analyze mpiwatch-recover test/bench/shapes test/bench/measure
	/usr/bin/python3 $(srcdir)/test/bench/growth.py
.PHONY: bench-growth

# What the end of a run takes with many ranks: make bench-scale, or test/bench/scale.py with other
# numbers of them.
check_PROGRAMS += test/bench/scale
test_bench_scale_SOURCES = test/bench/scale.c test/bench/scale.h test/bench/scale_memory.c \
	test/bench/scale_ranks.c test/bench/scale_spools.c test/bench/shapes.h \
	test/bench/shapes_kit.c
test_bench_scale_LDADD = libmwformats.a $(OTF2_LIBS) $(ZLIB_LIBS)

# Rank 0's definitions alone, of more ranks than that: test/bench/scale_definitions
check_PROGRAMS += test/bench/scale_definitions
test_bench_scale_definitions_SOURCES = test/bench/scale_definitions.c test/bench/scale.h \
	test/bench/scale_memory.c test/bench/scale_spools.c test/bench/shapes.h \
	test/bench/shapes_kit.c
test_bench_scale_definitions_LDADD = libmwformats.a $(OTF2_LIBS) $(ZLIB_LIBS)

bench-scale: test/bench/scale
	/usr/bin/python3 $(srcdir)/test/bench/scale.py
.PHONY: bench-scale
