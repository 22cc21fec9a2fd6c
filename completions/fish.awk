# Makes the completion of a program for fish of what `PROGRAM --print-options` says (see bash.awk).
BEGIN { FS = "\t" }

# What stands between single quotes. (Backslashes in gsub differ between awks.)
function word(text,    result, i, letter)
{
    for (i = 1; i <= length(text); i++) {
        letter = substr(text, i, 1)
        result = result (letter == "'" || letter == "\\" ? "\\" : "") letter
    }
    return "'" result "'"
}

$1 == "program" { program = $2; patterns = $3; runs = $4; name = "__" $2; gsub(/-/, "_", name); next }

$1 == "command" {
    commands = commands " " $2
    summaries = summaries "complete -c " program " -n '" name "_is none help' -f -a " $2 " -d " \
        word($3) "\n"
    next
}

{
    # One line for all commands that take it alike; without a command it is the first one's turn.
    row = $3 FS $4 FS $5 FS $6 FS $7
    if (!(row in takers)) {
        order[++count] = row
        takers[row] = commands == " " $2 ? " none" : ""
    }
    takers[row] = takers[row] " " $2
    if (!$5) { is_flag[$3] = 1 }
}

# The values of an option: words, files, directories, or what is not known.
function offers(argument, known,    list)
{
    list = known ? known : argument
    if (known || argument ~ /\|/) {
        gsub(/[|]/, " ", list)
        return " -x -a " word(list)
    }
    return argument ~ /^FILES?$/ ? " -r -F" \
        : argument == "DIR" ? " -x -a '(__fish_complete_directories)'" : argument ? " -x" : ""
}

END {
    print "# Completion of " program " for fish, made of the program's own tables.\n"
    for (i = 1; i <= count; i++) {
        split(order[i], field, FS)
        if (field[3] && !(field[1] in is_flag)) {
            valued = valued " --" field[1] (field[2] != " " ? " -" field[2] : "")
        }
    }
    print "# The words before the cursor that are no options and none's value."
    print "function " name "_words"
    print "    set -l is_value no"
    print "    for word in (commandline -opc)[2..]"
    print "        if test $is_value = yes"
    print "            set is_value no"
    print "        else if contains -- $word" valued
    print "            set is_value yes"
    print "        else if not string match -q -- '-*' $word"
    print "            echo $word"
    print "        end"
    print "    end"
    print "end\n"
    print "# Whether the command is one of these; none: there is no command yet."
    print "function " name "_is"
    print "    for word in (" name "_words)"
    print "        if contains -- $word help" commands
    print "            contains -- $word $argv"
    print "            return"
    print "        end"
    print "    end"
    print "    contains none $argv"
    print "end\n"
    print "complete -c " program " -f"
    printf "%s", summaries
    if (commands) {
        print "complete -c " program " -n '" name "_is none' -f -a help"
    }
    for (i = 1; i <= count; i++) {
        split(order[i], field, FS)
        print "complete -c " program (commands ? " -n '" name "_is" takers[order[i]] "'" \
            : runs ? " -n 'not " name "_words | string length -q'" : "") \
            " -l " field[1] (field[2] != " " ? " -s " field[2] : "") offers(field[3], field[4]) \
            " -d " word(field[5])
    }
    if (runs) {
        # The program's turn: it completes as it would without this one. (- stands before the
        # options with values, of which the first long ones would be lost.)
        print "complete -c " program " -x -a '(__fish_complete_subcommand -" valued ")'"
    } else if (patterns) {
        globs = patterns
        gsub(/[*]/, "$word*", globs)
        print "\nfunction " name "_files\n    set -l word (commandline -ct)"
        print "    for file in $word*/ " globs
        print "        echo $file\n    end\nend"
        print "complete -c " program (commands ? " -n 'not " name "_is help'" : "") " -f -a '(" \
            name "_files)'"
    }
}
