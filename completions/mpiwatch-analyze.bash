# Completion of mpiwatch-analyze for bash. Commands and options are those that the
# installed program lists itself, so that they are never out of date.

_mpiwatch_analyze()
{
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local help commands options word
    help=$("${COMP_WORDS[0]}" --help 2>/dev/null)
    commands=$(sed -n '/^Commands/,/^$/s/^  \([a-z-]*\) .*/\1/p' <<<"$help")
    options=$(grep -oE '^ +(-., )?\s*--[a-z-]+=?' <<<"$help" | grep -oE -- '-.?[a-z?-]*=?' |
        grep -oE -- '--[a-z-]+=?|-[a-zA-Z?]' | sort -u)

    if [[ $current == = ]]; then
        current=
    elif [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $previous in
    --color)
        mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$current")
        return
        ;;
    -o | --output | --png | --html | --perfetto | --chrome | --otf2)
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return
        ;;
    -j | --jobs | --rank | --comm | --name | --uid | --from | --to | --top | --bins | --max | --min | \
        --max-memory) return ;;
    esac
    if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
        [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
        return
    fi
    # A command comes once, then archives.
    for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
        if grep -qxF -- "$word" <<<"$commands"; then
            commands=
        fi
    done
    mapfile -t COMPREPLY < <(
        compgen -W "$commands" -- "$current"
        compgen -f -X '!*.otf2.zip' -- "$current"
        compgen -f -X '!*.otf2' -- "$current"
        compgen -d -- "$current"
    )
    compopt -o filenames 2>/dev/null
}

complete -F _mpiwatch_analyze mpiwatch-analyze
