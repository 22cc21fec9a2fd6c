# mpiwatch-record, and what it shares with the preloaded libraries, the settings most of all,
# which list $(MWR_SETTINGS_FILES) among their sources. (Automake takes a variable
# that ends in _SOURCES for a program's.)
MWR_SETTINGS_FILES = \
	recorder/io_hints.c \
	recorder/io_hints.h \
	recorder/launched.c \
	recorder/launched.h \
	recorder/mpis.c \
	recorder/mpis.h \
	recorder/output_pattern.c \
	recorder/output_pattern.h \
	recorder/setting_types.c \
	recorder/setting_types.h \
	recorder/settings.c \
	recorder/settings.h \
	recorder/variables/schedule.c \
	recorder/variables/schedule.h \
	recorder/variables/pvar_selection.c \
	recorder/variables/pvar_selection.h

bin_PROGRAMS += mpiwatch-record
mpiwatch_record_LDADD = libmwcommandline.a libmwformats.a
mpiwatch_record_SOURCES = \
	$(MWR_SETTINGS_FILES) \
	recorder/launcher/linked.c \
	recorder/launcher/linked.h \
	recorder/launcher/main.c \
	recorder/launcher/once.c \
	recorder/launcher/once.h \
	recorder/launcher/preload.c \
	recorder/launcher/preload.h \
	recorder/launcher/program.c \
	recorder/launcher/program.h \
	recorder/launcher/target.c \
	recorder/launcher/target.h

dist_man_MANS += \
	recorder/man/mpiwatch-record.1 \
	recorder/man/mpiwatch-recover.1 \
	recorder/man/mpiwatch.7 \
	recorder/man/qmpi.7

# Completion is made of what the programs say of their own options.
bashcompletiondir = $(datadir)/bash-completion/completions
bashcompletion_DATA = \
	completions/mpiwatch-analyze.bash \
	completions/mpiwatch-record.bash \
	completions/mpiwatch-recover.bash \
	completions/mpiwatch-top.bash \
	completions/mpiwatch-vars.bash
zshcompletiondir = $(datadir)/zsh/site-functions
zshcompletion_DATA = \
	completions/_mpiwatch-analyze \
	completions/_mpiwatch-record \
	completions/_mpiwatch-recover \
	completions/_mpiwatch-top \
	completions/_mpiwatch-vars
if BUILD_VIEW
bashcompletion_DATA += completions/mpiwatch-view.bash
zshcompletion_DATA += completions/_mpiwatch-view
endif
fishcompletiondir = $(datadir)/fish/vendor_completions.d
fishcompletion_DATA = $(bashcompletion_DATA:.bash=.fish)
EXTRA_DIST += completions/bash.awk completions/fish.awk completions/zsh.awk
CLEANFILES += $(bashcompletion_DATA) $(fishcompletion_DATA) $(zshcompletion_DATA)

completion_of = $(AM_V_GEN)$(MKDIR_P) completions && \
	$(RUN_BUILT) ./$(<F) --print-options >$@.options && \
	$(AWK) -f $(word 2,$^) $@.options >$@.new && \
	rm -f $@.options && mv $@.new $@
completions/%.bash: %$(EXEEXT) completions/bash.awk
	$(completion_of)
completions/%.fish: %$(EXEEXT) completions/fish.awk
	$(completion_of)
completions/_%: %$(EXEEXT) completions/zsh.awk
	$(completion_of)
