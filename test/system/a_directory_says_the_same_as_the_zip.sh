# --format directory writes the archive unpacked, with the checksums of its files: it is
# held against the example like the zip file.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

for mpi in $(built_mpis); do
    ranks=$(ranks_of "$mpi")
    run_mpi "$mpi" "$ranks" "$record" --format directory -o "halo.otf2.zip" \
        "$(example halo "$mpi")" >halo.out 2>halo.err || wrong "$mpi: exit $?: $(cat halo.err)"
    [ -f halo.otf2.zip/traces.otf2 ] || wrong "$mpi: no directory of that name: $(ls)"
    as_expected "$mpi" "$ranks" halo.c
    rm -rf halo.otf2.zip
done
finish
