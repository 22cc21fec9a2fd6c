# An archive that is there already stays as it is: the new one takes the next free name,
# and says which. With --force it is replaced.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

mpi=$(built_mpis | head -1)
recorded "$mpi" 2 empty
assert_file empty.otf2.zip
mv empty.otf2.zip first.otf2.zip
sum=$(sha256sum <first.otf2.zip)
run_mpi "$mpi" 2 "$record" -o first.otf2.zip "$(example ring "$mpi")" >ring.out 2>ring.err ||
    wrong "exit $?: $(cat ring.err)"
assert_equal "$sum" "$(sha256sum <first.otf2.zip)" "what was there"
other=$(ls ./*.otf2.zip | grep -v '/first.otf2.zip$')
assert_contains "$(cat ring.err)" "$(basename "$other")"
mv "$other" ring.otf2.zip
as_expected "$mpi" 2 ring.c

run_mpi "$mpi" 2 "$record" --force -o first.otf2.zip "$(example ring "$mpi")" >ring.out \
    2>ring.err || wrong "exit $?: $(cat ring.err)"
mv first.otf2.zip ring.otf2.zip
as_expected "$mpi" 2 ring.c
assert_equal "./ring.otf2.zip" "$(ls ./*.otf2.zip)" "the archives there"
finish
