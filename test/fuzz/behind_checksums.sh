# make check-fuzz: archives and spools changed behind their checksums, for mpiwatch-analyze and
# mpiwatch-recover with the sanitizers, in the build of make check-sanitize. $1: so many of each, or
# 600s for so many seconds; $2: the seed.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
sanitized=$TOP_BUILDDIR/sanitize
names="comms_of_comms files_and_windows icollectives threads_pingpong"
archives=
kept=

# What was recorded has metrics, mapping tables, threads, windows and files.
mpi=$(built_mpis | head -1)
for name in ${mpi:+$names}; do
    recorded "$mpi" 2 "$name"
    [ ! -e "$name.otf2.zip" ] || archives="$archives $name.otf2.zip"
    spools_of "$mpi" 2 "$name"
    kept="$kept $name"
done
printf 'leak:%s\n' OTF2_ otf2_ >leaks # libotf2 loses memory of its own when it meets damage
export LSAN_OPTIONS=suppressions=$PWD/leaks:print_suppressions=0
mkdir findings
(cd findings && "$python" "$TOP_SRCDIR/test/fuzz/archives.py" "$sanitized/test/fuzz/serve" \
    "$sanitized/mpiwatch-analyze" "$sanitized/test/data/make_archive" "$2" "$1" \
    ${archives:+$(printf "$scratch/%s " $archives)}) ||
    wrong "archives; those that do harm are in $TOP_BUILDDIR/fuzz-findings"
if [ -n "$(ls findings/finding-* 2>/dev/null)" ]; then
    mkdir -p "$TOP_BUILDDIR/fuzz-findings"
    cp findings/finding-* "$TOP_BUILDDIR/fuzz-findings"
fi
[ -z "$kept" ] || "$python" "$TOP_SRCDIR/test/system/damage_spools.py" \
    "$sanitized/mpiwatch-recover" "$sanitized/mpiwatch-analyze" "$2" "$1" $kept || wrong spools
finish
