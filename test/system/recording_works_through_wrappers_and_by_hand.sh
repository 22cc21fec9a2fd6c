# A program is recorded as well when it is started by a script or by env and the like, and
# with the variables set by hand: the same calls every time.
. "$TOP_SRCDIR/test/system/lib.sh"

printf '#!/bin/sh\nexec "$@"\n' >wrapper
chmod +x wrapper

# calls ARCHIVE: how often each function was called.
calls() {
    "$analyze" calls --json "$1" >calls.json
    json calls.json 'sorted([call["name"], call["count"]] for call in d["calls"])'
}

for mpi in $(mpis); do
    ring=$(example ring "$mpi")
    run_mpi "$mpi" 2 "$record" -o plain.otf2.zip "$ring" >plain.out
    run_mpi "$mpi" 2 "$record" -o script.otf2.zip ./wrapper "$ring" >script.out
    run_mpi "$mpi" 2 "$record" -o env.otf2.zip env A=b nice -n 1 "$ring" >env.out
    (
        eval "$("$record" --env --mpi "$mpi" -o hand.otf2.zip)"
        preload=$LD_PRELOAD
        unset LD_PRELOAD # on the ranks alone
        run_mpi "$mpi" 2 env "LD_PRELOAD=$preload" "$ring" >hand.out
    )
    expected=$(calls plain.otf2.zip)
    assert_contains "$expected" '"MPI_Send"'
    for way in script env hand; do
        assert_equal "$(sort plain.out)" "$(sort "$way.out")" "$mpi, $way: what the program prints"
        assert_equal "$expected" "$(calls "$way.otf2.zip")" "$mpi, $way: the calls"
    done
    rm ./*.otf2.zip
done
