# MPI_Comm_spawn: the second job is recorded if its command says so, into an archive of its
# own, in which MPI_COMM_PARENT leads to the first; else it just runs. (MPICH's ucx device
# can't spawn.)
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need_mpi openmpi # Debian's MPICH can't spawn

# said: what the processes of both jobs print, in order; lines need not come whole.
said() {
    grep -oE "parent|spawned" spawn.out | sort | xargs
}

program=$(example spawn openmpi)
recorded openmpi 2 spawn "$record" -o child.otf2.zip "$program"
assert_equal "0 parent parent spawned spawned" "$status $(said)" "both jobs"
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
uid='d["communicators"][2]["uid"]'
assert_equal "$(json spawn.json "$uid")" "$(json child.json "$uid")" \
    "identity of the communicator between both, in both archives"

# Both jobs have two ranks: in each 2 * 2 messages of speak() stay, as many go to the other and
# come from there. Rank 0 of the first sends one more, on the inter-communicator.
counts='" ".join(str(d[k]) for k in ("unmatched_sends", "unmatched_receives", "other_job_sends",
                                     "other_job_receives"))'
for archive in spawn child; do
    reported info $archive
    cp info.json info-$archive.json
    "$analyze" validate "$archive.otf2.zip" >validate.out 2>&1 ||
        wrong "$archive: $(cat validate.out)"
done
assert_equal "0 0 5 4" "$(json info-spawn.json "$counts")" "messages of the first job"
assert_equal "0 0 4 5" "$(json info-child.json "$counts")" "messages of the second job"
assert_matches "$("$analyze" spawn.otf2.zip)" '^messages  [0-9]+, .*, [0-9]+ to other jobs'
assert_contains "$("$analyze" --width=100 spawn.otf2.zip | tr -s ' \n' ' ')" \
    " 5 to other jobs, besides 4 from other jobs"
assert_contains "$("$analyze" spawn.otf2.zip)" "unmatched 0, with other jobs 9, clock violations 0"
reported messages spawn
assert_equal 9 "$(json messages.json 'd["messages"]')" "messages sent by the first job"
assert_equal "None $scratch/spawn.otf2.zip" \
    "$(json info-spawn.json 'str(d["parent"])') $(json info-child.json 'd["parent"]')" "parents"
unzip -p spawn.otf2.zip mpiwatch.json >spawn.meta
unzip -p child.otf2.zip mpiwatch.json >child.meta
nonce=$(json child.meta 'd["settings"]["parent-nonce"]')
assert_equal "$(json spawn.meta 'd["nonce"]')" "$nonce" "nonce of the parent"
members='" ".join(str(sorted(m is None for g in c["groups"] for m in g["members"]))
                  for c in d["communicators"] if c.get("other_job"))'
half="[False, False, True, True]"
for archive in spawn child; do
    assert_equal "$half $half" "$(json $archive.meta "$members")" "others in $archive"
done

recorded openmpi 2 spawn "$program"
assert_equal "0 parent parent spawned spawned" "$status $(said)" "the first alone"
assert_file spawn.otf2.zip

# Jobs that have parted: neither end is a trouble to the other, whichever of them is recorded.
outlives=$TOP_BUILDDIR/test/system/outlives-openmpi
for seconds in "1 0" "0 1"; do
    set -- $seconds
    parent="$outlives $1"
    child="$outlives $2"
    for way in "$parent $record -o child.otf2.zip $child" \
        "$record -o parent.otf2.zip $parent $child"; do
        rm -f ./*.otf2.zip
        status=0
        run_openmpi 2 $way >out 2>err || status=$?
        assert_equal "0 child parent 1" \
            "$status $(sort out | xargs) $(ls ./*.otf2.zip | wc -l)" "$seconds, $way: $(cat err)"
    done
done

# Who waits for another job is told so, and how to see what that does; who waits for a rank of its
# own is not.
cat >waits_for.c <<'CODE'
#include <mpi.h>
#include <string.h>
#include <unistd.h>
int main(int count, char **words)
{
    MPI_Comm other;
    int rank;

    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&other);
    if (other != MPI_COMM_NULL) {
        usleep(strcmp(words[1], "other") == 0 ? 1500000 : 0);
    } else {
        MPI_Comm_spawn(words[0], words + 1, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other,
                       MPI_ERRCODES_IGNORE);
        usleep(strcmp(words[1], "own") == 0 && rank == 1 ? 1500000 : 0);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Barrier(other);
    MPI_Comm_disconnect(&other);
    return MPI_Finalize();
}
CODE
$MPICC_OPENMPI -o waits_for waits_for.c
for whom in other own; do
    rm -f run.otf2.zip
    run_openmpi 2 "$record" -q -o run.otf2.zip ./waits_for $whom >out 2>err || fail "$(cat err)"
    "$analyze" report --json -o $whom.json run.otf2.zip || fail "report of $whom"
done
said='d["verdict"] + "; " + (d["advice"] or "")'
assert_matches "$(json other.json "$said")" "^MPI takes [0-9.]+% of the ranks' run, [0-9]+% of it \
in MPI_Barrier, mostly main.*, [0-9]+% of it with ranks of other jobs; look at what the \
other jobs do meanwhile"
assert_lacks "$(json own.json "$said")" "other jobs"
finish
