# Completion for ./run in bash: `source docs/completion.bash`, here or from ~/.bashrc. In zsh, first
# `autoload -U compinit bashcompinit && compinit && bashcompinit`.
#
# ./run --complete says what may follow, so that this file knows of no verb, option or run. Nothing that it says is
# expanded.

_apodkit() {
    local program=${COMP_WORDS[0]} candidate candidates
    COMPREPLY=()
    [ -e "${program%/*}/steps/step.h" ] || return # a program of that name that is not the kit's
    candidates=$("$program" --complete "${COMP_WORDS[@]:1:$COMP_CWORD}" 2>/dev/null) || return
    while IFS= read -r candidate; do
        [ -z "$candidate" ] || COMPREPLY+=("$(printf %q "$candidate")")
    done <<<"$candidates"
}

complete -o default -F _apodkit run
