# A program is recorded as well when it is started by a script or by env and the like, and
# with the variables set by hand: the same calls every time. So is one that is built with
# AddressSanitizer, or has that preloaded, which ends a program where it does not come first. A
# script that starts mpirun itself is recorded where it is said which.
. "$TOP_SRCDIR/test/system/lib.sh"

printf '#!/bin/sh\nexec "$@"\n' >wrapper
# A script of each rank's own, which asks for the variables there: all ranks have to get them.
cat >by_itself <<'SCRIPT'
#!/bin/sh
eval "$("$record" --env --mpi "$1" -o itself.otf2.zip)"
shift
exec "$@"
SCRIPT
chmod +x wrapper by_itself
export record

# calls ARCHIVE: how often each function was called.
calls() {
    "$analyze" calls --json "$1" >calls.json
    json calls.json 'sorted([call["name"], call["count"]] for call in d["calls"])'
}

# recorded NAME MPI COMMAND …: writes NAME.otf2.zip, which has the calls that are expected.
recorded() {
    local name=$1 mpi=$2
    shift 2
    run_mpi "$mpi" 2 "$@" >"$name.out" 2>err || fail "$mpi, $name: $(head -20 err)"
    assert_equal "$expected" "$(calls "$name.otf2.zip")" "$mpi, $name: the calls"
    rm "$name.otf2.zip"
}

for mpi in $(mpis); do
    ring=$(example ring "$mpi")
    run_mpi "$mpi" 2 "$record" -o plain.otf2.zip "$ring" >plain.out 2>err
    assert_matches "$(cat err)" "^mpiwatch: .* events of 2 ranks, lost 0; next: "
    # Who forgets the launcher sees it there.
    assert_equal 5 "$(status_of "$record" -o alone.otf2.zip "$(example hello "$mpi")")" "alone"
    assert_matches "$(cat stderr)" "^mpiwatch: .* events of 1 rank, lost 0; next: "
    run_mpi "$mpi" 2 "$record" -o script.otf2.zip ./wrapper "$ring" >script.out
    run_mpi "$mpi" 2 "$record" -o env.otf2.zip env A=b nice -n 1 "$ring" >env.out
    (
        eval "$("$record" --env --mpi "$mpi" -o hand.otf2.zip)"
        preload=$LD_PRELOAD
        unset LD_PRELOAD # on the ranks alone
        run_mpi "$mpi" 2 env "LD_PRELOAD=$preload" "$ring" >hand.out
    )
    run_mpi "$mpi" 2 ./by_itself "$mpi" "$ring" >itself.out
    launcher=MPIRUN_${mpi^^}
    printf '#!/bin/sh\nexec %s -n 2 "$@"\n' "${!launcher}" >starts_mpirun
    chmod +x starts_mpirun
    status=$(status_of "$record" -o starts.otf2.zip ./starts_mpirun "$ring")
    assert_equal 125 "$status" "which MPI a script starts"
    assert_contains "$(cat stderr)" "or starts mpirun itself, say which with --mpi openmpi"
    timeout 60 "$record" --mpi "$mpi" -o starts.otf2.zip ./starts_mpirun "$ring" >starts.out
    # What would be done is printed once, and not by each rank.
    run_mpi "$mpi" 2 "$record" -n "$ring" >plan
    assert_equal 1 "$(grep -c '^would run' plan)" "$mpi: plans"
    expected=$(calls plain.otf2.zip)
    assert_contains "$expected" '"MPI_Send"'
    for way in script env hand itself starts; do
        assert_equal "$(sort plain.out)" "$(sort "$way.out")" "$mpi, $way: what the program prints"
        assert_equal "$expected" "$(calls "$way.otf2.zip")" "$mpi, $way: the calls"
    done
    rm ./*.otf2.zip

    # (What MPIs load may not bear AddressSanitizer, or want C++'s library beside it.)
    export ASAN_OPTIONS=detect_leaks=0
    runtime=$($CC -print-file-name=libasan.so)
    if "$(mpicc_of "$mpi")" -fsanitize=address,undefined -o checked "$TOP_SRCDIR/examples/ring.c" \
        2>err && run_mpi "$mpi" 2 ./checked >native.out 2>err; then
        recorded checked "$mpi" "$record" -o checked.otf2.zip ./checked
        assert_equal "$(sort native.out)" "$(sort checked.out)" "$mpi: what it prints, checked"
    fi
    if run_mpi "$mpi" 2 env LD_PRELOAD="$runtime" "$ring" >native.out 2>err; then
        recorded checked "$mpi" env LD_PRELOAD="$runtime" "$record" -o checked.otf2.zip "$ring"
        assert_equal "$(sort native.out)" "$(sort checked.out)" "$mpi: what it prints, preloaded"
    fi
    unset ASAN_OPTIONS
done

# What the user has said of AddressSanitizer stays; of programs without it nothing is said.
preload() { # LD_PRELOAD: what becomes of ASAN_OPTIONS
    ASAN_OPTIONS=detect_leaks=0 LD_PRELOAD=$1 "$record" --env --mpi "$mpi" | grep ASAN || true
}
assert_equal "" "$(preload "")" "without AddressSanitizer"
if [ -f "$runtime" ]; then
    assert_equal "export ASAN_OPTIONS='verify_asan_link_order=0:detect_leaks=0'" \
        "$(preload "$runtime")" "ASAN_OPTIONS"
fi
