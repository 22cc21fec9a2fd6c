# Small MPI programs, each showing one thing; the comment on top of each says what is
# expected in the archive. Each is built once for every MPI: ring-openmpi, ring-mpich.
example_names = \
	alltoallv_wait \
	any_source \
	barrier_wait \
	callbacks \
	cancel_free \
	cancelled_sends \
	chdir \
	child_process \
	collectives \
	comm_create_wait \
	comms \
	comm_ends \
	comms_of_comms \
	completions \
	counts \
	early_reduce \
	early_scan \
	empty \
	equal_ranks \
	errors \
	faults \
	file_io \
	files_and_windows \
	flood \
	grequest \
	halo \
	hangs \
	held_scan \
	hello \
	icollective_wait \
	icollectives \
	intercomm_p2p \
	intercomm_wait \
	large_message \
	late_broadcast \
	late_receiver \
	late_sender \
	line \
	long_run \
	longjmp \
	many_comms \
	many_requests \
	meet \
	mpi4 \
	neighbors \
	neighbour_wait \
	nxn_wait \
	one_sided \
	p2p_all_modes \
	pcontrol \
	pending_wildcard \
	persistent \
	persistent_collectives \
	probes \
	proc_null \
	pvar_sessions \
	ring \
	rma_early_wait \
	rma_fence_wait \
	rma_late_post \
	rma_lock_contention \
	short_threads \
	spawn \
	storm \
	stretches \
	threads_pingpong \
	topologies \
	wildcards \
	wrong_order \
	zero_bytes
# What only MPICH has: MPI 4.
example_mpich_names = isendrecv partitioned sessions
example_fortran_names = bindings_f08 bindings_mpif bindings_usempi imbalance inplace_f08 \
	inplace_mpif \
	inplace_usempi

# Those that speak to the recorder, linked with libmpiwatch.a.
example_api_names = comm_life library_traffic
example_api_fortran_names = halo_columns

EXTRA_DIST += \
	$(example_api_names:%=examples/%.c) \
	$(example_api_fortran_names:%=examples/%.f90) \
	$(example_names:%=examples/%.c) \
	$(example_mpich_names:%=examples/%.c) \
	examples/README.md \
	examples/nap.h \
	examples/hello.py \
	examples/lennard-jones.in \
	examples/bindings_f08.f90 \
	examples/bindings_mpif.f \
	examples/bindings_usempi.f90 \
	examples/imbalance.f90 \
	examples/inplace_f08.f90 \
	examples/inplace_mpif.f \
	examples/inplace_usempi.f90

# Tools for the chain (qmpi(7)), to be loaded by --tools-path.
example_tool_names = qmpi_call_count qmpi_comm_guard qmpi_delay qmpi_proposal
# Libraries to be preloaded.
example_library_names = pvar_queue
# For CI: test/system/examples_of_ci_stop_what_is_slower.sh runs them.
EXTRA_DIST += \
	examples/ci/Containerfile \
	examples/ci/diffusion.py \
	examples/ci/gate.sh \
	examples/ci/github-actions.yml \
	examples/ci/gitlab-ci.yml \
	examples/ci/limits.txt \
	examples/ci/test_diffusion.py
EXTRA_DIST += $(example_tool_names:%=examples/%.c) $(example_library_names:%=examples/%.c)

of_each_mpi = $(foreach mpi,$(mpi_c),$(patsubst %,$(1)%-$(mpi)$(3),$(2)))
example_programs = \
	$(call of_each_mpi,examples/,$(example_names) $(example_api_names)) \
	$(call of_each_mpi,examples/,$(example_tool_names) $(example_library_names),.so) \
	$(if $(filter mpich,$(mpi_c)),$(example_mpich_names:%=examples/%-mpich)) \
	$(foreach mpi,$(mpi_fortran),$(patsubst %,examples/%-$(mpi), \
		$(example_fortran_names) $(example_api_fortran_names)))
check_SCRIPTS += $(example_programs)
CLEANFILES += $(example_programs) $(example_api_fortran_names:%=examples/%-*.mod/*.mod)

# MPICH declares statuses as arrays that MPI_STATUSES_IGNORE is too small for; both
# declare weights so, and MPI_UNWEIGHTED is no array.
example_flags = -std=gnu11 -O2 -g -pthread $(MW_WARNINGS) -Wno-stringop-overflow \
	-Wno-stringop-overread

# Tools that follow every function follow the deprecated ones, too.
example_tool_flags = $(example_flags) -Wno-deprecated-declarations \
	-I$(srcdir)/recorder/include -Irecorder/include

# Choice buffers without interfaces: gfortran compares the calls of one routine.
example_fflags = -g -w -fallow-argument-mismatch

example_v_cc = $(example_v_cc_$(V))
example_v_cc_ = $(example_v_cc_$(AM_DEFAULT_VERBOSITY))
example_v_cc_0 = @echo "  MPICC    $@";

example_api_cppflags = -I$(srcdir)/recorder/include

# The module is compiled with the program, in a directory of its own: modules differ.
example_module = recorder/library/mpiwatch.f90

# Their rules, which are for make only.
EXTRA_DIST += examples/each_mpi.mk
-include $(top_srcdir)/examples/each_mpi.mk
