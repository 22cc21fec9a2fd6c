# Persistent collectives, partitioned messages, sessions: what MPICH has, and Open MPI 4 has not
# or as an extension.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

for mpi in $(built_mpis); do
    ranks=$(ranks_of "$mpi")
    recorded "$mpi" "$ranks" persistent_collectives
    assert_equal 0 "$status" "$mpi: status: $(head -5 persistent_collectives.err)"
    as_expected "$mpi" "$ranks" persistent_collectives.c \
        --set x="$(if [ "$mpi" = openmpi ] && openmpi_is_4; then echo 1; else echo 0; fi)"
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

# The same on two hosts, with disks of their own: the last process can't write the archive, and
# says what does.
cat >host.sh <<'SH'
export MPIWATCH_SPOOL=$PWD/disk$PMI_RANK
mkdir -p "$MPIWATCH_SPOOL"
exec unshare --uts sh -c 'hostname host$PMI_RANK && exec "$@"' sh "$@"
SH
if unshare --uts hostname elsewhere 2>/dev/null; then
    rm -f sessions.otf2.zip
    assert_equal 0 "$(status_of run_mpich 2 sh host.sh "$record" -o sessions.otf2.zip \
        "$(example sessions mpich)" only)" "two hosts: $(cat stderr)"
    assert_contains "$(cat stderr)" "several hosts; next: under mpirun on its hosts, mpiwatch-"
    [ ! -e sessions.otf2.zip ] || wrong "an archive of one host's half"
    assert_equal 0 "$(status_of run_mpich 2 sh host.sh "$TOP_BUILDDIR/mpiwatch-recover" \
        sessions.otf2.zip.run --remove)" "recovered of two hosts: $(cat stderr)"
    as_expected mpich 2 sessions.c --set init=0
    reported info sessions
    assert_equal "2 true" "$(json info.json '"%d %s" % (d["hosts"], json.dumps(d["complete"]))')" \
        "hosts, complete"
    assert_equal "" "$(ls -A disk0 disk1 | grep mpiwatch || true)" "spools that are left"
else
    echo "no host names of one's own here: not tried on two hosts"
fi

# Processes that know nothing of each other can't start, and one of them says so.
rm -f sessions.otf2.zip
recorded mpich 2 sessions alone
assert_equal 0 "$status" "exit status of processes alone"
assert_equal 2 "$(grep -c done sessions.out)" "ranks that ended well"
assert_equal 1 "$(grep -c 'makes no communicator of all' sessions.err)" "sentences about it"
[ ! -e sessions.otf2.zip ] || wrong "there is an archive of nothing"
finish
