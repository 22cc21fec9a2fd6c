# Puts the commands into a manual page, in the place of @COMMANDS@: of what a program says with
# --print-options (completions/bash.awk explains it), the first file.
BEGIN { FS = "\t" }

FNR == NR && $1 == "command" {
    gsub(/--/, "\\-\\-", $5)
    entries = entries ".TP\n.BI " $2 " \" " $4 "\"\n" $5 "\n"
}

FNR == NR { next }

$0 == "@COMMANDS@" { printf "%s", entries; next }

{ print }
