# When writing the archive took more than 2 s, the last line says how long; the wait of a user who
# sees nothing happen has a reason then.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

${CC:-cc} -O2 -shared -fPIC -o late.so "$TOP_SRCDIR/test/system/late_publish.c" ||
    skip "no C compiler"

# took: the seconds that the last line says.
took() {
    sed -n 's/^mpiwatch: .* events.*, finalize took \([0-9.]*\) s; next: .*/\1/p' run.err
}

for mpi in $(built_mpis); do
    rm -f run.otf2.zip
    status=0
    run_mpi "$mpi" 2 env LD_PRELOAD="$PWD/late.so" "$record" -o run.otf2.zip \
        "$(example ring "$mpi")" >run.out 2>run.err || status=$?
    assert_equal 0 "$status" "$mpi: exit"
    awk "BEGIN { exit !($(took)0 >= 2.1) }" || wrong "$mpi: 2.1 s and more: $(cat run.err)"

    rm run.otf2.zip
    # However slow the machine is: nothing is said of less.
    run_mpi "$mpi" 2 "$record" -o run.otf2.zip "$(example ring "$mpi")" \
        >run.out 2>run.err || wrong "$mpi: $(cat run.err)"
    assert_contains "$(cat run.err)" ", lost 0"
    [ -z "$(took)" ] || awk "BEGIN { exit !($(took) >= 2) }" || wrong "$mpi: $(cat run.err)"
done
finish
