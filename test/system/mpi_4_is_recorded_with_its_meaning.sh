# Persistent collectives, partitioned messages, sessions: what MPICH has, and Open MPI 4 has not
# or as an extension.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

for mpi in $(built_mpis); do
    ranks=$(ranks_of "$mpi")
    recorded "$mpi" "$ranks" persistent_collectives
    assert_equal 0 "$status" "$mpi: status: $(head -5 persistent_collectives.err)"
    as_expected "$mpi" "$ranks" persistent_collectives.c \
        --set x="$(if [ "$mpi" = openmpi ]; then echo 1; else echo 0; fi)"
done
mpis | grep -qx mpich || finish
[ -x "$TOP_BUILDDIR/examples/ring-mpich" ] || skip "the examples were not built for MPICH"

archives_with mpich partitioned.c

# How much MPI_Isendrecv received, MPICH 4.0 does not say.
recorded mpich 2 isendrecv
as_expected mpich 2 isendrecv.c --only analyze

recorded mpich 2 sessions
as_expected mpich 2 sessions.c --set init=1
reported comms sessions
assert_equal "?/create_from_group#1.0 ?/create_from_group#1.0@3" \
    "$(json comms.json '" ".join(c["name"] for c in d["communicators"][2:])')" "names"

# Without MPI_Init all is recorded as well, and the last process to end writes the archive.
recorded mpich 2 sessions only
assert_equal 0 "$status" "exit status of a program without MPI_Init"
as_expected mpich 2 sessions.c --set init=0

# Processes that know nothing of each other can't start, and one of them says so.
rm -f sessions.otf2.zip
recorded mpich 2 sessions alone
assert_equal 0 "$status" "exit status of processes alone"
assert_equal 2 "$(grep -c done sessions.out)" "ranks that ended well"
assert_equal 1 "$(grep -c 'makes no communicator of all' sessions.err)" "sentences about it"
[ ! -e sessions.otf2.zip ] || wrong "there is an archive of nothing"
finish
