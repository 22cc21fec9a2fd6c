# What an MPI's header declares: declared["MPI_X"] is the text of the parameters of every
# function, up to the first ")".
#
# The preprocessed mpi.h is FILE.i. Shared by the scripts that make headers from it and from the
# table of calls.

FILENAME ~ /\.i$/ {
    collect($0)
}

function collect(line,   name, before) {
    if (unfinished != "") {
        line = parameters(unfinished, line)
    }
    while (match(line, /MPIX?_[A-Za-z0-9_]+ *\(/)) {
        name = substr(line, RSTART, RLENGTH)
        before = RSTART > 1 ? substr(line, RSTART - 1, 1) : " "
        line = substr(line, RSTART + RLENGTH)
        sub(/ *\($/, "", name)
        if (before !~ /[A-Za-z0-9_]/) {
            declared[name] = ""
            line = parameters(name, line)
        }
    }
}

# Takes what belongs to name, and returns what is left of the line. A declaration may go on in
# the next line.
function parameters(name, line,   end) {
    end = index(line, ")")
    unfinished = end ? "" : name
    declared[name] = declared[name] " " (end ? substr(line, 1, end - 1) : line)
    return end ? substr(line, end + 1) : ""
}

# A header may have const where another has none; calls.def then says MW_CONST_ with the
# function's name.
function const_of(name) {
    return declared[name] ~ /(^|[^A-Za-z0-9_])const[^A-Za-z0-9_]/ ? "const" : ""
}
