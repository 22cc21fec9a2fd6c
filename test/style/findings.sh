# Helpers of the style tests, which source this file first of all. It leaves them in the
# source tree. A test calls `report` for everything it finds and ends with `finish`.

set -eu
export LC_ALL=C.UTF-8 # a line is so many characters, not bytes
TOP_BUILDDIR=$(cd "$TOP_BUILDDIR" && pwd)
cd "$TOP_SRCDIR"
findings=0

# report TEXT: every line of it is a finding; no text is none.
report() {
    [ -n "$1" ] || return 0
    printf '%s\n' "$1"
    findings=$((findings + $(printf '%s\n' "$1" | wc -l)))
}

finish() {
    [ "$findings" = 0 ] || {
        echo "$findings findings"
        exit 1
    }
}

skip() {
    echo "skipped: $*"
    exit 77
}

# sources FOLDER...: the C files below the folders.
sources() {
    find "$@" -name '*.[ch]' -type f | sort
}

# matches PATTERN FILE...: the lines that match, as FILE:LINE:TEXT.
matches() {
    grep -nHE -- "$@" || true
}
