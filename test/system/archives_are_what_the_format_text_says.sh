# An archive is read by a program that knows nothing but formats/ARCHIVE.md, Python's zlib
# and zipfile, and python3-otf2: a zip at every level that matters, a directory, threads,
# many communicators.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

read_archive() {
    "$python" "$TOP_SRCDIR/test/system/read_archive.py" "$1" >read.json || fail "$1: see above"
}

for mpi in $(built_mpis); do
    ranks=$(ranks_of "$mpi")
    for level in 0 1 9; do
        run_mpi "$mpi" "$ranks" "$record" -q -z "$level" -o "halo-$level.otf2.zip" \
            "$(example halo "$mpi")" >/dev/null
        read_archive "halo-$level.otf2.zip"
        assert_equal "$ranks" "$(json read.json 'd["locations"]')" "$mpi: locations"
        assert_equal true "$(json read.json 'd["complete"]')" "$mpi: complete"
        rm "halo-$level.otf2.zip"
    done
    run_mpi "$mpi" "$ranks" "$record" -q --format directory -o halo.otf2 \
        "$(example halo "$mpi")" >/dev/null
    read_archive halo.otf2
    rm -r halo.otf2
    for name in threads_pingpong many_comms comms; do
        run_mpi "$mpi" "$ranks" "$record" -q -o "$name.otf2.zip" "$(example "$name" "$mpi")" \
            >/dev/null 2>&1
        read_archive "$name.otf2.zip"
        rm "$name.otf2.zip"
    done
done
