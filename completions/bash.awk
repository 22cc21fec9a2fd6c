# Makes the completion of a program for bash of what `PROGRAM --print-options` says of its tables:
#
#   program  NAME  PATTERNS OF ITS FILES  "runs", of a program that runs another
#   command  NAME  SUMMARY  WORDS BEHIND IT  HELP
#   option   COMMAND  NAME  LETTER  ARGUMENT  OFFERS  HELP
#
# with tabs between; options of a program without commands have an empty COMMAND.
BEGIN { FS = "\t" }

$1 == "program" { program = $2; patterns = $3; runs = $4; next }

$1 == "command" { commands = commands " " $2; next }

{
    letter = $4 != " " ? "-" $4 : ""
    options[$2] = options[$2] (letter ? " " letter : "") " --" $3 ($5 ? "=" : "")
    if (!($2 in seen)) { seen[$2] = 1; order[++count] = $2 }
    if ($5) {
        # Words, files, directories, or nothing that is known.
        offer = $6 ? $6 : $5 ~ /\|/ ? $5 : $5 ~ /^FILES?$/ ? "-f" : $5 == "DIR" ? "-d" : "?"
        if (!$6) { gsub(/\|/, " ", offer); gsub(/:[A-Z]+/, ":", offer) }
        row[++row_count] = $3
        command_of[row_count] = $2
        letter_of[row_count] = letter
        offer_of[row_count] = offer
    } else {
        is_flag[$3] = 1
    }
}

# The lines of a case: what kind of value the option is followed by.
function print_values(    i, key, kind)
{
    for (i = 1; i <= row_count; i++) {
        # Most options mean the same to all commands.
        key = (row[i] in is_flag ? command_of[i] : "*") ":--" row[i]
        if (letter_of[i]) { key = "*:" letter_of[i] " | " key }
        if (key in known) { continue }
        known[key] = 1
        kind = offer_of[i]
        if (!(kind in keys)) { kinds[++kind_count] = kind }
        keys[kind] = keys[kind] (kind in keys && keys[kind] ? " | " : "") key
    }
    for (i = 1; i <= kind_count; i++) {
        print "    " keys[kinds[i]] ") value='" kinds[i] "' ;;"
    }
}

END {
    name = program
    gsub(/-/, "_", name)
    print "# Completion of " program " for bash, made of the program's own tables.\n"
    print "# _" name "_value COMMAND:OPTION: sets value to the kind of value that follows it, to"
    print "# nothing if it is a flag."
    print "_" name "_value()\n{\n    case $1 in"
    print_values()
    print "    *) value='' ;;\n    esac\n}\n"
    print "_" name "()\n{"
    print "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}"
    print "    local command='' options='' value='' word index"
    print "    local commands='" substr(commands, 2) (commands ? " help" : "") "'\n"
    print "    # bash splits --option=value in three."
    print "    for ((index = 1; index < COMP_CWORD; index++)); do"
    print "        word=${COMP_WORDS[index]}"
    print "        _" name "_value \"$command:$word\""
    if (runs) {
        print "        if [[ $word == -- ]]; then\n            ((index++))\n            break"
        print "        elif [[ $word != -* && $word != = ]]; then\n            break\n        fi"
    } else if (commands) {
        print "        if [[ -z $command && \" $commands \" == *\" $word \"* ]]; then"
        print "            command=$word\n        fi"
    }
    print "        if [[ ${COMP_WORDS[index + 1]} == = ]]; then"
    print "            ((index += 1 + (index + 2 < COMP_CWORD)))"
    print "        elif [[ -n $value ]]; then\n            ((index++))\n        fi"
    print "    done"
    if (runs) {
        print "    if ((index < COMP_CWORD)) || [[ ${COMP_WORDS[index - 1]} == -- ]]; then"
        print "        # The program's turn: it completes as it would without this one."
        print "        if declare -F _command_offset >/dev/null; then"
        print "            _command_offset \"$index\""
        print "        else"
        print "            mapfile -t COMPREPLY < <(compgen -c -f -- \"$current\")"
        print "        fi\n        return\n    fi"
    }
    print "    if [[ $current == = ]]; then\n        current=''"
    print "    elif [[ $previous == = ]]; then\n        previous=${COMP_WORDS[COMP_CWORD - 2]}\n    fi"
    print "    _" name "_value \"$command:$previous\""
    print "    case $value in"
    print "    -f) mapfile -t COMPREPLY < <(compgen -f -- \"$current\"); return ;;"
    print "    -d) mapfile -t COMPREPLY < <(compgen -d -- \"$current\"); return ;;"
    print "    '?') return ;;"
    print "    ?*) mapfile -t COMPREPLY < <(compgen -W \"$value\" -- \"$current\"); return ;;"
    print "    esac"
    print "    case $command in"
    for (i = 1; i <= count; i++) {
        # Without a command it is the first one's turn.
        print "    " (order[i] == "" ? "''" : i == 1 ? "'' | " order[i] : order[i]) \
            ") options='" substr(options[order[i]], 2) "' ;;"
    }
    print "    esac"
    print "    if [[ $current == -* ]]; then"
    print "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$current\")"
    print "        [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null\n        return\n    fi"
    if (runs) {
        print "    mapfile -t COMPREPLY < <(compgen -c -f -- \"$current\")"
    } else if (patterns) {
        if (commands) {
            print "    [[ -z $command ]] || commands=''"
            print "    if [[ $command == help ]]; then\n        commands='" substr(commands, 2) "'"
            print "        mapfile -t COMPREPLY < <(compgen -W \"$commands\" -- \"$current\")"
            print "        return\n    fi"
        }
        print "    mapfile -t COMPREPLY < <("
        if (commands) { print "        compgen -W \"$commands\" -- \"$current\"" }
        split(patterns, pattern, " ")
        for (i = 1; i in pattern; i++) {
            print "        compgen -f -X '!" pattern[i] "' -- \"$current\""
        }
        print "        compgen -d -- \"$current\"\n    )"
        print "    compopt -o filenames 2>/dev/null"
    }
    print "}\n\ncomplete -F _" name " " program
}
