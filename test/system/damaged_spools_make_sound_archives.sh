# Spools with bits flipped, pages zeroed, ends cut off, and with windows, records and definitions
# changed, moved, doubled and taken away behind their checksums: what mpiwatch-recover makes of
# them is never corrupt. SPOOL_DAMAGE: how often.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need otf2-print
need_mpi openmpi # spools are the same under MPICH

names="comm_life comms_of_comms files_and_windows icollectives neighbors threads_pingpong wildcards"
for name in $names; do
    spools_of openmpi 2 "$name"
done

# Blocks that are unpacked by what ARCHIVE.md says of them, and not by mpiwatch, have the same
# events.
for name in $names; do
    cp -r "$name" "$name.plain"
    "$python" - "$TOP_SRCDIR/test/system" "$name.plain"/*/*.events <<'PYTHON'
import sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
from spool_file import plain, records
for name in sys.argv[2:]:
    with open(name, "r+b") as file:
        packed = file.read()
        data = plain(packed)
        assert any(records(data)) and len(data) >= len(packed), name
        file.seek(0)
        file.write(data)
PYTHON
    for way in "$name" "$name.plain"; do
        rm -f plain.otf2.zip
        assert_equal 4 "$(status_of "$TOP_BUILDDIR/mpiwatch-recover" "$way" -o plain.otf2.zip)" \
            "$way: $(cat stderr)"
        rm -rf unpacked && unzip -q plain.otf2.zip -d unpacked
        otf2-print unpacked/traces.otf2 >"$way.txt"
    done
    cmp "$name.txt" "$name.plain.txt" || fail "$name: other events when unpacked"
done

"$python" "$TOP_SRCDIR/test/system/damage_spools.py" "$TOP_BUILDDIR/mpiwatch-recover" "$analyze" \
    20261122 "${SPOOL_DAMAGE-100}" $names || fail "see above"

# A record that a thread begins, in the place of a call's, where there is but one thread; and a
# window of no communicator. Neither can be told of.
"$python" - "$TOP_SRCDIR/test/system" icollectives/*-0 files_and_windows/*-0 <<'PYTHON'
import shutil, struct, sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
from damage_spools import definitions, framed
from spool_file import plain, records
shutil.copytree(sys.argv[2], "begun")
with open("begun/0.events", "r+b") as file:
    data = bytearray(plain(file.read()))
    begin = next(begin for begin, end in records(data)
                 if end - begin >= 24 and data[begin + 1] == 1)
    data[begin + 1] = 8
    file.seek(0)
    file.write(data)
    file.truncate()
shutil.copytree(sys.argv[3], "groundless")
with open("groundless/definitions", "r+b") as file:
    data = file.read()
    said = [data[begin + 8:end] for begin, end in definitions(data)]
    file.seek(40)
    file.write(b"".join(framed(each[:25] + bytes(16) + each[41:]
                               if each[0] == 40 and each[1] == 0 else each) for each in said))
PYTHON
for what in begun groundless; do
    assert_equal 4 "$(status_of "$TOP_BUILDDIR/mpiwatch-recover" $what -o $what.otf2.zip)" "$what"
    assert_equal 4 "$(status_of "$analyze" validate $what.otf2.zip)" "$what: $(cat stdout)"
    unzip -q $what.otf2.zip -d $what.unzipped
    otf2-print $what.unzipped/traces.otf2 >/dev/null 2>printed || fail "$what: $(cat printed)"
    assert_empty printed
    [ "$(json $what.unzipped/mpiwatch.json 'd["ranks"][0]["lost"]["damage"]')" -gt 0 ] ||
        fail "$what: nothing is counted"
done

# Rank 0 has lost the definitions of its windows and files (kind 40): what it did with them is
# left out, and counted. In the archive of the whole spools it has W such events.
recover() {
    status_of "$TOP_BUILDDIR/mpiwatch-recover" files_and_windows/* -o "$1" >status
    assert_equal 4 "$(cat status)" "$1: $(cat stderr)"
    unzip -qo "$1" -d "${1%.otf2.zip}"
    otf2-print "${1%.otf2.zip}/traces.otf2" >"$1.txt" 2>&1 ||
        fail "$1: otf2-print: $(tail -3 "$1.txt")"
}
of_objects() {
    grep -E '^(RMA|IO)_' "$1.txt" | awk '$2 == 0' | wc -l
}
recover whole.otf2.zip
[ "$(of_objects whole.otf2.zip)" -ge 10 ] || fail "rank 0 has too few events of windows and files"
assert_equal 0 "$(json whole/mpiwatch.json 'd["ranks"][0]["lost"]["damage"]')" "nothing is damaged"
"$python" - "$TOP_SRCDIR/test/system" files_and_windows/*-0/definitions <<'PYTHON'
import sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
from damage_spools import definitions
with open(sys.argv[2], "rb") as file:
    data = file.read()
kept = [data[begin:end] for begin, end in definitions(data) if data[begin + 8] != 40]
with open(sys.argv[2], "wb") as file:
    file.write(data[:40] + b"".join(kept))
PYTHON
recover without.otf2.zip
assert_equal 0 "$(of_objects without.otf2.zip)" "events of what is not defined"
lost=$(json without/mpiwatch.json 'd["ranks"][0]["lost"]["damage"]')
# Some of what a call does is an event at its enter and one at its leave.
[ "$lost" -ge $(($(of_objects whole.otf2.zip) / 2)) ] &&
    [ "$lost" -le "$(of_objects whole.otf2.zip)" ] || fail "$lost left out"
assert_equal 4 "$(status_of "$analyze" validate without.otf2.zip)" "$(cat stdout)"
assert_contains "$(cat stdout)" "rank 0 lost $lost events"
