# Completion for ./run in bash: `source docs/completion.bash`, here or from ~/.bashrc. In zsh, first
# `autoload -U bashcompinit && bashcompinit`.
#
# Verbs, options and devices are those that ./run itself names, so that this file knows none of them.

# Which words may stand for a step: the numbers of the files in steps/.
_apodkit_steps() {
    ls "$1/steps" 2>/dev/null | sed -n 's/^step\([0-9]*\)_.*\.cu$/\1/p'
}

_apodkit_recorded() {
    ls "$1/docs/runs" "$1/results" 2>/dev/null | sed -n 's/\.json$//p'
}

_apodkit() {
    local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local kit=${program%/*} help verb='' words=''
    # bash makes three words of --sim=NAME.
    [ "$word" = = ] && word=''
    [ "$before" = = ] && before=${COMP_WORDS[COMP_CWORD - 2]}=
    [ "${COMP_WORDS[COMP_CWORD]}" = = ] && before+==
    [ -e "$kit/steps/step.h" ] || return # a program of that name that is not the kit's
    help=$("$program" --help 2>/dev/null) || return
    local verbs=$(sed -n '/^Verbs/,/^$/s/^  \([a-z]*\) .*/\1/p' <<<"$help")
    if [ "$COMP_CWORD" -gt 1 ] && grep -qx -- "${COMP_WORDS[1]}" <<<"$verbs"; then
        verb=${COMP_WORDS[1]}
        help=$("$program" "$verb" --help 2>/dev/null)
    fi
    case $before in
    --sim=) words=$("$program" --sim=list | sed -n '2,$s/ .*//p') words+=' list' ;;
    --color) words='auto always never' ;;
    --baseline | --recorded) words=$(_apodkit_recorded "$kit") ;;
    --metrics) words=$("$program" metrics | sed -n 's/^  \([a-z][a-z0-9_]*\) .*/\1/p') ;;
    --json | --csv | --chrome) ;; # a file
    -n | --reps | --timeout | --device | --save | --arch | --chip | --block | --registers | --shared) return ;;
    *)
        case $word in
        -*) words=$(grep -o -e '--[a-z][a-z-]*' -e '^  -[a-z]' <<<"$help" | tr -d ' ' | sort -u) ;;
        *)
            words=$(_apodkit_steps "$kit")
            [ "$COMP_CWORD" -gt 1 ] || words+=" $verbs"
            case $verb in
            compare | export) words=$(_apodkit_recorded "$kit") ;;
            history | metrics) words='' ;;
            sweep) words+=' n= TILE= ROWS=' ;;
            esac
            ;;
        esac
        ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}

complete -o default -F _apodkit run
