# mpiwatch-analyze compiled by what it does most, and optimized as a whole when it is linked: make
# profile-guided (local.mk) reads this behind the Makefile, once for a program that counts and once,
# with the objects gone and their counts there, for the one that is wanted. For GCC.

guided = $(filter %.c,$(libmwanalyzer_a_SOURCES) $(libmwformats_a_SOURCES) \
	$(libmwcommandline_a_SOURCES) $(mpiwatch_analyze_SOURCES))
guided_flags_counts = -fprofile-generate -fprofile-update=atomic
guided_flags_use = -flto=auto -fprofile-use -fprofile-correction -Werror=missing-profile \
	-Wno-maybe-uninitialized
guided_flags = $(guided_flags_$(GUIDED))

profile_guided/%.o: %.c
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(COMPILE) $(guided_flags) -c -o $@ $<

profile_guided/mpiwatch-analyze: $(guided:%.c=profile_guided/%.o)
	$(AM_V_CCLD)$(CC) $(AM_CFLAGS) $(CFLAGS) $(guided_flags) $(mpiwatch_analyze_LDFLAGS) \
		$(LDFLAGS) -o $@ $^ $(filter-out libmwanalyzer.a libmwformats.a,$(MWA_LIBS)) $(LIBS)
