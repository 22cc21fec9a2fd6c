# System tests: whole programs, most of them under mpirun. One idea a file.
system_tests += \
	test/system/record_finds_out_which_mpi_a_program_uses.sh \
	test/system/record_refuses_what_it_could_not_record.sh \
	test/system/record_sets_the_environment_and_becomes_the_program.sh
