# A level that is changed by calls which are not recorded (by -e, by --comms, in a pause) is not
# observed meanwhile: what is stated of its mean, of the time that was observed and of the rest, is
# what the program has read (truth_user.c).
. "$TOP_SRCDIR/test/system/lib.sh"

cat >stated.py <<'PY'
import array, json, sys
words = array.array("Q")
words.frombytes(open("log", "rb").read())
rows = [words[i:i + 11] for i in range(0, len(words), 11)]
span = rows[-1][1] - rows[0][1]
truth = sum(row[2] * (after[1] - row[1]) for row, after in zip(rows, rows[1:])) / span
for row in json.load(open("counters.json"))["pvars"]:
    if row["name"] not in ("truth_level", "truth_fifth"):
        continue
    unseen = min(row["unobserved_ns"] / span, 1)
    if row["mean_lower"] is None:
        assert sys.argv[1] == "p2p", row
        continue
    assert (1 - unseen) * row["mean_lower"] - 0.05 <= truth, (truth, row)
    assert (1 - unseen) * row["mean_upper"] + 5 * unseen + 0.05 >= truth, (truth, row)
    assert row["mean_upper"] <= 0.1, row
    assert 0.9 * 500e6 <= row["unobserved_ns"] <= 0.9 * span, (span, row)
    print(sys.argv[1], row["name"], truth, row["mean_lower"], row["mean_upper"], unseen)
for row in json.load(open("series.json"))["series"]:
    for value in row["values"][1:] if row["name"] == "truth_level" else []:
        assert value["lower"] is None or value["upper"] == 0, value
PY
for mpi in $(mpis); do
    mpicc=$(mpicc_of "$mpi")
    $mpicc -shared -fPIC -o libtruth.so "$TOP_SRCDIR/test/system/truth_mpi_t.c" -lpthread
    $mpicc -o truth "$TOP_SRCDIR/test/system/truth_user.c" -L. -ltruth -lpthread \
        -Wl,-rpath,"$scratch"
    for how in "p2p hidden -e p2p" "world hidden --comms=world" "pause paused"; do
        options=${how#* }
        options=${options#hidden}
        # shellcheck disable=SC2086 # a list of options
        LD_PRELOAD=$scratch/libtruth.so run_mpi "$mpi" 1 "$record" -q --force -o truth.zip \
            --pvars='truth_*' ${options#paused} ./truth "$(echo "$how" | cut -d' ' -f2)" log \
            >/dev/null
        "$analyze" counters --json truth.zip >counters.json
        "$analyze" counters --series --json truth.zip >series.json
        "$python" stated.py "${how%% *}" || fail "$mpi, $how"
    done
done
