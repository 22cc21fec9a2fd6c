# What there is once for every MPI, for those that configure found ($(mpis); MW_MPI in configure.ac
# says what it knows of each). Automake has no rules for lists that it doesn't know, GNU make has.
# The library's and the program's objects.
mpi_objects = $(patsubst %.c,recorder/$(1)/%.lo,$(filter %.c,$(MWR_FILES) $(MWR_SETTINGS_FILES)))
mpi_vars_objects = $(patsubst %.c,recorder/$(1)/vars/%.o,$(filter %.c,$(MWR_VARS_FILES)))

# Open MPI's library still has the calls that MPI 3 removed.
mpi_cppflags = $(MW_CPPFLAGS) -Irecorder/$(1) -Irecorder/include $($(1)_cflags) \
	-DOMPI_OMIT_MPI1_COMPAT_DECLS=0
mpi_depends = -MT $@ -MD -MP -MF $@.d

define rules_of_mpi
recorder/$(1)/mpi_has.h: recorder/dispatch/mpi_has.awk
recorder/include/qmpi_$(1).h: recorder/dispatch/qmpi_header.awk
recorder/$(1)/mpi_has.h recorder/include/qmpi_$(1).h: formats/table/calls.def \
		recorder/dispatch/mpi_all.h recorder/dispatch/declared.awk
	$$(AM_V_GEN)$$(MKDIR_P) $$(@D) && \
	$$(CC) -E $$(call mpi_cppflags,$(1)) -x c $$(filter %.h,$$^) > $$@.i && \
	$$(AWK) $$(addprefix -f ,$$(filter %.awk,$$^)) $$(filter %.def,$$^) $$@.i > $$@.new && \
	rm -f $$@.i && mv $$@.new $$@

recorder/$(1)/%: private AM_CPPFLAGS = $$(call mpi_cppflags,$(1)) $$(OTF2_CFLAGS) $$(JANSSON_CFLAGS)
$(mpi_objects) libmpiwatch-$(1).la: private AM_CFLAGS = $$(MWR_CFLAGS)
$(mpi_objects): recorder/$(1)/%.lo: %.c | $(mpi_headers)
	@$$(MKDIR_P) $$(@D)
	$$(AM_V_CC)$$(LTCOMPILE) $$(mpi_depends) -c -o $$@ $$<
$(mpi_vars_objects): recorder/$(1)/vars/%.o: %.c | $(mpi_headers)
	@$$(MKDIR_P) $$(@D)
	$$(AM_V_CC)$$(COMPILE) $$(mpi_depends) -c -o $$@ $$<

libmpiwatch-$(1).la: private AM_LDFLAGS = $$(MWR_LINK) -rpath $$(pkglibdir)
libmpiwatch-$(1).la: $(mpi_objects) libmwformats-recorder.la recorder/libmpiwatch.map
	$$(AM_V_CCLD)$$(LINK) $$(filter %.lo %.la,$$^) $$(MWR_LIBS) $$($(1)_libs)
mpiwatch-vars-$(1): $(mpi_vars_objects) libmwformats.a
	$$(AM_V_CCLD)$$(LINK) $$^ $$(JANSSON_LIBS) $$($(1)_libs)

-include $$(patsubst %,%.d,$(mpi_objects) $(mpi_vars_objects))
endef
$(foreach mpi,$(mpis),$(eval $(call rules_of_mpi,$(mpi))))
