# Archives of kilobytes that inflate to a thousand times as much, or to JSON whose tree takes ten
# thousand times as much: each command takes no more memory than --max-memory says, and ends with a
# sentence that names the place. What was recorded of many communicators is read as ever.
. "$TOP_SRCDIR/test/system/lib.sh"

"$TOP_BUILDDIR/test/data/make_archive" plain plain

# The archives, each of at most some 100 kB, but for those of strings.
"$python" - <<'PYTHON' || fail "no archives"
import json, os, struct, zipfile

MEGABYTE = 1 << 20
HEAD = b'{"schema":"mpiwatch-archive/1","complete":true,"ranks_expected":0,"ranks":[],'
MEMBERS = {}
for folder, _, names in os.walk("plain"):
    for name in names:
        path = os.path.join(folder, name)
        with open(path, "rb") as file:
            MEMBERS[os.path.relpath(path, "plain")] = file.read()

def pack(path, members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in {**MEMBERS, **members}.items():
            archive.writestr(name, data)

for name, bomb in (
        ("arrays", b'"x":[' + b"[]," * (20 * MEGABYTE) + b"1]}"),
        ("communicators", b'"communicators":[' + b"{}," * (20 * MEGABYTE) + b"{}]}"),
        ("numbers", b'"x":[' + b"1," * (30 * MEGABYTE) + b"1]}"),
        ("string", b'"x":"' + b"a" * (60 * MEGABYTE) + b'"}'),
        ("keys", b'"settings":{' + b",".join(b'"%x":"1"' % i for i in range(MEGABYTE)) + b"}}"),
        ("depth", b'"x":' + b"[" * (60 * MEGABYTE))):
    pack("json-%s.zip" % name, {"mpiwatch.json": HEAD + bomb})
assert os.path.getsize("json-arrays.zip") < 100000

# The other members: zeros, and an index of entries that say nothing.
entry = struct.pack("<IIQQQQ", 1, 0, 0, 0, 0, 1) + b"x" + struct.pack("<Q", 0)
index = b"MWBLOCKS" + struct.pack("<IIQQ", 1, 0, 262144, MEGABYTE) + entry * MEGABYTE
zeros = bytes(100 * MEGABYTE)
for number, member in enumerate(("traces.def", "traces.otf2", "traces/0.evt", "traces/0.def",
                                 "mpiwatch.idx")):
    pack("zeros-%d.zip" % number, {member: zeros})
pack("index-entries.zip", {"mpiwatch.idx": index})

# 1,000 communicators with 64 members each: some 4 MB of tree.
comms = [{"id": 1000 + i, "uid": "%032x" % i, "name": "comm %d" % i, "parent": "0" * 32,
          "created_by": "MPI_Comm_split", "groups": [{"members": list(range(64))}]}
         for i in range(1000)]
pack("many.zip", {"mpiwatch.json": HEAD + b'"communicators":' + json.dumps(comms).encode() + b"}"})
PYTHON

cat >measure.py <<'PYTHON'
"""measure.py COMMAND...: its exit status and the most memory that it took, in MB. A process of
its own, as a child counts what its parent had when it was made."""
import os, subprocess, sys
with open("stdout", "wb") as out, open("stderr", "wb") as err:
    child = subprocess.Popen(sys.argv[1:], stdout=out, stderr=err)
_, status, usage = os.wait4(child.pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss // 1000)
PYTHON

# takes STATUS MB ARCHIVE MAX_MEMORY COMMAND...: at most so many MB.
takes() {
    local wanted=$1 most=$2 archive=$3 limit=$4 measured
    shift 4
    measured=$("$python" measure.py "$analyze" "$@" --max-memory="$limit" "$archive")
    [ "${measured% *}" = "$wanted" ] && [ "${measured#* }" -le "$most" ] ||
        fail "$* of $archive: exit status and MB: $measured: $(head -c 500 stderr)"
}

# Of 128 MiB 16 are for the tree, which is not begun; the program itself takes some 10 MB.
for archive in json-*.zip; do
    for command in info report validate "export --otf2=cut.zip"; do
        # shellcheck disable=SC2086 # words
        takes 3 24 "$archive" 128M $command
        assert_matches "$(cat stderr)" \
            "$archive!mpiwatch.json: offset [0-9]+: its contents need more than 16 MiB, 1/8 of"
    done
    assert_contains "$(cat stderr)" "--max-memory"
done
[ ! -e cut.zip ] || fail "an archive was exported without its mpiwatch.json"

for archive in zeros-*.zip index-*.zip; do
    for command in info "info --full" report validate; do
        # shellcheck disable=SC2086 # words
        case $archive:$command in
        zeros-4*:validate | index-*:validate) takes 3 32 "$archive" 256M $command ;;
        zeros-4* | index-*) takes 0 32 "$archive" 256M $command ;;
        zeros-[23]*:info) takes 0 32 "$archive" 256M $command ;; # of a location: not read
        *) takes 3 64 "$archive" 256M $command ;;
        esac
    done
done

for command in info report comms; do
    takes 0 40 many.zip 128M $command
done
takes 3 16 many.zip 16M info
assert_contains "$(cat stderr)" "need more than 2 MiB, 1/8 of the memory"
