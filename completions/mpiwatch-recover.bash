# Completion of mpiwatch-recover for bash: the options that the installed program lists,
# run files and directories.

_mpiwatch_recover()
{
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} options

    if [[ $current == = ]]; then
        current=
    elif [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $previous in
    --format) mapfile -t COMPREPLY < <(compgen -W 'zip directory' -- "$current") ;;
    -z | --compress) mapfile -t COMPREPLY < <(compgen -W '0 1 2 3 4 5 6 7 8 9' -- "$current") ;;
    --scratch) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
    -o | --output) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    *)
        if [[ $current == -* ]]; then
            options=$("${COMP_WORDS[0]}" --help 2>/dev/null |
                grep -oE '^ +(-., )? *--[a-z-]+=?' | grep -oE -- '--[a-z-]+=?|-[a-zA-Z?]')
            mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
            [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
        else
            mapfile -t COMPREPLY < <(
                compgen -f -X '!*.run' -- "$current"
                compgen -d -- "$current"
            )
            compopt -o filenames 2>/dev/null
        fi
        ;;
    esac
}

complete -F _mpiwatch_recover mpiwatch-recover
