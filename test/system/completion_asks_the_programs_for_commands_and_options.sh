# Completion asks the programs for their commands and options, and offers archives or runs
# after them.
. "$TOP_SRCDIR/test/system/lib.sh"

cat >ask <<'SCRIPT'
. "$1/completions/mpiwatch-analyze.bash"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_mpiwatch_analyze
printf '%s\n' "${COMPREPLY[@]}"
SCRIPT
ask() {
    bash ask "$TOP_SRCDIR" "$analyze" "$@" | tr '\n' ' '
}

mkdir run.directory
touch app.otf2.zip traces.otf2 notes.txt
assert_contains "$(ask '')" "info "
assert_contains "$(ask c)" "calls "
assert_contains "$(ask cr)" "critical-path "
assert_equal "app.otf2.zip traces.otf2 run.directory " \
    "$(ask info '' | sed 's#tmp ##; s#ask ##')" "after a command"
assert_equal "app.otf2.zip " "$(ask info ap)" "a beginning of a name"
assert_equal "--json " "$(ask --js)" "an option"
assert_contains "$(ask -)" "--output= "
assert_contains "$(ask -)" "-q "
assert_equal "always auto " "$(ask --color = a | tr ' ' '\n' | sort | xargs) " "--color=a"

# mpiwatch-recover: options, run files and directories.
sed -i 's/mpiwatch-analyze.bash/mpiwatch-recover.bash/; s/_mpiwatch_analyze/_mpiwatch_recover/' ask
touch app.otf2.zip.run
analyze=$TOP_BUILDDIR/mpiwatch-recover
assert_equal "app.otf2.zip.run run.directory " "$(ask '' | sed 's#tmp ##')" "runs"
assert_equal "--scratch= " "$(ask --sc)" "an option of mpiwatch-recover"
