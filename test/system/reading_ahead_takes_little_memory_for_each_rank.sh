# Another thread that reads ahead decodes a batch of each of many ranks, and no more: it may take
# 16 KiB of each. With two batches and room for what each could fail with it had been 24.
. "$TOP_SRCDIR/test/system/lib.sh"

"$TOP_BUILDDIR/test/bench/generate_box" box 11000 6 >about.json
for threads in 1 2; do
    "$python" - "$analyze" $threads <<'PY' >"peak$threads"
import resource, subprocess, sys
with open("report" + sys.argv[2], "w") as out:
    subprocess.run([sys.argv[1], "report", "-q", "--no-cache", "-j", sys.argv[2], "box"],
                   stdout=out, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PY
done
cmp report1 report2 || fail "two threads say something else"
one=$(cat peak1) two=$(cat peak2)
[ "$two" -le $((one + 16 * 11000)) ] || fail "$two KiB with two threads, $one with one"
