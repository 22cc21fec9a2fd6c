# tells_steps WHAT: run.otf2.zip, of steps.c on three hosts, tells the efficiency that the program
# tells by each rank's own clock, and clock violations of no more than what is said of the clocks;
# with --clc none, and the same efficiency.
# To be sourced behind recordings.sh.
tells_steps() {
    [ -s run.otf2.zip ] || fail "$1: no archive: $(cat err)"
    "$analyze" info --json -o info.json run.otf2.zip 2>/dev/null || true
    "$analyze" pop --json -o pop.json run.otf2.zip 2>/dev/null || true
    assert_equal '[3, 3, true, true]' "$(json info.json '[d["ranks"], d["hosts"],
        d["duration_ns"] < 30e9,
        d["clock_violation_max_ns"] <=
            2 * (d["hosts_clock_error_ns"] + (d["clock_error_ns"] or 0))]')" "$1: $(json info.json \
        '[d["duration_ns"], d["clock_violations"], d["clock_violation_max_ns"],
            d["hosts_clock_error_ns"]]')"
    own=$(cat useful.[012] | awk '{ useful += $1; all += $2 } END { print useful / all }')
    assert_equal true "$(json pop.json "abs(d['parallel_efficiency'] - $own) < 0.03")" \
        "$1: efficiency $(json pop.json 'd["parallel_efficiency"]'), by the ranks' clocks $own"
    "$analyze" info --clc --json -o info.json run.otf2.zip 2>/dev/null || true
    "$analyze" pop --clc --json -o pop.json run.otf2.zip 2>/dev/null || true
    assert_equal '[0, 0, 0, true]' "$(json info.json '[d["clock_violations"],
        d["clc"]["violations_after"], d["clc"]["collective_violations_after"],
        d["clc"]["shift_max_ns"] <= 2 * d["hosts_clock_error_ns"] + 1000]')" \
        "$1, --clc: $(json info.json 'd["clc"]')"
    assert_equal true "$(json pop.json "abs(d['parallel_efficiency'] - $own) < 0.03")" \
        "$1, --clc: efficiency $(json pop.json 'd["parallel_efficiency"]'), by the clocks $own"
    rm useful.[012]
}
