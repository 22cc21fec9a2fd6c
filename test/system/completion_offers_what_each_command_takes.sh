# Completion in bash offers exactly the options that --help of the program or of the command
# lists, their values where these are known, and the files that the program is for; so does that
# in fish, where there is fish, and zsh reads what is made for it, where there is zsh.
. "$TOP_SRCDIR/test/system/lib.sh"

cat >ask <<'SCRIPT'
. "$1"
program=$2
shift 2
COMP_WORDS=("$program" "$@")
COMP_CWORD=$#
"_${program//-/_}"
printf '%s\n' "${COMPREPLY[@]}"
SCRIPT
# ask PROGRAM WORD...: what the shell offers for the last word.
ask() {
    if [ "$shell" = bash ]; then
        bash ask "$TOP_BUILDDIR/completions/$1.bash" "$@"
    else
        ask_fish "$@"
    fi
}
# fish offers options without the = behind them, values with their option, directories with a /.
ask_fish() {
    local line="$*"
    HOME=$TMPDIR fish --no-config -c "source '$TOP_BUILDDIR/completions/$1.fish'
        complete -C '${line// = /=}'" | cut -f1 | sed -E 's/^--[a-z]+=//; s,/$,,'
}
# options_of PROGRAM [COMMAND]: those that --help lists, a line each: "-o", "--output=".
options_of() {
    "$TOP_BUILDDIR/$1" ${2:+"$2"} --help | grep -E '^ +(-., )? *--' |
        sed -E 's/^ +((-.), )? *(--[a-z0-9-]+)(=)?.*/\2\n\3\4/' | grep . |
        if [ "$shell" = bash ]; then cat; else tr -d =; fi | sort
}

programs="mpiwatch-analyze mpiwatch-record mpiwatch-recover mpiwatch-top mpiwatch-vars"
[ ! -x "$TOP_BUILDDIR/mpiwatch-view" ] || programs="$programs mpiwatch-view"
mkdir run.directory
touch app.otf2.zip traces.otf2 notes.txt app.otf2.zip.run

offers_what_help_lists() {
    local program command commands
    for program in $programs; do
        commands=$("$TOP_BUILDDIR/$program" --help |
            sed -n '/^Commands/,/^$/s/^  \([a-z-]*\) .*/\1/p' | grep -v '^help$') || true
        for command in ${commands:-''}; do
            [ "$command" != "''" ] || command=
            [ "$(options_of "$program" $command | wc -l)" -ge 5 ] || fail "$program $command: few"
            assert_equal "$(options_of "$program" $command)" \
                "$(ask "$program" ${command:+"$command"} - | sort)" "options of $program $command"
        done
    done
    # Without a command it is that of report, the default.
    assert_equal "$(options_of mpiwatch-analyze report)" \
        "$(ask mpiwatch-analyze - | sort)" "no command"

    # The command is found behind options and their values, and not in a value.
    assert_contains "$(ask mpiwatch-analyze --quiet -o calls waits --to)" "--top"
    assert_contains "$(ask mpiwatch-analyze --output = calls waits --to)" "--top"
    assert_equal "" "$(ask mpiwatch-analyze messages --to)" "an option of others"
    assert_equal "critical-path" "$(ask mpiwatch-analyze cr)" "a command"
    assert_equal "timeline" "$(ask mpiwatch-analyze help ti)" "help of a command"
    assert_contains "$(ask mpiwatch-analyze '')" "info"
    assert_equal "app.otf2.zip run.directory tmp traces.otf2" \
        "$(ask mpiwatch-analyze info '' | sort | xargs)" "after a command"
    assert_equal "app.otf2.zip.run run.directory tmp" \
        "$(ask mpiwatch-recover '' | sort | xargs)" "runs"
    assert_equal "always auto never" \
        "$(ask mpiwatch-analyze --color = '' | sort | xargs)" "--color="
    assert_equal "notes.txt" "$(ask mpiwatch-analyze calls -o no)" "a file"
    assert_equal "run.directory tmp" \
        "$(ask mpiwatch-analyze export --csv '' | sort | xargs)" "tables"
    assert_contains "$(ask mpiwatch-analyze calls --csv '')" "app.otf2.zip"
    assert_equal "openmpi" "$(ask mpiwatch-vars --mpi o)" "--mpi o"
}

for shell in bash fish; do
    if [ "$shell" = bash ] || command -v fish >/dev/null; then
        offers_what_help_lists
    fi
done

if command -v zsh >/dev/null; then
    for program in $programs; do
        zsh -n "$TOP_BUILDDIR/completions/_$program" || fail "zsh does not read _$program"
    done
fi
