# What a recording may run into: full and missing spool devices, output directories that
# are missing or full, limits on files, descriptors and memory, clocks. Every time the
# program's output and status are its own, nobody hangs, and what was lost is said.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
recover=$TOP_BUILDDIR/mpiwatch-recover
rank='${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}'
test_timeout=60

# settings MPI: how much of a run is enough. Idle ranks of MPICH spin: 2, and fewer rounds.
settings() {
    dies=$TOP_BUILDDIR/test/system/dies-$1
    case $1 in
    openmpi) launcher=$MPIRUN_OPENMPI ranks=3 rounds=20000 ;;
    mpich) launcher=$MPIRUN_MPICH ranks=2 rounds=10000 ;;
    esac
}

# under SHELL_COMMANDS OUTPUT ROUNDS: all ranks, each after the commands, record $dies.
under() {
    local number
    rm -rf count.*
    status=0
    run_mpi "$mpi" "$ranks" sh -c "$1
        exec '$record' -o '$2' '$dies' finalize 0 $3" >out 2>err || status=$?
    assert_equal 0 "$status" "$mpi, $1: status: $(cat err)"
    for number in $(seq 0 $((ranks - 1))); do
        assert_equal $((3 * $3 + 2)) "$(od -An -t u8 -j 8 -N 8 count.$number | tr -d ' ')" \
            "$mpi, $1: calls that rank $number has made"
    done
}

# accounted ARCHIVE ROUNDS: of each rank, calls in the archive and calls lost are all calls.
accounted() {
    local number
    unzip -p "$1" mpiwatch.json >about.json
    for number in $(seq 0 $((ranks - 1))); do
        assert_equal $((1 + 3 * $2 + 2 + 1)) "$(json about.json \
            "(lambda r: r['calls'] + r['lost']['space'])(d['ranks'][$number])")" \
            "$mpi, $1: calls and lost calls of rank $number"
    done
}

# The device of rank 1's spool is full after 64 KiB and some: the others lose nothing.
full_spool_device() {
    mkdir small
    under "[ $rank != 1 ] || { exec unshare --mount sh -c 'mount -t tmpfs -o size=300k none small
        MPIWATCH_SPOOL=$PWD/small exec $record -o $PWD/full.otf2.zip $dies finalize 0 $rounds'
        }" "$PWD/full.otf2.zip" $rounds
    accounted full.otf2.zip $rounds
    [ "$(json about.json 'd["ranks"][1]["lost"]["space"]')" -gt $((rounds / 2)) ] ||
        wrong "a full device: nothing was lost"
    assert_equal 0 "$(json about.json 'd["ranks"][0]["lost"]["space"]')" "a full device: others"
    assert_contains "$(cat err)" "calls LOST"
    assert_equal 4 "$(status_of "$analyze" full.otf2.zip)" "a full device: status of the report"
}

# The output's device is full: the spools stay, and make the archive later.
full_output_device() {
    mkdir out_small
    cat >in_small <<SCRIPT
mount -t tmpfs -o size=64k none out_small
status=0
"$launcher" -n $ranks "$record" -o out_small/run.otf2.zip "$dies" finalize 0 $rounds || status=\$?
cp out_small/run.otf2.zip.run .
exit \$status
SCRIPT
    rm -rf "${spools:?}"/*
    assert_equal 0 "$(status_of timeout 60 unshare --mount bash in_small)" "a full output device"
    assert_contains "$(cat stderr)" "no archive was written"
    assert_contains "$(cat stderr)" "next: mpiwatch-recover"
    assert_equal 0 "$(status_of "$recover" run.otf2.zip.run -o later.otf2.zip --remove)" \
        "recovered from a full output device: $(cat stderr)"
    accounted later.otf2.zip $rounds
}

# A spool directory that rank 1 can't use once it runs.
no_spool_directory() {
    under "[ $rank != 1 ] || {
            export MPIWATCH_SPOOL=$PWD/gone LD_PRELOAD=$(library "$mpi")
            export MPIWATCH_OUTPUT=$PWD/gone.otf2.zip
            exec '$dies' finalize 0 50
        }" "$PWD/gone.otf2.zip" 50
    assert_contains "$(cat err)" "rank 1 records nothing"
    assert_equal 4 "$(status_of "$analyze" gone.otf2.zip)" \
        "no spool directory: status of the report"
}

# Limits on the size of files, on descriptors and on memory, for rank 1.
limits() {
    rm -rf "${spools:?}"/*
    # The MPIs die of less than 6 MiB themselves, Open MPI 5 of its 16 MiB of shared memory if it is
    # not told to take less; the archive of 300000 rounds needs more than 10.
    export OMPI_MCA_btl_sm_segment_size=4194304
    under "[ $rank != 1 ] || ulimit -f 9000" "$PWD/fsize.otf2.zip" 300000
    assert_contains "$(cat err)" "which the process's limit on files forbids"
    assert_matches "$(status_of "$recover" fsize.otf2.zip.run --remove)" '^[04]$'
    accounted fsize.otf2.zip 300000
    under "[ $rank != 1 ] || ulimit -n 64" "$PWD/nofile.otf2.zip" 50
    assert_equal 0 "$(status_of "$analyze" nofile.otf2.zip)" "64 descriptors: $(cat err)"
    under "[ $rank != 1 ] || ulimit -v 700000" "$PWD/as.otf2.zip" 50
}

# The output's directory goes while the program runs; a home that nobody can write to.
no_output_directory() {
    rm -rf "${spools:?}"/*
    mkdir later_gone
    under "[ $rank != 0 ] || (sleep 0.2; rm -rf later_gone) &" "$PWD/later_gone/run.otf2.zip" \
        $rounds
    if [ ! -e later_gone/run.otf2.zip ]; then
        assert_contains "$(cat err)" "mpiwatch: "
        [ "$(ls "$spools" | wc -l)" -eq "$ranks" ] ||
            wrong "no output directory: spools: $(ls "$spools")"
        assert_equal 0 "$(status_of "$recover" "$spools" -o no_output.otf2.zip)" \
            "no output directory"
        accounted no_output.otf2.zip $rounds
    fi
    rm -rf "${spools:?}"/*
    under "HOME=/proc; export HOME" "$PWD/home.otf2.zip" 50
    assert_equal 0 "$(status_of "$analyze" home.otf2.zip)" "a read-only home"
}

# A host whose clock is an hour ahead.
clocks_an_hour_apart() {
    cat >ahead <<SCRIPT
run="exec $record -o $PWD/clock.otf2.zip $dies finalize 0 2000"
[ $rank != 1 ] || exec unshare --uts --time --monotonic 3600 --boottime 3600 --fork \
    sh -c "hostname other; \$run"
eval "\$run"
SCRIPT
    assert_equal 0 "$(status_of run_mpi "$mpi" 2 sh ahead)" "clocks an hour apart: $(cat stderr)"
    "$analyze" info --json clock.otf2.zip >info.json || wrong "clocks an hour apart: the report"
    assert_equal 2 "$(json info.json 'd["hosts"]')" "clocks an hour apart: hosts"
    assert_equal true "$(json info.json 'd["duration_ns"] < 60e9')" "clocks an hour apart: duration"
    unzip -p clock.otf2.zip mpiwatch.json >about.json
    assert_equal "[true, true]" "$(json about.json '[abs(p["offset_ns"] + 3600 * 10**9) <=
        p["error_ns"] for p in d["ranks"][1]["clock_offsets"]]')" \
        "the hour, within the bound: $(json about.json 'd["ranks"][1]["clock_offsets"]')"
}

# Who may read the spools.
modes_of_spools() {
    rm -rf "${spools:?}"/*
    status_of run_mpi "$mpi" 2 "$record" -o modes.otf2.zip "$dies" SIGKILL 0 10 >/dev/null
    assert_equal "600" "$(stat -c %a "$spools"/*/0.events "$spools"/*/definitions | sort -u)" \
        "modes"
    assert_equal "700" "$(stat -c %a "$spools"/* | sort -u)" "modes of directories"
    rm -rf "${spools:?}"/*
}

# Children of a rank, by fork and exec; mpi4py is of Open MPI.
children() {
    cat >family.py <<'PYTHON'
import multiprocessing, os, subprocess
from mpi4py import MPI
comm = MPI.COMM_WORLD
with multiprocessing.get_context("fork").Pool(2) as pool:
    squares = pool.map(abs, [-1, -2, -3])
assert os.system("true") == 0 and os.popen("echo word").read() == "word\n"
subprocess.run(["true"], check=True)
comm.Barrier()
print(comm.allreduce(sum(squares)))
PYTHON
    assert_equal 0 "$(status_of run_openmpi 2 "$record" -o family.otf2.zip "$python" family.py)" \
        "children: $(cat stderr)"
    assert_equal "12 12" "$(xargs <stdout)" "children: the output"
    assert_equal 0 "$(status_of "$analyze" calls --json family.otf2.zip)" "children: the report"
    assert_equal 2 \
        "$(json stdout 'sum(c["count"] for c in d["calls"] if c["name"] == "MPI_Barrier")')" \
        "children: calls of MPI_Barrier"
    [ -z "$(ls "$spools")" ] || wrong "children: spools are left: $(ls "$spools")"
}

can_mount || echo "skipped: full devices, since unshare and mount are not permitted"
can_shift_time=yes
if ! unshare --uts --time --fork true 2>/dev/null; then
    can_shift_time=
    echo "skipped: clocks an hour apart, since unshare --time is not permitted"
fi
for mpi in $(built_mpis); do
    settings "$mpi"
    mkdir "$mpi"
    cd "$mpi"
    if can_mount; then
        full_spool_device
        full_output_device
    fi
    no_spool_directory
    limits
    no_output_directory
    [ -z "$can_shift_time" ] || clocks_an_hour_apart
    modes_of_spools
    if [ "$mpi" = openmpi ] && "$python" -c 'import mpi4py' 2>/dev/null; then
        children
    fi
    cd ..
done
finish
