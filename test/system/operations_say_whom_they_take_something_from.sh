# Neighbourhoods of every topology, blocks of nothing, MPI_Alltoallv with counts of 0: in the
# archive each operation says whom it takes something from, as worked out without MPI; also in
# one that is recovered.
. "$TOP_SRCDIR/test/system/lib.sh"

need otf2-print

# told_is EXPECTED ARCHIVE: what is told is what the program printed, to the file EXPECTED.
told_is() {
    rm -rf unzipped
    unzip -q "$2" -d unzipped
    "$python" "$TOP_SRCDIR/test/system/given.py" unzipped/traces.otf2 >found
    diff "$1" found >&2 || fail "$2: not what the program takes"
    "$analyze" dump --json "$2" >dump 2>log || [ $? = 4 ] || fail "$2: $(cat log)"
    "$python" - <<'PYTHON' >dumped
import json
for line in open("dump"):
    event = json.loads(line)
    for name in ("neighbors", "sources"):
        if name in event:
            print("%d:" % event["rank"], name, *event[name])
PYTHON
    grep -v nothing "$1" | diff - dumped >&2 || fail "$2: dump does not say what it takes"
    [ "$(wc -l <found)" -ge 50 ] || fail "$2: only $(wc -l <found) operations"
}

for mpi in $(mpis); do
    [ "$mpi" = openmpi ] && compiler=$MPICC_OPENMPI || compiler=$MPICC_MPICH
    need "$compiler"
    "$compiler" -O1 -o "given-$mpi" "$TOP_SRCDIR/test/system/given.c" 2>/dev/null ||
        fail "$compiler given.c"
    run_mpi "$mpi" 3 "$record" -o "$mpi.otf2.zip" "./given-$mpi" >expected 2>log ||
        fail "$mpi: $(cat log)"
    told_is expected "$mpi.otf2.zip"
    "$analyze" validate "$mpi.otf2.zip" >log || fail "$mpi: $(cat log)"
    "$analyze" waits --json -o waits.json "$mpi.otf2.zip"
    assert_equal 0 "$(json waits.json 'd["neighbors_unknown"]')" "$mpi: neighbours not known"
done

run_mpi "$mpi" 3 "$record" -o killed.otf2.zip "./given-$mpi" die >killed.out 2>log &&
    fail "$mpi: a rank was killed, and mpirun is content"
assert_equal 4 "$(status_of "$TOP_BUILDDIR/mpiwatch-recover" killed.otf2.zip.run \
    -o recovered.otf2.zip)" "status of mpiwatch-recover"
told_is expected recovered.otf2.zip
