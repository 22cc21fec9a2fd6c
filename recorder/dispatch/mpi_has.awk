# Which rows of the table of calls an MPI has.
#
# Input: formats/table/calls.def, then the preprocessed mpi.h of the MPI. Output: a header
# with MWR_HAS_MPI_X 1 or 0 for every row, and an #undef of each name, since some of
# the functions are hidden behind macros of the same name.

FNR == 1 { file++ }

file == 1 && match($0, /^MW_CALL[A-Z_]*\(MPIX?, [A-Za-z0-9_]+/) {
    split(substr($0, RSTART, RLENGTH), part, /[(,] */)
    rows[++count] = part[2] "_" part[3]
}

file == 2 {
    line = $0
    while (match(line, /MPIX?_[A-Za-z0-9_]+ *\(/)) {
        name = substr(line, RSTART, RLENGTH)
        before = RSTART > 1 ? substr(line, RSTART - 1, 1) : " "
        sub(/ *\($/, "", name)
        if (before !~ /[A-Za-z0-9_]/) {
            has[name] = 1
        }
        line = substr(line, RSTART + RLENGTH)
    }
}

END {
    print "/* Made by recorder/dispatch/mpi_has.awk: which calls this MPI declares. */"
    print "#ifndef MWR_MPI_HAS_H"
    print "#define MWR_MPI_HAS_H"
    for (i = 1; i <= count; i++) {
        print "#undef " rows[i]
        print "#undef P" rows[i]
        print "#define MWR_HAS_" rows[i] " " (rows[i] in has ? 1 : 0)
    }
    print "#endif"
}
