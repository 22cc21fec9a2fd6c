# What the page of many ranks takes for one more, where all are followed together: 63 KiB, of which
# so many ranks more may take 80 each. With cells for all states of each, samples of metrics for its
# levels, and all that JSON says of it, which is cut down to the first ranks in the end, it was 97.
# What JSON leaves out is counted: of watermarks, most of which are not even made, too.
. "$TOP_SRCDIR/test/system/lib.sh"

for ranks in 3000 5000; do
    "$TOP_BUILDDIR/test/bench/generate_box" "box$ranks" $ranks 6 >about.json
    "$python" - "$analyze" "box$ranks" <<'PY' >"peak$ranks"
import resource, subprocess, sys
subprocess.run([sys.argv[1], "report", "-q", "-j1", "--html=page.html", "--force", sys.argv[2]],
               stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PY
done
few=$(cat peak3000) many=$(cat peak5000)
[ "$many" -le $((few + 80 * 2000)) ] || fail "$many KiB for 5,000 ranks, $few for 3,000"

"$python" - "$analyze" <<'PY' || fail "what the page leaves out"
import json, re, subprocess, sys
page = open("page.html").read()
data = json.loads(re.search(r'<script[^>]*application/json[^>]*>(.*?)</script>', page, re.S)[1])
whole = json.loads(subprocess.run([sys.argv[1], "report", "-q", "--json", "box5000"],
                                  stdout=subprocess.PIPE, check=True).stdout)
for part, name in (("ranks", "ranks"), ("watermarks", "watermarks"), ("messages", "pairs")):
    there = data[part][name]
    assert there, (part, name)
    assert len(there) + data[part][name + "_left_out"] == len(whole[part][name]), (part, name)
    if name != "pairs":
        assert there == whole[part][name][:len(there)], (part, name)
PY
