# Which rows of the table of calls an MPI has.
#
# Input: formats/table/calls.def, then the preprocessed mpi.h of the MPI (declared.awk reads it).
# Output: a header with MWR_HAS_MPI_X 1 or 0 for every row, an #undef of each name, since some
# of the functions are hidden behind macros of the same name, and MW_CONST_MPI_X, which is const
# or nothing, of every row that names it.

FILENAME ~ /\.def$/ && match($0, /^MW_CALL[A-Z_]*\(MPIX?, [A-Za-z0-9_]+/) {
    split(substr($0, RSTART, RLENGTH), part, /[(,] */)
    rows[++count] = part[2] "_" part[3]
}

FILENAME ~ /\.def$/ && match($0, /MW_CONST_[A-Za-z0-9_]+/) {
    differs[substr($0, RSTART + 9, RLENGTH - 9)] = 1
}

END {
    print "/* Made by recorder/dispatch/mpi_has.awk: which calls this MPI declares. */"
    print "#ifndef MWR_MPI_HAS_H"
    print "#define MWR_MPI_HAS_H"
    for (i = 1; i <= count; i++) {
        print "#undef " rows[i]
        print "#undef P" rows[i]
        print "#define MWR_HAS_" rows[i] " " (rows[i] in declared ? 1 : 0)
    }
    for (name in differs) {
        print "#define MW_CONST_" name " " const_of(name)
    }
    print "#endif"
}
