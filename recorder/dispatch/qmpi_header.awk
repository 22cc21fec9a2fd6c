# The part of qmpi.h that differs between MPIs: qmpi_openmpi.h, qmpi_mpich.h.
#
# Input: formats/table/calls.def, then the preprocessed mpi.h of the MPI (declared.awk reads it,
# too). Output: the enumeration of functions, or the numbers that the MPI's own lacks; QMPI_X_t of every
# function that the MPI has and declares none for; QMPI_EACH_CALL; and with QMPI_PROPOSAL the types as
# that has them, and MPIWATCH_QMPI_EACH_PROPOSED with parameters and arguments of both forms.

FILENAME ~ /\.def$/ {
    if (row == "" && $0 !~ /^MW_CALL[A-Z_]*\(/) {
        next
    }
    line = $0
    sub(/^ +/, "", line)
    row = row (row == "" ? "" : " ") line
    if (parentheses(row) == 0) {
        take_row(row)
        row = ""
    }
}

FILENAME ~ /\.i$/ {
    line = $0
    while (match(line, /Q?MPIX?_[A-Za-z0-9_]+/)) {
        has[substr(line, RSTART, RLENGTH)] = 1
        line = substr(line, RSTART + RLENGTH)
    }
    if ($0 ~ /QMPI_Register_function *\( *int [a-z_]+, *int/) {
        takes_int = 1
    }
}

# Opened and not closed.
function parentheses(text) {
    return gsub(/\(/, "(", text) - gsub(/\)/, ")", text)
}

# Before the first comma of rest, which loses it.
function next_field(   field, at) {
    at = index(rest, ",")
    field = at ? substr(rest, 1, at - 1) : rest
    rest = at ? substr(rest, at + 1) : ""
    gsub(/^ +| +$/, "", field)
    return field
}

# What the first pair of parentheses in text holds.
function first_group(text,   depth, i, c, from) {
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        if (c == "(" && depth++ == 0) {
            from = i + 1
        } else if (c == ")" && --depth == 0) {
            after = substr(text, i + 1)
            return substr(text, from, i - from)
        }
    }
    return ""
}

function take_row(text) {
    count++
    rest = substr(text, index(text, "(") + 1)
    prefix[count] = next_field()
    name[count] = next_field()
    upper[count] = next_field() "_T"
    type[count] = next_field()
    next_field()
    sub(/^ *[A-Z_]+(\([^)]*\))?,? */, "", rest) # the kind
    # Types that MPI 3 removed have successors that are the same types.
    gsub(/MPI_Handler_function/, "MPI_Comm_errhandler_function", rest)
    params[count] = first_group(rest)
    args[count] = first_group(after)
    sub(/\)+ *$/, "", type[count])
}

# Prints text in lines of 96 columns, broken at blanks, each but the last with end.
function wrap(text, indent, end,   at) {
    while (length(text) > 96 - length(end)) {
        at = 96 - length(end)
        while (substr(text, at, 1) != " ") {
            at--
        }
        print substr(text, 1, at - 1) end
        text = indent substr(text, at + 1)
    }
    printf "%s", text
}

# The parameters of row i as this MPI declares them.
function as_declared(i) {
    gsub("MW_CONST_" prefix[i] "_" name[i] " *", const_of(prefix[i] "_" name[i]) " ", params[i])
    gsub(/^ +/, "", params[i])
    gsub(/,  +/, ", ", params[i])
}

function is_there(i) {
    return (prefix[i] "_" name[i]) in has
}

function print_numbers(   i, last) {
    if ("MPI_LAST_FUNC_T" in has) {
        print "/* Functions for which mpi.h has no number. */"
        for (i = 1; i <= count; i++) {
            if (is_there(i) && !(upper[i] in has)) {
                print "#define " upper[i] " ((enum QMPI_Functions_enum)(MPI_LAST_FUNC_T + " \
                    last++ "))"
            }
        }
        print "\n/* All numbers are below. */"
        print "#define MPIWATCH_QMPI_COUNT (MPI_LAST_FUNC_T + " last + 0 ")\n"
        return
    }
    print "enum QMPI_Functions_enum {"
    for (i = 1; i <= count; i++) {
        if (is_there(i)) {
            print "    " upper[i] ","
        }
    }
    print "    MPI_LAST_FUNC_T\n};\n\n#define MPIWATCH_QMPI_COUNT MPI_LAST_FUNC_T\n"
}

function print_types(   i) {
    for (i = 1; i <= count; i++) {
        if (is_there(i) && !(("Q" prefix[i] "_" name[i] "_t") in has)) {
            wrap("typedef " type[i] " (Q" prefix[i] "_" name[i] "_t)(QMPI_Context context, " \
                "int tool_id" (params[i] == "" ? "" : ", " params[i]) ");", "    ", "")
            print ""
        }
    }
}

function print_rows(   i) {
    print "\n/* See qmpi(7). */\n#define QMPI_EACH_CALL(CALL) \\"
    for (i = 1; i <= count; i++) {
        if (is_there(i)) {
            wrap("    CALL(" prefix[i] ", " name[i] ", " upper[i] ", " type[i] ", " \
                "(QMPI_Context context, int tool_id" (params[i] == "" ? "" : ", " params[i]) \
                "), (context, tool_id" (args[i] == "" ? "" : ", " args[i]) "))", "        ", " \\")
            print " \\"
        }
    }
    print ""
}

# The form of the proposal: the same without the tool's id.
function print_proposal(   i, own) {
    print "\n#ifdef QMPI_PROPOSAL"
    for (i = 1; i <= count; i++) {
        if (is_there(i)) {
            own = "mpiwatch_proposed_" prefix[i] "_" name[i] "_t"
            wrap("typedef " type[i] " (" own ")(QMPI_Context context" \
                (params[i] == "" ? "" : ", " params[i]) ");", "    ", "")
            print "\n#define Q" prefix[i] "_" name[i] "_t " own
        }
    }
    print "\n#define MPIWATCH_QMPI_EACH_PROPOSED(CALL) \\"
    for (i = 1; i <= count; i++) {
        if (is_there(i)) {
            wrap("    CALL(" prefix[i] ", " name[i] ", " upper[i] ", " type[i] ", " \
                "(QMPI_Context context, int tool_id" (params[i] == "" ? "" : ", " params[i]) \
                "), (context, tool_id" (args[i] == "" ? "" : ", " args[i]) "), " \
                "(QMPI_Context context" (params[i] == "" ? "" : ", " params[i]) \
                "), (context" (args[i] == "" ? "" : ", " args[i]) "))", "        ", " \\")
            print " \\"
        }
    }
    print "\n#endif"
}

END {
    for (i = 1; i <= count; i++) {
        as_declared(i)
    }
    print "/* Made by recorder/dispatch/qmpi_header.awk; part of qmpi.h, not to be used alone. */\n"
    print "#define MPIWATCH_QMPI_NUMBER " (takes_int ? "int" : "enum QMPI_Functions_enum") "\n"
    print_numbers()
    print_types()
    print_rows()
    print_proposal()
}
