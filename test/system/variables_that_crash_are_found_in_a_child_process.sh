# --pvar-probe: a variable that nobody knows and that crashes who reads it (fake_mpi_t.c) is left
# out, with its name, and the others are as ever. --pvar-delta and --pvar-keyframe: how many
# samples there are, worked out on paper of fake_mpi_t_user.c. Values of control variables are
# those that the child has read, and the parent reads none, which here kills it
# (cvars_are_deadly.c).
. "$TOP_SRCDIR/test/system/lib.sh"

# record OPTION...: the user's run, as counters.json.
record() {
    LD_PRELOAD=$scratch/libfake.so run_mpi "$mpi" 1 "$record" --force -o fake.otf2.zip \
        --pvars='fake_*' --pvar-interval=0 "$@" ./user 2>said
    "$analyze" counters --json fake.otf2.zip >counters.json
}
# samples NAME
samples() {
    json counters.json "[row['samples'] for row in d['pvars'] if row['name'] == '$1'][0]"
}
for mpi in $(mpis); do
    mpicc=$(mpicc_of "$mpi")
    $mpicc -shared -fPIC -o libfake.so "$TOP_SRCDIR/test/system/fake_mpi_t.c"
    $mpicc -o user "$TOP_SRCDIR/test/system/fake_mpi_t_user.c" -L. -lfake \
        -Wl,-rpath,"$scratch"

    $mpicc -shared -fPIC -o libdeadly.so "$TOP_SRCDIR/test/system/cvars_are_deadly.c"
    LD_PRELOAD=$scratch/libdeadly.so run_mpi "$mpi" 1 "$record" -q --force -o cvars.otf2.zip \
        --cvars='*' --pvar-probe=fork ./user
    unzip -qp cvars.otf2.zip mpiwatch.json >about.json
    assert_equal true "$(json about.json 'len(d["variables"]["cvars"]) > 300')" \
        "control variables that a child has read"

    FAKE_DEADLY=1 record --pvar-probe=fork
    assert_matches "$(cat said)" '1 selected variables can.t be recorded: fake_deadly: .* signal 11'
    assert_equal '[60]' \
        "$(json counters.json \
            "[row['total'] for row in d['pvars'] if row['name'] == 'fake_raw']")" \
        "another variable"
    assert_equal false \
        "$(json counters.json "'fake_deadly' in [row['name'] for row in d['pvars']]")" \
        "the deadly one"

    # At the end of MPI_Init, of 20 barriers, and in MPI_Finalize; fake_size has 0 in the first two.
    # (By the schedule: without one they are also read after a pause between two calls.)
    record --pvar-when=calls=1 --pvar-keyframe=0
    assert_equal "22 21" "$(samples fake_raw) $(samples fake_size)" "samples of what changed"
    assert_equal 6 "$(json counters.json 'len(d["pvars"])')" \
        "variables, the late one not looked for"
    record --pvar-when=calls=1 --pvar-keyframe=0 --pvar-delta=no --pvar-probe=off
    assert_equal "22 22" "$(samples fake_raw) $(samples fake_size)" "samples of everything"
done

# By a thread, which reads while the program sleeps for more than a second.
record --pvar-keyframe=0 --pvar-delta=no --pvar-when=thread=10ms
[ "$(samples fake_raw)" -ge 5 ] || fail "$(samples fake_raw) samples of a thread in 1.1 s"
assert_equal '[60]' \
    "$(json counters.json "[row['last'] for row in d['pvars'] if row['name'] == 'fake_raw']")" \
    "the last value"

# The names that other tools' settings have are understood.
MPIWATCH_PVAR_MIN_INTERVAL=5ms MPIWATCH_PVAR_MAXCOMMS=9 MPIWATCH_PVAR_ARRAY=sum,max,nonzero \
    "$record" --env --mpi="$mpi" true >settings 2>&1
assert_equal 0 "$(grep -c 'is not' settings)" "warnings about the variables' other names"
