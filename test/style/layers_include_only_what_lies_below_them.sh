# recorder -> formats <- analyzer: formats/ knows neither of the two, and neither formats/
# nor analyzer/ includes mpi.h. Nor do the settings and mpiwatch-record. Within formats/ and
# analyzer/ the rooms stand one above the other, and none includes what is above it. Names of
# files are unique, but for main.c, and say what is in them.
. "$TOP_SRCDIR/test/style/findings.sh"

formats="base table spool zip merge archive"
analyzer="model team sidecar load exchange analysis table report export page validate live cli view"

report "$(matches '#\s*include\s*["<](recorder|analyzer)/' $(sources formats))"
report "$(matches '#\s*include\s*["<]recorder/' $(sources analyzer))"
report "$(matches '#\s*include\s*["<]analyzer/' $(sources recorder))"
report "$(matches '#\s*include\s*["<]mpi\.h' $(sources formats analyzer recorder/launcher) \
    recorder/settings.c recorder/settings.h)"

# rooms HALL ROOM...: what of HALL stands in no room, and what a room includes of those above it.
rooms() {
    local hall=$1 room above
    shift
    report "$(sources "$hall" | tr ' ' '\n' | grep -vE "^$hall/($(echo "$@" | tr ' ' '|'))/")"
    while room=$1 && shift && [ $# -gt 0 ]; do
        above=$(echo "$@" | tr ' ' '|')
        report "$(matches "#\s*include\s*\"$hall/($above)/" $(sources "$hall/$room"))"
    done
}

rooms formats $formats
rooms analyzer $analyzer
names=$(sources formats analyzer recorder | xargs -n 1 basename)
report "$(echo "$names" | grep -vx main.c | sort | uniq -d)"
report "$(echo "$names" | grep -E '(internal|private|common|shared|util)[a-z]*\.h$')"
finish
