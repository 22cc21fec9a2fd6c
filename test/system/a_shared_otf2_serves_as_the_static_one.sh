# Where there is no static OTF2, the shared one is linked: what the recorder writes by it and the
# analyzer reads by it is the same, of ZIP files, directories, and damaged ones, whose chunks are
# looked at as libotf2 reads them. Both are linked once more, of the objects that there are.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need make
shared=$scratch/shared
mkdir "$shared" "$shared/libraries"
cat >rules.mk <<'RULES'
$(shared)/interposed.o: $(top_srcdir)/analyzer/load/interposed.c
	$(CC) $(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS) -c -o $@ $<
$(shared)/analyze: $(shared)/interposed.o
	$(mpiwatch_analyze_LINK) $(mpiwatch_analyze_OBJECTS) $< libmwcommandline.a libmwanalyzer.a \
		libmwformats.a $(OTF2_LIBS) $(JANSSON_LIBS) $(PNG_LIBS) $(CAIRO_LIBS) \
		$(ZLIB_LIBS) -lm
$(shared)/libraries/libmpiwatch-%.la: AM_LDFLAGS = $(MWR_LINK) -rpath $(shared)/installed
$(shared)/libraries/libmpiwatch-%.la:
	$(LINK) $(call mpi_objects,$*) libmwformats-recorder.la $(OTF2_LIBS) -Wl,$(ZLIB_STATIC) \
		-lpthread -ldl -lm $($*_libs)
RULES
# linked TARGET: makes it of the build's objects.
linked() {
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s -C "$TOP_BUILDDIR" -f Makefile \
        -f "$scratch/rules.mk" shared="$shared" "$shared/$1" >made 2>&1 ||
        fail "$1 can't be linked: $(tail -5 made)"
}
# needs_otf2 FILE
needs_otf2() {
    assert_matches "$(readelf -d "$1")" 'NEEDED.*(otf2|open.trace.format2)\.so'
}
linked analyze
needs_otf2 "$shared/analyze"

# said ANALYZER ARCHIVE: all that it says of it, and how it ends.
said() {
    local command
    for command in validate dump "report --json" "calls --json"; do
        "$1" $command "$2" 2>&1 && echo "status 0" || echo "status $?"
    done
}

# the_same ARCHIVE
the_same() {
    said "$analyze" "$1" >by_static
    said "$shared/analyze" "$1" >by_shared
    cmp by_static by_shared || fail "$1: $(diff by_static by_shared | head -5)"
}

for mpi in $(built_mpis); do
    linked "libraries/libmpiwatch-$mpi.la"
    needs_otf2 "$shared/libraries/.libs/libmpiwatch-$mpi.so"
    "$(mpicc_of "$mpi")" -o "calls-$mpi" "$TOP_SRCDIR/test/system/local_calls.c"
    run_mpi "$mpi" 2 "$record" -e all --libdir "$shared/libraries/.libs" -o "$mpi.otf2.zip" \
        "./calls-$mpi" 20000 2>err
    assert_contains "$(cat err)" "lost 0"
    the_same "$mpi.otf2.zip"
    assert_contains "$(cat by_shared)" ": sound"
    mkdir "$mpi"
    "$python" -m zipfile -e "$mpi.otf2.zip" "$mpi"
    the_same "$mpi"
    # What is no chunk, in the middle of the events: the wrapper of fread finds it.
    events=$(find "$mpi" -name '*.evt' | sort | head -1)
    size=$(stat -c %s "$events")
    head -c 64 /dev/zero | tr '\0' '\377' |
        dd of="$events" bs=1 seek=$((size / 2)) conv=notrunc status=none
    the_same "$mpi"
    assert_matches "$(cat by_shared)" 'status [1-9]'
done
finish
