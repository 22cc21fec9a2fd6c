# Completion of mpiwatch-record for bash: its options and their values; after them the
# program and its arguments complete as they would without it.

_mpiwatch_record()
{
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local with_value=' -o --output -z --compress -e --events --format --interpose-pmpi --comms --tools
        --tools-path --pvars --pvar-when --pvar-interval --pvar-delta --pvar-keyframe --pvar-probe --pvar-array --pvar-objects --pvar-class --cvars --spool
        --max-spool --on-full --mpi --libdir '
    local options='-o --output= --force --format= -z --compress= -q --quiet -v --verbose
        -e --events= --interpose-pmpi= --comms= --no-world --mpmd --start-paused --signals --tools= --tools-path= --pvars=
        --pvar-when= --pvar-interval= --pvar-delta= --pvar-keyframe= --pvar-probe= --pvar-array= --pvar-objects= --pvar-class= --pvar-start --cvars= --spool=
        --max-spool= --on-full= --mpi= --libdir= -n --dry-run --env -? --help --usage -V --version'
    local word index

    # Past the options? Then it is the program's turn.
    for ((index = 1; index < COMP_CWORD; index++)); do
        word=${COMP_WORDS[index]}
        if [[ $word == -- ]]; then
            ((index++))
            break
        elif [[ $word == = ]]; then
            ((index++)) # "--option", "=", "value": bash splits at =
        elif [[ $word != -* ]]; then
            break
        elif [[ $with_value == *" $word "* && ${COMP_WORDS[index + 1]-} != = ]]; then
            ((index++))
        fi
    done
    if ((index < COMP_CWORD)) || [[ ${COMP_WORDS[index - 1]} == -- ]]; then
        if declare -F _command_offset >/dev/null; then
            _command_offset "$index"
        else
            mapfile -t COMPREPLY < <(compgen -c -f -- "$current")
        fi
        return
    fi

    if [[ $current == = ]]; then
        current=
    elif [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $previous in
    --format) mapfile -t COMPREPLY < <(compgen -W 'zip directory' -- "$current") ;;
    --on-full) mapfile -t COMPREPLY < <(compgen -W 'stop wrap' -- "$current") ;;
    --mpi) mapfile -t COMPREPLY < <(compgen -W 'openmpi mpich' -- "$current") ;;
    --interpose-pmpi) mapfile -t COMPREPLY < <(compgen -W 'yes no' -- "$current") ;;
    --comms) mapfile -t COMPREPLY < <(compgen -W 'all world registered' -- "$current") ;;
    -z | --compress) mapfile -t COMPREPLY < <(compgen -W '0 1 2 3 4 5 6 7 8 9' -- "$current") ;;
    -e | --events)
        mapfile -t COMPREPLY < <(compgen -W 'p2p coll comm topo rma io env type attr err info
            group conv tool all default' -- "$current")
        ;;
    --spool | --libdir) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
    -o | --output | --tools-path) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    --pvars) mapfile -t COMPREPLY < <(compgen -W 'default all none' -- "$current") ;;
    --cvars) mapfile -t COMPREPLY < <(compgen -W 'all none' -- "$current") ;;
    --pvar-when)
        mapfile -t COMPREPLY < <(compgen -W 'exit enter both calls= interval= thread= phase comm
            user' -- "$current")
        ;;
    --pvar-delta) mapfile -t COMPREPLY < <(compgen -W 'yes no' -- "$current") ;;
    --pvar-probe) mapfile -t COMPREPLY < <(compgen -W 'auto fork off' -- "$current") ;;
    --pvar-array) mapfile -t COMPREPLY < <(compgen -W 'stats sum full top:' -- "$current") ;;
    --max-spool | --tools | --pvar-interval | --pvar-keyframe | --pvar-objects | --pvar-class) ;;
    *)
        if [[ $current == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
            [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
        else
            mapfile -t COMPREPLY < <(compgen -c -f -- "$current")
        fi
        ;;
    esac
}

complete -F _mpiwatch_record mpiwatch-record
