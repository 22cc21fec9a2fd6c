# The recorder: one library per MPI, from the same sources.
MWR_FILES = \
	recorder/api/control.c \
	recorder/api/control.h \
	recorder/api/interface.c \
	recorder/api/registration.c \
	recorder/api/registration.h \
	recorder/api/saying.c \
	recorder/api/saying.h \
	recorder/api/user.c \
	recorder/api/user.h \
	recorder/api/words.c \
	recorder/api/words.h \
	recorder/carry/carry.c \
	recorder/carry/carry.h \
	recorder/carry/carry_ways.h \
	recorder/carry/carry_ports.c \
	recorder/carry/company.c \
	recorder/carry/packets.c \
	recorder/carry/packets.h \
	recorder/carry/port_file.c \
	recorder/carry/port_file.h \
	recorder/carry/patience.c \
	recorder/carry/patience.h \
	recorder/carry/posts.c \
	recorder/carry/posts.h \
	recorder/dispatch/base.c \
	recorder/dispatch/chain.c \
	recorder/dispatch/chain.h \
	recorder/dispatch/entry.c \
	recorder/dispatch/guard.h \
	recorder/dispatch/mpi_all.h \
	recorder/dispatch/mpi_header.h \
	recorder/dispatch/qmpi.c \
	recorder/dispatch/rows.h \
	recorder/dispatch/tools.c \
	recorder/dispatch/tools.h \
	recorder/finalize/circumstances.c \
	recorder/finalize/circumstances.h \
	recorder/finalize/dying.c \
	recorder/finalize/dying.h \
	recorder/finalize/apart.c \
	recorder/finalize/apart.h \
	recorder/finalize/ending.c \
	recorder/finalize/ending.h \
	recorder/finalize/finish.c \
	recorder/finalize/finish.h \
	recorder/finalize/foresight.c \
	recorder/finalize/foresight.h \
	recorder/finalize/hosts.c \
	recorder/finalize/hosts.h \
	recorder/finalize/last_attribute.c \
	recorder/finalize/last_attribute.h \
	recorder/finalize/lent_transport.c \
	recorder/finalize/lent_transport.h \
	recorder/finalize/manifest.c \
	recorder/finalize/manifest.h \
	recorder/finalize/names.c \
	recorder/finalize/names.h \
	recorder/finalize/outcome.c \
	recorder/finalize/outcome.h \
	recorder/finalize/stack_room.c \
	recorder/finalize/stack_room.h \
	recorder/finalize/output_file.c \
	recorder/finalize/output_file.h \
	recorder/finalize/output_hints.c \
	recorder/finalize/output_hints.h \
	recorder/finalize/siblings.c \
	recorder/finalize/siblings.h \
	recorder/finalize/start.c \
	recorder/finalize/start.h \
	recorder/finalize/terminating.c \
	recorder/finalize/terminating.h \
	recorder/finalize/transport_mpi.c \
	recorder/finalize/transport_mpi.h \
	recorder/finalize/unseen.c \
	recorder/finalize/watching.c \
	recorder/finalize/watching.h \
	recorder/finalize/without_zeros.c \
	recorder/finalize/without_zeros.h \
	recorder/hooks/clock_renewal.c \
	recorder/hooks/clock_renewal.h \
	recorder/hooks/collective.c \
	recorder/hooks/collective.h \
	recorder/hooks/communicator.c \
	recorder/hooks/communicator.h \
	recorder/hooks/completion.c \
	recorder/hooks/completion.h \
	recorder/hooks/fortran_callbacks.c \
	recorder/hooks/init_hooks.c \
	recorder/hooks/init_hooks.h \
	recorder/hooks/io_hooks.c \
	recorder/hooks/io_hooks.h \
	recorder/hooks/filtering.c \
	recorder/hooks/filtering.h \
	recorder/hooks/hooks.c \
	recorder/hooks/kinds.h \
	recorder/hooks/kinds_collective.h \
	recorder/hooks/kinds_file.h \
	recorder/hooks/kinds_window.h \
	recorder/hooks/message.c \
	recorder/hooks/message.h \
	recorder/hooks/neighbor.c \
	recorder/hooks/neighbor.h \
	recorder/hooks/nested.c \
	recorder/hooks/nested.h \
	recorder/hooks/session.c \
	recorder/hooks/session.h \
	recorder/hooks/now.c \
	recorder/hooks/now.h \
	recorder/hooks/persistent.c \
	recorder/hooks/persistent.h \
	recorder/hooks/rma_hooks.c \
	recorder/hooks/rma_hooks.h \
	recorder/recorder.c \
	recorder/recorder.h \
	recorder/sites/elf_file.c \
	recorder/sites/elf_file.h \
	recorder/sites/finalized.c \
	recorder/sites/frame.c \
	recorder/sites/frame.h \
	recorder/sites/loaded.c \
	recorder/sites/loaded.h \
	recorder/sites/known_stacks.c \
	recorder/sites/known_stacks.h \
	recorder/sites/python_line.c \
	recorder/sites/python_line.h \
	recorder/sites/python_module.c \
	recorder/sites/python_module.h \
	recorder/sites/python_package.c \
	recorder/sites/python_package.h \
	recorder/sites/resolver.c \
	recorder/sites/resolver.h \
	recorder/sites/call_sites.c \
	recorder/sites/call_sites.h \
	recorder/sites/site_numbers.c \
	recorder/sites/site_numbers.h \
	recorder/sites/stack_nodes.c \
	recorder/sites/stack_nodes.h \
	recorder/sites/stacks.c \
	recorder/sites/stacks.h \
	recorder/sites/wrapper_code.c \
	recorder/sites/wrapper_code.h \
	recorder/state/checkout.c \
	recorder/state/checkout.h \
	recorder/state/clock_line.c \
	recorder/state/clock_line.h \
	recorder/state/own_clock.c \
	recorder/state/own_clock.h \
	recorder/state/own_mpi.c \
	recorder/state/own_mpi.h \
	recorder/state/cores.c \
	recorder/state/cores.h \
	recorder/state/comms.c \
	recorder/state/comms.h \
	recorder/state/error_code.c \
	recorder/state/error_code.h \
	recorder/state/error_stream.c \
	recorder/state/error_stream.h \
	recorder/state/comm_filter.c \
	recorder/state/comm_filter.h \
	recorder/state/comm_table.c \
	recorder/state/comm_table.h \
	recorder/state/identity.c \
	recorder/state/identity.h \
	recorder/state/lanes.c \
	recorder/state/lanes.h \
	recorder/state/lineage.c \
	recorder/state/lineage.h \
	recorder/state/callbacks.c \
	recorder/state/callbacks.h \
	recorder/state/kernel_counts.c \
	recorder/state/kernel_counts.h \
	recorder/state/kernel_time.c \
	recorder/state/kernel_time.h \
	recorder/state/meeting.c \
	recorder/state/meeting.h \
	recorder/state/noted_places.c \
	recorder/state/noted_places.h \
	recorder/state/notes_ring.c \
	recorder/state/notes_ring.h \
	recorder/state/objects.c \
	recorder/state/objects.h \
	recorder/state/reductions.c \
	recorder/state/reductions.h \
	recorder/state/requests.c \
	recorder/state/requests.h \
	recorder/state/computing.c \
	recorder/state/computing.h \
	recorder/state/crew.c \
	recorder/state/crew.h \
	recorder/state/running.c \
	recorder/state/running.h \
	recorder/state/shield.c \
	recorder/state/shield.h \
	recorder/state/signals.c \
	recorder/state/signals.h \
	recorder/state/sources.c \
	recorder/state/sources.h \
	recorder/state/thread_reads.c \
	recorder/state/thread_reads.h \
	recorder/state/thread_tallies.c \
	recorder/state/thread_tallies.h \
	recorder/state/thread.c \
	recorder/state/thread.h \
	recorder/state/types.c \
	recorder/state/types.h \
	recorder/variables/bound.c \
	recorder/variables/bound.h \
	recorder/variables/categories.c \
	recorder/variables/categories.h \
	recorder/variables/cvars.c \
	recorder/variables/cvars.h \
	recorder/variables/element_values.c \
	recorder/variables/element_values.h \
	recorder/variables/followed.c \
	recorder/variables/followed.h \
	recorder/variables/following.c \
	recorder/variables/foreign.c \
	recorder/variables/foreign.h \
	recorder/variables/handles.c \
	recorder/variables/handles.h \
	recorder/variables/probe.c \
	recorder/variables/probe.h \
	recorder/variables/pvars.c \
	recorder/variables/pvars.h \
	recorder/variables/rounds.c \
	recorder/variables/rounds.h \
	recorder/variables/sampler.c \
	recorder/variables/sampler.h \
	recorder/variables/sampling.c \
	recorder/variables/sampling.h \
	recorder/variables/state.h \
	recorder/variables/mpit_events.c \
	recorder/variables/mpit_events.h \
	recorder/variables/mpit_queue.c \
	recorder/variables/mpit_queue.h \
	recorder/variables/own_mpi_t.c \
	recorder/variables/own_mpi_t.h \
	recorder/variables/trial.c \
	recorder/variables/trial.h \
	recorder/variables/variables.c \
	recorder/variables/variables.h \
	recorder/variables/mpi_t_words.c

include recorder/library/local.mk
include recorder/launcher/local.mk
include recorder/vars/local.mk
include recorder/recover/local.mk
include recorder/resolve/local.mk
include recorder/carry/local.mk
include recorder/finish/local.mk

# The recorder is loaded into programs of others: it shows them nothing but MPI's names
# (libmpiwatch.map) and brings its own zlib, and OTF2 if there is a static one. It is never built
# with sanitizers.
MWR_CFLAGS = -std=gnu11 $(MW_WARNINGS) -fvisibility=hidden -fno-semantic-interposition
MWR_LINK = -module -avoid-version -shared \
	-Wl,--exclude-libs,ALL -Wl,-Bsymbolic -Wl,-z,defs \
	-Wl,--version-script=$(top_srcdir)/recorder/libmpiwatch.map
MWR_LIBS = $(MWR_OWN_LIBS) -lpthread -ldl -lm

# What formats/ has, compiled for the recorder.
noinst_LTLIBRARIES += libmwformats-recorder.la
libmwformats_recorder_la_CFLAGS = $(MWR_CFLAGS)
libmwformats_recorder_la_SOURCES = $(libmwformats_a_SOURCES)

# For those who write tools: qmpi.h, and what differs between MPIs.
pkginclude_HEADERS = recorder/include/mpiwatch.h recorder/include/qmpi.h \
	recorder/include/qmpi_proposal.h
nodist_pkginclude_HEADERS = $(mpis:%=recorder/include/qmpi_%.h)

# The libraries, and the programs that mpiwatch-vars becomes: their rules are in each_mpi.mk,
# which is for make only. Automake would need to know which MPIs there are.
EXTRA_LTLIBRARIES =
EXTRA_HEADERS =
pkglib_LTLIBRARIES += $(mpis:%=libmpiwatch-%.la)
pkglibexec_PROGRAMS = $(mpi_programs)
mpi_headers = $(mpis:%=recorder/%/mpi_has.h) $(mpis:%=recorder/include/qmpi_%.h)
BUILT_SOURCES += $(mpi_headers)
EXTRA_DIST += \
	$(MWR_FILES) \
	$(MWR_VARS_FILES) \
	recorder/dispatch/declared.awk \
	recorder/dispatch/mpi_has.awk \
	recorder/dispatch/qmpi_header.awk \
	recorder/each_mpi.mk \
	recorder/libmpiwatch.map
clean-local:
	-rm -rf $(mpis:%=recorder/%) $(mpi_headers)
-include $(top_srcdir)/recorder/each_mpi.mk
