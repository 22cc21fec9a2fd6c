# Sourced by tests of wait states. `waits_are_found MPI RANKS NAME...` records the examples, each
# of which sleeps and says who waits for it, and holds the waits of the archive against that.
#
# A busy machine can only add to waits: a rank that is woken up late keeps the others waiting, and
# is itself late for what comes next. A mistake of the analysis would come each time. So
# each program has eight tries.

cat >found.py <<'PYTHON'
import json, os, re, sys

told, found = open(sys.argv[1]).read(), json.load(open(sys.argv[2]))
patterns = {each["name"]: each for each in found["patterns"]}
expected = re.findall(r"(\w+): ranks ([\d,]+) wait ([\d.]+) s for rank (\d+)", told)
assert expected, "the program says nothing: " + told
for name, ranks, seconds, cause in expected:
    pattern, slept = patterns.pop(name), float(seconds) * 1e9
    ranks = [int(rank) for rank in ranks.split(",")]
    for rank, waited in enumerate(pattern["per_rank_ns"]):
        low, high = (0.7, 1.3) if rank in ranks else (0, 0.05)
        assert low * slept <= waited <= high * slept, (name, rank, waited, slept)
    for worst in pattern["worst"][:len(ranks)]:
        assert worst["cause_rank"] == int(cause) and worst["rank"] in ranks, (name, worst)
    caused = pattern["caused_by_rank_ns"][int(cause)]
    assert caused >= 0.9 * pattern["total_ns"], (name, caused, pattern["total_ns"])
    delayed = sum(each["short_term_ns"] for each in found["delays"]["worst"]
                  if each["rank"] == int(cause) and each["activity"] == "outside MPI")
    assert delayed >= 0.8 * pattern["total_ns"], (name, delayed, found["delays"])
others = {name: each["total_ns"] for name, each in patterns.items() if each["role"] != "outside"}
assert sum(others.values()) < float(os.environ.get("OTHERS", 0.02)) * found["ranks_run_ns"], others
for name in ("clock_violations", "messages_unmatched", "collectives_incomplete",
             "collectives_uncertain", "calls_unresolved"):
    assert found[name] == 0, (name, found[name])
PYTHON

# waits_are_found MPI RANKS NAME...
waits_are_found() {
    local mpi=$1 ranks=$2 name try
    shift 2
    for name; do
        for try in 1 2 3 4 5 6 7 8; do
            run_mpi "$mpi" "$ranks" "$record" --force -o "$name.otf2.zip" \
                "$(example "$name" "$mpi")" >"$name.out" 2>"$name.err" ||
                fail "$name, $mpi: $(cat "$name.err")"
            "$analyze" waits --json -o "$name.json" "$name.otf2.zip" || fail "$name, $mpi"
            if "$python" found.py "$name.out" "$name.json" 2>"$name.why"; then
                continue 2
            fi
        done
        fail "$name, $mpi: $(tail -1 "$name.why")"
    done
}
