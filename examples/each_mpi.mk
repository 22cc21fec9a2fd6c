# What is built once for every MPI that has a compiler, as recorder/each_mpi.mk has it for those
# that are recorded: examples, and programs of tests and benchmarks. All are NAME-MPI, or
# NAME-MPI.so, of NAME.c, NAME.f90 or NAME.f.
define programs_of_mpi
$(example_api_names:%=examples/%-$(1)): examples/%-$(1): examples/%.c libmpiwatch.a
	@$$(MKDIR_P) $$(@D)
	$$(example_v_cc)$$($(1)_cc) $$(example_flags) $$(example_api_cppflags) -o $$@ $$< libmpiwatch.a
$(example_api_fortran_names:%=examples/%-$(1)): examples/%-$(1): examples/%.f90 \
		libmpiwatch.a $(example_module)
	@$$(MKDIR_P) $$@.mod
	$$(example_v_cc)$$($(1)_fortran) $$(example_fflags) -J$$@.mod -o $$@ \
		$$(srcdir)/$$(example_module) $$< libmpiwatch.a
$(qmpi_names:%=test/system/%-$(1)): test/system/%-$(1): test/system/%.c \
		recorder/include/qmpi_$(1).h libmpiwatch-$(1).la
	@$$(MKDIR_P) $$(@D)
	$$(example_v_cc)$$($(1)_cc) $$(example_tool_flags) -o $$@ $$< $$(call qmpi_library_of,$(1))
%-$(1).so: %.c recorder/include/qmpi_$(1).h
	@$$(MKDIR_P) $$(@D)
	$$(example_v_cc)$$($(1)_cc) $$(example_tool_flags) -shared -fPIC -o $$@ $$<
%-$(1): %.c
	@$$(MKDIR_P) $$(@D)
	$$(example_v_cc)$$($(1)_cc) $$(example_flags) -o $$@ $$<
%-$(1): %.f90
	@$$(MKDIR_P) $$(@D)
	$$(example_v_cc)$$($(1)_fortran) $$(example_fflags) -J$$(@D) -o $$@ $$<
%-$(1): %.f
	@$$(MKDIR_P) $$(@D)
	$$(example_v_cc)$$($(1)_fortran) $$(example_fflags) -o $$@ $$<
endef
$(foreach mpi,$(sort $(mpi_c) $(mpi_fortran)),$(eval $(call programs_of_mpi,$(mpi))))
