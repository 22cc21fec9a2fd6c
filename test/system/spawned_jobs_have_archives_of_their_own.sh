# MPI_Comm_spawn: the second job is recorded if its command says so, into an archive of its
# own, in which MPI_COMM_PARENT leads to the first; else it just runs. (MPICH's ucx device
# can't spawn.)
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need_mpi openmpi

program=$(example spawn openmpi)
recorded openmpi 2 spawn "$record" -o child.otf2.zip "$program"
assert_equal "0 parent parent spawned spawned" "$status $(sort spawn.out | xargs)" "both jobs"
for archive in spawn child; do
    reported comms $archive
    cp comms.json $archive.json
    reported info $archive
    assert_equal "2 0" "$(json info.json '"%d %d" % (d["ranks"], d["lost_events"])')" "$archive"
done
names='" ".join(c["name"] for c in d["communicators"][2:])'
assert_equal "MPI_COMM_WORLD/spawn#1 MPI_COMM_WORLD/spawn#1/intercomm_merge#1" \
    "$(json spawn.json "$names")" "communicators of the first job"
assert_equal "MPI_COMM_PARENT MPI_COMM_PARENT/intercomm_merge#1" "$(json child.json "$names")" \
    "communicators of the second job"

recorded openmpi 2 spawn "$program"
assert_equal "0 parent parent spawned spawned" "$status $(sort spawn.out | xargs)" "the first alone"
assert_file spawn.otf2.zip
finish
