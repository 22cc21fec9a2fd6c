# Archives that were built to harm, cut short, or damaged: every command of mpiwatch-analyze ends
# with a sentence that names the place. make check-sanitize does it more often, and make
# check-hostile at length.
. "$TOP_SRCDIR/test/system/lib.sh"

# libotf2 loses memory of its own when it meets damaged files.
printf 'leak:%s\n' OTF2_ otf2_ >leaks
export LSAN_OPTIONS=suppressions=$PWD/leaks:print_suppressions=0
export ASAN_OPTIONS=${ASAN_OPTIONS:-allocator_may_return_null=1:hard_rss_limit_mb=2000}

"$python" "$TOP_SRCDIR/test/system/hostile.py" "$analyze" "$TOP_BUILDDIR/test/data/make_archive" \
    "$TOP_BUILDDIR/test/data/make_hostile" ${HOSTILE-2 3 6} || fail "see above"
