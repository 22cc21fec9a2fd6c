# Where calls are made is told by regions, or with --site-form=attribute by an attribute beside the
# call's one region. Every command says the same of both, to the last byte: places, stacks, lines
# that are looked up later, the call that a killed run was in, what is cut out of the midst of a
# call. Readers of OTF2 find one region for a call, and its line by the attribute.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

sources=$TOP_SRCDIR/test/system
recover=$TOP_BUILDDIR/mpiwatch-recover
mpi=$(built_mpis | head -1)
mpi=${mpi%% *}

# both WHAT COMMAND...: whether it says the same of region/x.zip and attribute/x.zip, called x.zip.
both() {
    local what=$1 form
    shift
    for form in region attribute; do
        (cd $form && status_of "$analyze" "$@" x.zip >status)
    done
    [ -s region/stdout ] && cmp -s region/stdout attribute/stdout &&
        cmp -s region/status attribute/status ||
        wrong "$what, $*: $(diff region/stdout attribute/stdout | head -5) $(head -2 */stderr)"
}

# recovered: makes region/x.zip and attribute/x.zip of the only run whose spools are there.
recovered() {
    local form
    for form in region attribute; do
        mkdir -p $form
        status_of "$recover" --force --site-form=$form -o $form/x.zip x.zip.run >status
        [ -f $form/x.zip ] || fail "$form: $(cat stderr err)"
    done
}

# compare WHAT: all that is said of places, of both forms.
compare() {
    local command form from
    for command in report sites "sites --stacks" calls "calls --sites" waits dump mistakes hang \
        validate timeline; do
        both "$1" $command --json
    done
    for command in "sites --csv" report waits "report --html=-" "export --folded=-" \
        "export --perfetto=-" "export --chrome=-" "waits --from=50ms"; do
        both "$1" $command
    done
    # From the midst of the second receive on.
    "$analyze" dump --json region/x.zip >dump 2>err || [ $? -eq 4 ] || wrong "$1: $(cat err)"
    from=$("$python" -c 'import json
times = [e["time_ns"] for e in map(json.loads, open("dump"))
         if e["event"] in ("enter", "leave") and e["region"] == "MPI_Recv"]
print(f"{(times[2] + times[3]) // 2}ns")')
    for form in region attribute; do
        (cd $form && mkdir -p cut && rm -f cut/x.zip &&
            status_of "$analyze" export --otf2=cut/x.zip --from="$from" x.zip >status)
        "$analyze" sites --json $form/cut/x.zip >$form/cut.json 2>err || [ $? -eq 4 ] ||
            wrong "$1, cut: $(cat err)"
    done
    cmp region/cut.json attribute/cut.json || wrong "$1: what was cut out"
    assert_equal 2 "$(json attribute/cut.json 'next(s["count"] for s in d["sites"]
        if (s["call"], s["function"]) == ("MPI_Recv", "let_wait"))')" "$1: receives, one was cut"
}

"$(mpicc_of "$mpi")" -g -O1 -o program "$sources/site_forms.c"
for sites in line stack; do
    SITES_DIE=1 run_mpi "$mpi" 2 "$record" -q --sites=$sites -o x.zip ./program >out 2>err || true
    end_ranks program
    ranks_have_ended
    recovered
    compare "$sites"
    assert_matches "$("$analyze" sites attribute/x.zip 2>err)" 'MPI_Recv +site_forms\.c:'
    if [ $sites = line ]; then # lines that are looked up later
        mkdir -p kept && mv program kept/program
        recovered
        assert_lacks "$("$analyze" sites attribute/x.zip 2>err)" "site_forms.c"
        both "without lines" sites --json
        both "lines of a directory" sites --json --debug-dir ../kept
        assert_matches "$("$analyze" sites --debug-dir kept attribute/x.zip 2>err)" \
            'MPI_Recv +site_forms\.c:'
        mv kept/program program
    fi
    "$recover" -q --remove --force -o gone.zip x.zip.run 2>err || true
done

# A run that ended, whose ranks are told to do so; and what other readers make of it.
MPIWATCH_SITE_FORM=attribute run_mpi "$mpi" 2 "$record" -q -o x.otf2 --format=directory ./program \
    >out 2>err || fail "$(cat err)"
"$analyze" validate -q x.otf2 || wrong "validate"
assert_contains "$("$analyze" info --json x.otf2)" '"site-form": "attribute"'
assert_equal "" "$(otf2-print -G x.otf2/traces.otf2 2>&1 >/dev/null)" "otf2-print: definitions"
assert_matches "$(otf2-print x.otf2/traces.otf2 2>&1)" \
    '\("mpiwatch\.site" <[0-9]+>; REGION; "MPI_Send"'
python_check "python3-otf2" x.otf2/traces.otf2 "$sources/site_forms.c" <<'PYTHON'
import sys, otf2
source = open(sys.argv[2]).read().splitlines()
regions, places = set(), set()
with otf2.reader.open(sys.argv[1]) as trace:
    for location, event in trace.events:
        if isinstance(event, otf2.events.Enter):
            regions.add(event.region)
            site, = (value for attribute, value in event.attributes.items()
                     if attribute.name == "mpiwatch.site")
            assert site.name == event.region.name
            assert event.region.begin_line_number == 0
            assert site.name in source[site.begin_line_number - 1], site
            places.add((site.name, site.begin_line_number))
assert len(regions) == len({region.name for region in regions}), regions
assert len([name for name, line in places if name == "MPI_Barrier"]) == 3, places
PYTHON

assert_equal 2 "$(status_of "$recover" --site-form=both x)" "a form that there is not"
finish
