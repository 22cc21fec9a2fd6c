# --pvar-when: a variable that changes before each of 60 calls (fake_objects_user.c, phases)
# has the samples that the schedule says.
. "$TOP_SRCDIR/test/system/lib.sh"

# values WHEN: of the counter, as the archive has them.
values() {
    LD_PRELOAD=$scratch/libfake.so run_mpi "$mpi" 1 "$record" -q --force -o when.zip \
        --pvars='fake_comm@comm=world' --pvar-interval=0 --pvar-when="$1" ./user phases >/dev/null
    "$analyze" counters --series when.zip | awk '{ printf "%s ", $2 }'
}
for mpi in $(mpis); do
    mpicc=$(mpicc_of "$mpi")
    $mpicc -shared -fPIC -o libfake.so "$TOP_SRCDIR/test/system/fake_objects.c"
    $mpicc -o user "$TOP_SRCDIR/test/system/fake_objects_user.c" -L. -lfake \
        -Wl,-rpath,"$scratch"

    # MPI_Init's end comes first, and MPI_Finalize last, always.
    assert_equal "0 $(seq -s ' ' 60) 60 " "$(values exit)" "at each exit"
    assert_equal "0 20 40 60 60 " "$(values phase)" "at MPI_Pcontrol"
    assert_equal "0 30 60 " "$(values comm)" "where a communicator is made and freed"
    assert_equal "60 " "$(values user)" "where the program says, which it doesn't"
    assert_equal "0 $(seq -s ' ' 60) 60 " "$(values enter)" "at each entry"
    # Every tenth call that is recorded: MPI_Init, 30 barriers, MPI_Comm_dup and _free, 30 more.
    assert_equal "0 9 19 29 37 47 57 60 " "$(values calls=10)" "every tenth call"
    assert_equal "0 60 " "$(values interval=100s)" "every hundred seconds"
done
