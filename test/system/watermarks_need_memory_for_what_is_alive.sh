# Watermarks of levels that follow from the events are what the generator's head lets one work
# out on paper, and ten times as many events take no more memory; in the report neither.
. "$TOP_SRCDIR/test/system/lib.sh"

for events in 50000 500000; do
    "$TOP_BUILDDIR/test/bench/generate" "g$events" 4 $events >about.json
    "$python" - "$analyze" $events <<'PY' >"peak$events"
import resource, subprocess, sys
with open("w" + sys.argv[2], "w") as out:
    subprocess.run([sys.argv[1], "watermarks", "--json", f"g{sys.argv[2]}/traces.otf2"],
                   stdout=out, check=True)
for output in ("--json", "--html=page.html"):
    subprocess.run([sys.argv[1], "report", output, "--force", f"g{sys.argv[2]}/traces.otf2"],
                   stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PY
done
small=$(cat peak50000) large=$(cat peak500000)
[ "$large" -le $((small + 4096)) ] || fail "$large KiB for 500,000 events, $small for 50,000"

# high NAME: of each rank, without those of a communicator.
high() {
    json w500000 "[row['high']['value'] for row in d['watermarks']
        if row['name'] == '$1' and row['comm'] is None]"
}
# together NAME
together() {
    json w500000 "[[row['peak_of_sum'], row['sum_of_peaks']] for row in d['across_ranks']
        if row['name'] == '$1' and row['comm'] is None]"
}
# A receive and a send.
assert_equal '[2, 2, 2, 2]' "$(high 'outstanding requests')" "requests"
# The straggler's left neighbour sends before it is ready: one at a time.
assert_equal '[1, 1, 1, 1]' "$(high 'unexpected messages')" "unexpected messages"
assert_equal '[[1, 4]]' "$(together 'unexpected messages')" "unexpected messages together"
# Three ranks of four send at once; the straggler does when two of these are through.
assert_equal '[4096, 4096, 4096, 4096]' "$(high 'bytes in flight')" "bytes in flight"
assert_equal '[[12288, 16384]]' "$(together 'bytes in flight')" "bytes in flight together"
# The ranks are on two hosts, whose clocks messages are measured by.
assert_equal true "$(json w500000 'all(row["high"]["exact"] == ("requests" in row["name"] or
    "outstanding" in row["name"]) for row in d["watermarks"])')" "what is exact"
