# On three nodes of Slurm with clocks days apart, under srun: a job that ends and one that is killed
# make one archive each of all ranks, on one clock; one that runs is watched on all nodes by a step
# beside it. One that is cancelled makes its archive before it ends, with --on-term=finish. So does
# the example of a batch job, which names its archive after the job, and also before its time limit.
# A step of one process a node reads an archive as one process does.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/system/slurm.sh"
. "$TOP_SRCDIR/test/system/steps.sh"
start_slurm
export MPIWATCH_SPOOL=$disk
export PATH="$TOP_BUILDDIR:$PATH"

# run_srun COMMAND...: on three nodes, by what the MPI speaks. On a busy machine a step that only
# looks at another one takes most of a minute to begin.
run_srun() {
    timeout -k 10 240 srun --mpi=$speaks --nodes=3 --ntasks=3 "$@" </dev/null
}

# run_recorded WAY: the program that ends in this way, recorded. A step in which it did not come to
# its first call is Slurm's own failure when it is one without the recorder, too.
run_recorded() {
    local dies=$TOP_BUILDDIR/test/system/dies-$mpi
    rm -f run.otf2.zip* count.*
    run_srun "$record" -o run.otf2.zip "$dies" "$1" -1 2000 >out 2>err && return
    ls count.* >/dev/null 2>&1 && return
    show_step
    run_srun "$dies" finalize -1 2000 || skip "srun can't start this either: $dies"
    rm -f count.*
    run_srun "$record" -o run.otf2.zip "$dies" "$1" -1 2000 >out 2>err || true
}

# show_step: what the last step, a batch job and Slurm said.
show_step() {
    tail -n 20 out* err* ./*.out "$slurm"/log/* >&2 || true # there may be no batch job
}

# is_whole WHAT COMPLETE: the archive has all ranks of three hosts, and one clock.
is_whole() {
    [ -s run.otf2.zip ] || {
        show_step
        fail "$1: no archive"
    }
    "$analyze" info --json -o info.json run.otf2.zip 2>/dev/null || true
    assert_equal '[3, 3, true, true, true]' "$(json info.json '[d["ranks"], d["hosts"],
        d["complete"] == ('"$2"'), d["duration_ns"] < 1000e9,
        d["clock_violation_max_ns"] <=
            2 * (d["hosts_clock_error_ns"] + (d["clock_error_ns"] or 0))]')" "$1: $(json info.json \
        '[d["clock_violation_max_ns"], d["hosts_clock_error_ns"], d["clock_error_ns"]]')"
    "$analyze" ranks --json -o ranks.json run.otf2.zip 2>/dev/null || true
    assert_equal '[true, true, true]' "$(json ranks.json '[r["calls"] > 5 for r in d["ranks"]]')" \
        "$1: calls of the ranks"
}

# begin_loop OPTION...: as $running, a step that goes on until it is ended, once all its ranks are
# recorded. One in ten of Open MPI's crashes in MPI_Init here, without the recorder, too.
begin_loop() {
    local try attempt
    for try in 1 2 3; do
        rm -rf run.otf2.zip* count.* "$disk".n*/mpiwatch-*
        run_srun "$record" "$@" -o run.otf2.zip "$TOP_BUILDDIR/test/system/dies-$mpi" \
            loop -1 2000 >out.program 2>err.program &
        running=$!
        # The nodes of the job before may be completing still.
        for attempt in $(seq 1200); do
            [ ! -s run.otf2.zip.run ] && kill -0 "$running" 2>/dev/null || break
            sleep 0.1
        done
        [ ! -s run.otf2.zip.run ] || return 0
        wait "$running" || true
    done
    fail "$mpi: the program did not begin: $(cat out.program err.program; squeue)"
}

# connected WORDS...: run_srun's, to out and err. Now and then processes of Open MPI 4.1 crash under
# srun while they connect, with no frame of mpiwatch's on the stack: once more then.
connected() {
    run_srun "$@" >out 2>err || {
        grep -q "Segmentation fault" err && ! grep -q "mpiwatch.*0x" err &&
            run_srun "$@" >out 2>err
    }
}

# watch_a_job: a step beside that of the program, in its job, sees all ranks on all nodes.
watch_a_job() {
    begin_loop
    connected --overlap --jobid="$(squeue -h -o %i)" "$TOP_BUILDDIR/mpiwatch-top" --json --count=2 \
        run.otf2.zip.run || fail "$mpi: $(cat err err.program)"
    tail -n 1 out >last
    assert_equal '[["n1", "n2", "n3"], [0, 1, 2], true]' "$(json last '[[h["name"]
        for h in d["hosts"]], [t["rank"] for t in d["threads"]], all(
        t["calls"] > 5 and 0 < t["mpi_share_all"] <= 1 for t in d["threads"])]')" "$mpi: watched"
    scancel "$(squeue -h -o %i)"
    wait "$running" || true
}

# cancel_a_job: one with --on-term=finish is finished by its nodes before they let go of it.
cancel_a_job() {
    begin_loop --on-term=finish
    sleep 0.5
    scancel "$(squeue -h -o %i)"
    wait "$running" || true
    is_whole "$mpi, cancelled" False
    is_terminated run.otf2.zip "$mpi, cancelled"
}

# recover: run.otf2.zip.
recover() {
    connected "$TOP_BUILDDIR/mpiwatch-recover" run.otf2.zip.run || true
}

# efficiency_is_told: of a job that ends and of one that is killed, whatever the nodes' clocks.
efficiency_is_told() {
    local way
    "$(mpicc_of "$mpi")" -o "steps-$mpi" "$TOP_SRCDIR/test/system/steps.c"
    for way in "" killed; do
        rm -rf run.otf2.zip* "$disk".n*/mpiwatch-*
        run_srun "$record" --cpu=off -o run.otf2.zip "./steps-$mpi" $way >out 2>err || true
        [ -s useful.0 ] ||
            run_srun "$record" --cpu=off -o run.otf2.zip "./steps-$mpi" $way >out 2>err || true
        [ -z "$way" ] || recover
        tells_steps "$mpi, srun, ${way:-finished}"
    done
}

# is_read_together ARCHIVE: by a process on each node, which say what one says, each having followed
# a part of the run.
is_read_together() {
    local command try
    export XDG_CACHE_HOME=$PWD/cache
    cp "$TOP_BUILDDIR/test/system/any_order" .
    ln -sf "$(library "$mpi")" .
    # On a busy machine clocks of nodes may differ by more than a meeting takes.
    for try in 1 2 3; do
        "$TOP_BUILDDIR/test/data/keep_blocks" "$1" >blocks
        [ "$(sed -n 's/.*, chapters \([0-9]*\),.*/\1/p' blocks)" -le 2 ] || break
        [ $try -lt 3 ] || fail "$mpi: the run can't be cut: $(cat blocks)"
        run_recorded finalize
    done
    for command in "report --json" "waits --json" calls; do
        "$analyze" -j 1 $command "$1" >one 2>/dev/null || true
        for try in 1 2; do # one in ten steps of Open MPI's crashes in MPI_Init here
            run_srun env MPIWATCH_CHAPTERS=3 MPIWATCH_SCHEDULE=1 ./any_order -j 1 $command "$1" \
                >several 2>err || true
            [ ! -s several ] || break
        done
        cmp one several || fail "$mpi: three nodes say something else ($command): $(cat err)"
        assert_lacks "$(cat err)" "one process works, the others do not"
    done
}

# is_terminated ARCHIVE WHAT: all ranks have got the signal, and nothing but the archive is left.
is_terminated() {
    "$analyze" info "$1" >info 2>/dev/null || true
    grep -q "ended by SIGTERM: ranks 0-2" info || show_step
    assert_contains "$(cat info)" "ended by SIGTERM: ranks 0-2"
    assert_equal "" "$(ls -d run.otf2.zip.* "$disk".n*/mpiwatch-* 2>/dev/null)" "$2: is left"
}

for mpi in $(built_mpis); do
    speaks=pmix
    [ "$mpi" = openmpi ] || speaks=pmi2
    for way in finalize SIGKILL; do
        run_recorded $way
        if [ $way = finalize ]; then
            is_whole "$mpi, $way" True
            is_read_together run.otf2.zip
        else
            recover
            is_whole "$mpi, $way" False
        fi
    done
    status=0
    timeout 60 srun --mpi=none -n 2 "$TOP_BUILDDIR/mpiwatch-recover" run.otf2.zip.run >out 2>err ||
        status=$?
    assert_contains "$(cat err)" "can't speak to each other: mpirun lets them, and srun with --mpi"
    assert_equal 3 $status "$mpi: status of a recovery by processes that can't speak"
    watch_a_job
    cancel_a_job
    efficiency_is_told
done

# The example: one job of an array that ends, and one that is cancelled.
export SLURM_MPI_TYPE=$speaks SBATCH_TIMELIMIT=10
test_timeout=240 # a limit of a minute may be looked at after one and a half
is_over() {
    local left # of Slurm that does not answer nothing is known
    left=$(squeue -h 2>/dev/null) && ! printf '%s\n' "$left" | grep -q "^ *$1[_ ]"
}
submit() {
    sbatch --parsable --nodes=3 --ntasks-per-node=1 --job-name=example "$@"
}
job=$(submit --array=4 "$TOP_SRCDIR/examples/slurm.sbatch" \
    "$TOP_BUILDDIR/test/system/dies-$mpi" finalize -1 2000)
await "the end of the example" is_over "$job"
mv "example-$job-4.otf2.zip" run.otf2.zip || fail "no archive: $(ls; cat -- *.out)"
is_whole "example" True

# Within half a minute Slurm finds that less than a minute is left of the one that it has.
for limit in 10 1; do
    rm -rf run.otf2.zip* "$disk".n*/mpiwatch-*
    job=$(submit --time=$limit "$TOP_SRCDIR/examples/slurm.sbatch" \
        "$TOP_BUILDDIR/test/system/dies-$mpi" loop -1 2000)
    await "the ranks of the example" test -s "example-$job.otf2.zip.run"
    sleep 1
    [ $limit = 1 ] || scancel "$job"
    await "the end of the example with a limit of $limit minutes" is_over "$job"
    mv "example-$job.otf2.zip" run.otf2.zip || fail "no archive: $(ls; cat -- *.out)"
    is_whole "example, ended with a limit of $limit minutes" False
done
is_terminated run.otf2.zip "example, at its limit"
finish
