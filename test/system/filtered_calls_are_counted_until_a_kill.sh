# What --no-world leaves out is counted to the last call however a run ends, also by SIGKILL:
# the programs know what they have called. Counts that are damaged are said to be.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
recover=$TOP_BUILDDIR/mpiwatch-recover
kill_at_once
rounds=700

# died MPI RANKS WAY RANK: records a run that dies, and nothing of what it calls.
died() {
    rm -rf "${spools:?}"/* run.otf2.zip* count.*
    run_mpi "$1" "$2" "$record" --no-world -o run.otf2.zip \
        "$TOP_BUILDDIR/test/system/dies-$1" "$3" "$4" $rounds >out 2>err || true
}

cat >counts.py <<'PYTHON'
import json, struct, sys, zipfile
ranks, all_die = int(sys.argv[1]), sys.argv[2] == "-1"
about = json.loads(zipfile.ZipFile("back.otf2.zip").read("mpiwatch.json"))
n = int(sys.argv[3]) * ranks
have = {one["call"]: (one["calls"], one["bytes_sent"], one["bytes_received"])
        for one in about["filtered"]}
assert {one["communicator"] for one in about["filtered"]} == {0}, about["filtered"]
barriers = have.pop("MPI_Barrier")[0]
# Those that wait for the dead are in their second barrier; MPI_Abort of MPICH 4.2 returns, and all
# go on, to MPI_Finalize if they are not killed before.
returns = sys.argv[4] == "mpich MPI_Abort"
most = ranks if all_die else 2 * ranks - (not returns)
assert ranks <= barriers <= most, barriers
want = {"MPI_Isend": (n, 8 * n, 0), "MPI_Recv": (n, 0, 8 * n), "MPI_Wait": (n, 0, 0)}
assert have == want, (have, want)
for rank, row in enumerate(about["ranks"]):
    counted = struct.unpack("QQ", open("count.%d" % rank, "rb").read(16))[1]
    assert row["filtered"]["calls"] in (counted, counted + 1), (row, counted)
    # MPI_Init and MPI_Abort are recorded, on whatever communicator.
    calls = row["calls"] - (row["ended_by"] == "MPI_Abort")
    assert calls in (1, 1 + returns) and not row.get("damaged"), row
PYTHON

for mpi in $(built_mpis); do
    for case in "SIGKILL -1" "SIGKILL 1" "_exit -1" "exit -1" "MPI_Abort 1"; do
        set -- $case
        died "$mpi" 2 "$1" "$2"
        assert_equal 4 "$(status_of "$recover" run.otf2.zip.run -o back.otf2.zip --force)" \
            "$mpi, $case: status of mpiwatch-recover: $(cat stderr)"
        "$python" counts.py 2 "$2" $rounds "$mpi $1" 2>python.err ||
            wrong "$mpi, $case: $(tail -1 python.err)"
        assert_equal 4 "$(status_of "$analyze" validate back.otf2.zip)" \
            "$mpi, $case: status of validate: $(cat stdout)"
    done
done

# Counts that can't be read are damage, and cost nothing but themselves.
spool=$(find "$spools" -name 0.filtered | head -1)
[ -n "$spool" ] || fail "there is no file of counts: $(ls "$spools"/*)"
died "$mpi" 2 SIGKILL -1
spool=$(find "$spools" -name 0.filtered | sort | head -1)
printf 'other' | dd of="$spool" bs=1 conv=notrunc 2>dd.err
status_of "$recover" run.otf2.zip.run -o back.otf2.zip --force >code
"$python" - <<'PYTHON' || wrong "damaged counts: $(cat stdout stderr)"
import json, zipfile
about = json.loads(zipfile.ZipFile("back.otf2.zip").read("mpiwatch.json"))
assert sorted(row["damaged"] for row in about["ranks"]) == [False, True], about["ranks"]
assert sorted(row["filtered"]["calls"] > 0 for row in about["ranks"]) == [False, True]
PYTHON
finish
