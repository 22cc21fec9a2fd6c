# Makes the completion of a program for zsh of what `PROGRAM --print-options` says (see bash.awk).
BEGIN { FS = "\t"; quote = "'" }

# What stands between single quotes, and as _arguments wants it. (Backslashes in gsub differ
# between awks.)
function word(text,    result, i, letter)
{
    for (i = 1; i <= length(text); i++) {
        letter = substr(text, i, 1)
        result = result (letter == quote ? quote "\\" quote quote \
            : index("[]:\\", letter) ? "\\" letter : letter)
    }
    return result
}

function files(patterns,    list)
{
    list = patterns
    gsub(/ /, "|", list)
    return "_files -g \"(" list ")(-.)\" -g \"*(-/)\""
}

$1 == "program" { program = $2; patterns = $3; runs = $4; next }

$1 == "command" {
    commands = commands "        '" $2 ":" word($3) "'\n"
    next
}

{
    value = ""
    if ($5) {
        offer = $6 ? $6 : $5
        gsub(/\|/, " ", offer)
        value = ":" word($5) ":" ($6 || $5 ~ /\|/ ? "(" word(offer) ")" \
            : $5 ~ /^FILES?$/ ? "_files" : $5 == "DIR" ? "_files -/" : " ")
    }
    long = "--" $3 ($5 ? "=" : "")
    short = "-" $4
    more = $3 == "comm" || $3 == "max" || $3 == "min"
    line = $4 == " " ? "'" (more ? "*" : "") long "[" word($7) "]" value "'" \
        : "'(" short " --" $3 ")'{" short ($5 ? "+" : "") "," long "}'[" word($7) "]" value "'"
    if (!($2 in options)) { order[++count] = $2 }
    options[$2] = options[$2] " \\\n            " line
}

END {
    name = "_" program
    print "#compdef " program
    print "# Completion of " program " for zsh, made of the program's own tables.\n"
    if (!commands) {
        last = runs ? "'(-)1:program: _command_names -e' '*::arguments: _normal'" \
            : patterns ? "'*:file:" files(patterns) "'" : "'*:name: '"
        print "_arguments -s -S" options[""] " \\\n            " last
        exit
    }
    print name "() {\n    local command='' each\n    local -a commands=(\n" commands "    )"
    print "    for each in ${words[2,CURRENT-1]}; do"
    print "        if [[ $each == help || -n ${(M)commands:#$each:*} ]]; then"
    print "            command=$each\n            break\n        fi\n    done"
    print "    case $command in"
    for (i = 1; i <= count; i++) {
        print "    " (i == 1 ? "'' | " order[i] : order[i]) ")"
        if (i == 1) {
            print "        if [[ -z $command && $PREFIX != -* ]]; then"
            print "            _describe -t commands command commands"
            print "        fi"
        }
        print "        _arguments -s -S" options[order[i]] " \\\n            '*:archive:" \
            files(patterns) "'\n        ;;"
    }
    print "    help) _describe -t commands command commands ;;\n    esac\n}\n"
    print name " \"$@\""
}
