# What lies where mpiwatch-recover looks may have been put there by anybody: FIFOs, devices,
# sockets, links, directories, files that claim to be huge. It says a sentence and ends, in little
# memory, and what there is of sound spools beside them makes an archive.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
recover=$TOP_BUILDDIR/mpiwatch-recover
mpi=$(built_mpis | head -1)
[ -n "$mpi" ] || skip "no MPI here"

# ended EXPECTED WHAT ARGUMENT...: mpiwatch-recover ends with this status, by itself, in 256 MiB.
ended() {
    local expected=$1 what=$2
    shift 2
    assert_equal "$expected" "$(status_of timeout -k 5 60 sh -c \
        'ulimit -v 262144; exec "$@"' sh "$recover" "$@")" "$what: $(cat stderr)"
}

run_mpi "$mpi" 2 "$record" -o run.otf2.zip "$TOP_BUILDDIR/test/system/dies-$mpi" SIGKILL -1 10 \
    >out 2>err || true
sound=$(echo "$spools"/mpiwatch-*-0)
name=$(basename "$sound")
assert_file "$sound/definitions"

# put KIND PATH: something that is no regular file.
put() {
    case $1 in
    fifo) mkfifo "$2" ;;
    socket) "$python" -c 'import socket, sys
socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$2" ;;
    directory) mkdir "$2" ;;
    link) ln -s "$sound/definitions" "$2" ;;
    device) ln -s /dev/zero "$2" ;;
    node) mknod "$2" c 1 5 ;;
    esac
}

kinds="fifo socket directory link device"
if mknod zero c 1 5 2>/dev/null && head -c 1 zero >/dev/null 2>&1; then
    kinds="$kinds node"
else
    echo "skipped: device nodes, since mknod is not permitted"
fi
for kind in $kinds; do
    # In the place of a spool's definitions and of its events; beside sound ones.
    rm -rf place && mkdir -p "place/$name"
    (cd "place/$name" && put $kind definitions)
    ended 3 "a $kind as definitions" place
    assert_matches "$(cat stderr)" "definitions: .*(is no regular file|can't open the definitions)"
    cp -r "$spools"/mpiwatch-*-1 place
    ended 4 "a $kind as definitions beside a sound spool" place --force -o place.otf2.zip
    assert_contains "$(cat stdout)" "of 1 of 2 ranks"
    ended 0 "a $kind as definitions, in a list" place --list
    MPIWATCH_SPOOL=place ended 0 "a $kind where spools are looked for"

    rm -rf place && cp -r "$spools" place
    rm "place/$name/0.events"
    (cd "place/$name" && put $kind 0.events)
    ended 4 "a $kind as events" place --force -o place.otf2.zip
    assert_contains "$(cat stdout)" "of 2 of 2 ranks"

    # In the place of NAME.run, of a spool directory and of the directory of all.
    rm -rf other.run
    put $kind other.run
    if [ $kind != directory ]; then
        ended 3 "a $kind as NAME.run" other.run
        assert_matches "$(cat stderr)" "other.run: (it is no reg|can't open it: )"
        MPIWATCH_SPOOL=$PWD/other.run ended 3 "a $kind as the place of the spools"
        rm -rf place && mkdir place
        (cd place && put $kind "$name")
        ended 3 "a $kind as a spool directory" place
    fi
done

# --- claims -----------------------------------------------------------------------------
# Lines without an end, and more ranks than the file has lines for.
truncate -s 2G long.run
ended 3 "two GiB without a line's end" long.run
head -1 run.otf2.zip.run >long.run
truncate -s 2G long.run
ended 0 "two GiB behind the first line" long.run --list
sed 's/"ranks":2/"ranks":16000000/' run.otf2.zip.run >many.run
ended 3 "a NAME.run of 16,000,000 ranks that are not in it" many.run

# 200,000,000 ranks in a definitions file with a right checksum, and a rank of such a number.
cat >resize.py <<'PYTHON'
"""resize.py DEFINITIONS SIZE: the process's record tells of SIZE ranks (formats/ARCHIVE.md)."""
import struct, sys, zlib
data = bytearray(open(sys.argv[1], "rb").read())
length, = struct.unpack_from("=I", data, 40)
assert data[48] == 1, "the first record is not the process's"
struct.pack_into("=I", data, 48 + 5, int(sys.argv[2]))
struct.pack_into("=I", data, 44, zlib.crc32(data[48:48 + length]))
open(sys.argv[1], "wb").write(data)
PYTHON
rm -rf place && cp -r "$spools" place
"$python" resize.py "place/$name/definitions" 200000000
ended 4 "200,000,000 ranks beside a sound spool" place -o many.otf2.zip
assert_contains "$(cat stderr)" "a job of 200000000 ranks is not believed"
assert_contains "$(cat stdout)" "of 1 of 2 ranks"
"$python" resize.py "place/$name/definitions" 2
ended 4 "the checksum of the above" place -o right.otf2.zip
assert_contains "$(cat stdout)" "of 2 of 2 ranks"
printf '\377\377\377\177' | dd of="place/$name/definitions" bs=1 seek=24 conv=notrunc 2>/dev/null
ended 4 "a rank of number 2^31 - 1" place -o right.otf2.zip
assert_contains "$(cat stderr)" "a rank of number 2147483647 is not believed"

# Files that claim a terabyte, of which nothing is there.
if truncate -s 1T huge 2>/dev/null; then
    rm -rf place && cp -r "$spools" place
    truncate -s 1T "place/$name/definitions" "place/$name/0.events"
    ended 4 "spools of a terabyte" place -o huge.otf2.zip
    assert_contains "$(cat stdout)" "of 2 of 2 ranks"
    # As a ring of windows of 4096 bytes (formats/spool/spool.h: the header's last member).
    printf '\000\020' | dd of="place/$name/0.events" bs=1 seek=88 conv=notrunc 2>/dev/null
    ended 4 "a ring of a terabyte" place --force -o huge.otf2.zip
else
    echo "skipped: files of a terabyte, which this file system has not"
fi
finish
