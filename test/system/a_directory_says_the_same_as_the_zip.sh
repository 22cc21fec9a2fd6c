# --format directory writes the archive unpacked, with the checksums of its files: it is
# held against the example like the zip file. In one whose metadata call the record of one thread
# damaged, that rank is incomplete.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

for mpi in $(built_mpis); do
    ranks=$(ranks_of "$mpi")
    run_mpi "$mpi" "$ranks" "$record" --format directory -o "halo.otf2.zip" \
        "$(example halo "$mpi")" >halo.out 2>halo.err || wrong "$mpi: exit $?: $(cat halo.err)"
    [ -f halo.otf2.zip/traces.otf2 ] || wrong "$mpi: no directory of that name: $(ls)"
    as_expected "$mpi" "$ranks" halo.c
    assert_equal 0 "$(status_of "$analyze" info halo.otf2.zip)" "$mpi: a whole archive"
    "$python" - halo.otf2.zip/mpiwatch.json <<'PYTHON'
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    about = json.load(file)
about["ranks"][1]["threads"][0]["damaged"] = True
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump(about, file)
PYTHON
    assert_equal 4 "$(status_of "$analyze" info halo.otf2.zip)" "$mpi: a damaged thread"
    rm -rf halo.otf2.zip
done
finish
