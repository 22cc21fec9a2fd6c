# Unit tests of recorder/.
unit_tests += test/unit/recorder/settings_test
test_unit_recorder_settings_test_SOURCES = test/unit/recorder/settings_test.c $(MWR_SETTINGS_FILES)
test_unit_recorder_settings_test_LDADD = libmwformats.a $(CRITERION_LIBS)

unit_tests += test/unit/recorder/launcher_test
test_unit_recorder_launcher_test_SOURCES = \
	test/unit/recorder/launcher_test.c \
	recorder/launcher/preload.c \
	recorder/launcher/program.c \
	recorder/mpis.c
test_unit_recorder_launcher_test_CPPFLAGS = $(AM_CPPFLAGS) -UPKGLIBDIR -DPKGLIBDIR='"/nowhere"'
test_unit_recorder_launcher_test_LDADD = libmwcommandline.a libmwformats.a $(CRITERION_LIBS)

unit_tests += test/unit/recorder/selection_test
test_unit_recorder_selection_test_SOURCES = \
	test/unit/recorder/selection_test.c \
	recorder/variables/schedule.c \
	recorder/variables/pvar_selection.c
test_unit_recorder_selection_test_LDADD = libmwformats.a $(CRITERION_LIBS)

unit_tests += test/unit/recorder/clock_line_test
test_unit_recorder_clock_line_test_SOURCES = \
	test/unit/recorder/clock_line_test.c \
	recorder/state/clock_line.c
test_unit_recorder_clock_line_test_LDADD = $(CRITERION_LIBS)

unit_tests += test/unit/recorder/without_zeros_test
test_unit_recorder_without_zeros_test_SOURCES = \
	test/unit/recorder/without_zeros_test.c \
	recorder/finalize/without_zeros.c
test_unit_recorder_without_zeros_test_LDADD = libmwformats.a $(CRITERION_LIBS)

unit_tests += test/unit/recorder/mpit_queue_test
test_unit_recorder_mpit_queue_test_SOURCES = \
	test/unit/recorder/mpit_queue_test.c \
	recorder/variables/mpit_queue.c
test_unit_recorder_mpit_queue_test_LDADD = $(CRITERION_LIBS)

unit_tests += test/unit/recorder/followed_test
test_unit_recorder_followed_test_SOURCES = \
	test/unit/recorder/followed_test.c \
	recorder/variables/followed.c
test_unit_recorder_followed_test_LDADD = $(CRITERION_LIBS)

unit_tests += test/unit/recorder/frame_test
test_unit_recorder_frame_test_SOURCES = \
	test/unit/recorder/frame_test.c \
	recorder/sites/frame.c \
	recorder/sites/loaded.c
test_unit_recorder_frame_test_LDADD = $(CRITERION_LIBS)

unit_tests += test/unit/recorder/known_stacks_test
test_unit_recorder_known_stacks_test_SOURCES = \
	test/unit/recorder/known_stacks_test.c \
	recorder/sites/known_stacks.c
test_unit_recorder_known_stacks_test_LDADD = $(CRITERION_LIBS)

unit_tests += test/unit/recorder/python_package_test
test_unit_recorder_python_package_test_SOURCES = \
	test/unit/recorder/python_package_test.c \
	recorder/sites/python_package.c
test_unit_recorder_python_package_test_LDADD = libmwformats.a $(CRITERION_LIBS)

unit_tests += test/unit/recorder/comm_table_test
test_unit_recorder_comm_table_test_SOURCES = \
	test/unit/recorder/comm_table_test.c \
	recorder/state/comm_table.c
test_unit_recorder_comm_table_test_LDADD = $(CRITERION_LIBS)

unit_tests += test/unit/recorder/cores_test
test_unit_recorder_cores_test_SOURCES = \
	test/unit/recorder/cores_test.c \
	recorder/state/cores.c
test_unit_recorder_cores_test_LDADD = $(CRITERION_LIBS)

unit_tests += test/unit/recorder/checkout_test
test_unit_recorder_checkout_test_SOURCES = \
	test/unit/recorder/checkout_test.c \
	recorder/state/checkout.c \
	recorder/state/cores.c
test_unit_recorder_checkout_test_LDADD = $(CRITERION_LIBS)

unit_tests += test/unit/recorder/thread_reads_test
test_unit_recorder_thread_reads_test_SOURCES = \
	test/unit/recorder/thread_reads_test.c \
	recorder/state/kernel_counts.c \
	recorder/state/thread_reads.c
test_unit_recorder_thread_reads_test_LDADD = libmwformats.a $(CRITERION_LIBS)

unit_tests += test/unit/recorder/kernel_time_test
test_unit_recorder_kernel_time_test_SOURCES = \
	test/unit/recorder/kernel_time_test.c \
	recorder/state/kernel_time.c
test_unit_recorder_kernel_time_test_LDADD = $(CRITERION_LIBS)
