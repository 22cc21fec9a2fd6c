# mpiwatch-top shows a running program: --json and --once its calls, messages and bytes, by numbers
# known beforehand, on both MPIs; the screen in tmux, where there is tmux, what it shows of keys and
# of 40 columns and 10 lines; --why who waits for whom. The program prints what it prints without,
# and what is no run is refused.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/terminal.sh"
top=$TOP_BUILDDIR/mpiwatch-top

# 20000 messages of 8 bytes go round, then the ranks but 0, which computes until there is a file
# "go", wait for it.
cat >held.c <<'PROGRAM'
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    double sent = 1, got = 0, sum = 0;
    int rank, size;
    FILE *here;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 20000; i++) {
        MPI_Sendrecv(&sent, 1, MPI_DOUBLE, (rank + 1) % size, 1, &got, 1, MPI_DOUBLE,
                     (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += got;
    }
    if (rank == 0) {
        here = fopen("here", "w");
        if (here) {
            fclose(here);
        }
        while (access("go", F_OK) != 0) {
            usleep(10000);
        }
        for (int i = 1; i < size; i++) {
            MPI_Send(&sum, 1, MPI_DOUBLE, i, 9, MPI_COMM_WORLD);
        }
        printf("sum %g\n", sum);
    } else {
        MPI_Recv(&got, 1, MPI_DOUBLE, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
PROGRAM

cat >check.py <<'PYTHON'
import json, sys

lines = [json.loads(line) for line in open(sys.argv[1])]
for line in lines:
    assert line["schema"] == 1 and line["ranks"] == 2 and line["running"], line
    zero, one = line["threads"]
    for each in zero, one:
        assert each["messages_sent"] == each["messages_received"] == 20000, each
        assert each["bytes_sent"] == each["bytes_received"] == 160000, each
        assert each["lost"] == 0 and not each["behind"], each
        assert each["calls_per_s"] == each["messages_per_s"] == each["bytes_per_s"] == 0, each
        assert 0 < each["mpi_share_all"] <= 1 and each["mpi_share_10s"] is None, each
    assert (zero["state"], zero["call"], zero["mpi_share_1s"]) == ("computing", None, 0), zero
    assert one["calls"] == zero["calls"] + 1 >= 20001, (zero, one)
    assert (one["state"], one["call"], one["comm"]) == ("MPI", "MPI_Recv", "MPI_COMM_WORLD"), one
    assert (one["source"], one["source_tag"], one["peer"]) == (0, 9, None), one
    assert one["mpi_share_1s"] > 0.99 and one["for_s"] > 0.9, one
assert lines[1]["threads"][1]["for_s"] > lines[0]["threads"][1]["for_s"] + 0.9
PYTHON

# What await says when it gives up, having let the program go.
give_up() {
    touch go
    close_terminal
    cat screen 2>/dev/null || true
}

# The interactive screen: the rows, help and back, pause, the end.
look_at_screen() {
    open_terminal "$1" "$1" "$2" "'$top' run.otf2.zip.run"
    await "rank 1 on the screen" shown "^ *1 *MPI_Recv fro"
    key h
    await "help" shown "PgUp"
    key h
    await "no help" shown "^ *0 *computing"
    key P
    await "a pause" shown "^paused"
    key P
    await "going on" shown "^h help"
    key m
    await "sorting" sh -c "grep -n '' screen | grep -q '1 *MPI_Recv'"
    key q
    await "the end" shown "^over"
    close_terminal
}

for mpi in $(mpis); do
    rm -rf run.otf2.zip* go here
    "$(mpicc_of "$mpi")" -o "held-$mpi" held.c
    touch go
    run_mpi "$mpi" 2 "./held-$mpi" >alone 2>err
    rm -f go here
    run_mpi "$mpi" 2 "$record" -o run.otf2.zip "./held-$mpi" >out 2>err &
    run=$!
    await "$mpi: the program" test -e here
    "$top" --json --count 2 run.otf2.zip.run >lines || fail "$mpi: --json: exit $?"
    "$python" check.py lines || fail "$mpi: $(cat lines)"
    "$top" --once >text || fail "$mpi: --once: exit $?" # the newest run
    assert_matches "$(cat text)" '^held-.*: 2 of 2 ranks run here$'
    # How long ranks are where they are is no moment, which --why has.
    assert_matches "$(cat text)" '^ *rank +now +for +MPI 1 s '
    assert_lacks "$(cat text)" since
    assert_matches "$("$top" --why run.otf2.zip.run)" '^ *rank +where +deadlock +since +call '
    # --once says no more than --why does by itself.
    "$top" --once --why run.otf2.zip.run >why || fail "$mpi: --once --why: exit $?"
    assert_matches "$(cat why)" '^ *rank +where +deadlock +since +call '
    assert_matches "$(cat text)" '^ +0 +computing .* 0\.0% '
    assert_matches "$(cat text)" '^ +1 +MPI_Recv from 0 \(tag 9, MPI_COMM_WORLD\) .* 100\.0% '
    "$top" --why run.otf2.zip.run >why || fail "$mpi: --why: exit $?"
    assert_matches "$(cat why)" '^rank 1 in MPI_Recv from 0 .* for rank 0, which is outside of MPI'
    "$top" --once --width 40 | awk 'length > 44' >wide
    assert_empty wide
    if [ "$mpi" = openmpi ] && has_terminal "$top" run.otf2.zip.run; then
        look_at_screen 40 10
        look_at_screen 120 30
    fi
    "$top" --json run.otf2.zip.run >lines & # to the end
    watch=$!
    sleep 1
    touch go
    wait "$run" || fail "$mpi: the program ended with $?: $(cat err)"
    wait "$watch" || fail "$mpi: --json to the end: exit $?"
    tail -n 1 lines >last
    [ "$(json last 'int(d["running"])')" = 0 ] || fail "$mpi: the end is not told: $(cat last)"
    assert_equal "$(cat alone)" "$(cat out)" "$mpi: what the program prints"
    assert_file run.otf2.zip
done

# --- what is no run ----------------------------------------------------------------------------

# refused WORDS ARGUMENT: exit 3 and a sentence.
refused() {
    local status=0
    "$top" --once "$2" >out 2>err || status=$?
    assert_equal 3 "$status" "$2"
    assert_matches "$(cat err)" "^mpiwatch-top: .*$1"
}
refused "No such file" nowhere.run
echo "what else" >other.run
refused "" other.run
mkdir empty
refused "no spools" empty
status=0
"$top" --interval 0 2>err || status=$?
assert_equal 2 "$status" "wrong usage"

# Spools of another version, damaged, and cut short.
rm -rf run.otf2.zip*
run_mpi "$(mpis | head -1)" 2 "$record" -o run.otf2.zip "$(example hangs "$(mpis | head -1)")" \
    recv_ring >out 2>err &
run=$!
await "a rank that hangs" test -e inside.1
spool=$(ls -d "$TMPDIR"/mpiwatch-*-0)
cp -r "$spool" copy
pid=$(sed -n 's/.*"pid": *\([0-9]*\).*/\1/p' run.otf2.zip.run | head -1)
[ -z "$pid" ] || kill -9 "$pid" || true
wait "$run" || true
assert_contains "$("$top" --once run.otf2.zip.run)" "gone: killed"
printf '\011' | dd of=copy/0.events bs=1 seek=8 conv=notrunc 2>/dev/null
refused "a spool of version 9" copy
printf '\003' | dd of=copy/0.events bs=1 seek=8 conv=notrunc 2>/dev/null
truncate -s 70000 copy/0.events
refused "ends before its windows do" copy
