# Receives for any source or tag: the recorder says which they were, on their events alone, and
# the analyzer counts them; archives that do not tell are said not to.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

need otf2-print
for mpi in $(mpis); do
    run_mpi "$mpi" 2 "$record" --force -o any.otf2.zip "$(example any_source "$mpi")" \
        >any.out 2>any.err || fail "$mpi: $(cat any.err)"
    "$analyze" messages --json any.otf2.zip >any.json || fail "$mpi: exit $?"
    "$analyze" messages any.otf2.zip >any.txt
    said="receives for any source: 5, for any tag: 3, of 9; most in rank 0: 6, on MPI_COMM_WORLD: 4"
    grep -qx "$said" any.txt ||
        fail "$mpi: $(tail -1 any.txt)"
    python_check "$mpi" <<'PYTHON'
import json
found = json.load(open("any.json"))["wildcards"]
comms = {row.pop("comm"): row for row in found.pop("per_comm")}
ranks = found.pop("per_rank")
assert found == {"receives": 9, "any_source": 5, "any_tag": 3, "any": 6}, found
assert ranks == [{"rank": 0, "receives": 8, "any_source": 5, "any_tag": 3, "any": 6},
                 {"rank": 1, "receives": 1, "any_source": 0, "any_tag": 0, "any": 0}], ranks
assert [(row["any_source"], row["any_tag"], row["any"]) for name, row in sorted(comms.items())] \
    == [(3, 1, 4), (2, 2, 2)], comms
PYTHON
    "$analyze" messages --comm MPI_COMM_WORLD --json any.otf2.zip >world.json
    python_check "$mpi, MPI_COMM_WORLD alone" <<'PYTHON'
import json
found = json.load(open("world.json"))["wildcards"]
assert (found["receives"], found["any"], found["any_tag"]) == (7, 4, 1), found
PYTHON
    rm -rf unpacked tables
    "$python" -m zipfile -e any.otf2.zip unpacked
    otf2-print unpacked/traces.otf2 >any.print || fail "otf2-print, $mpi"
    assert_equal 6 "$(grep -c mpiwatch.wildcards any.print)" \
        "events with the attribute, $mpi"
    "$analyze" validate any.otf2.zip >validated || fail "validate, $mpi: $(cat validated)"
    "$analyze" export --csv tables any.otf2.zip 2>/dev/null || fail "export, $mpi"
    assert_equal "0,8,5,3,6" "$(sed -n 2p tables/wildcards.csv)" "wildcards.csv, $mpi"
done

"$TOP_BUILDDIR/test/bench/generate" foreign 2 1000 >/dev/null
"$analyze" messages --json foreign >foreign.json
python_check "an archive that does not tell" <<'PYTHON'
import json
assert json.load(open("foreign.json"))["wildcards"] is None
PYTHON
finish
