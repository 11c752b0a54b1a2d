/// The zsh script, line by line; see `CompletionScripts` for the marks in it.
///
/// It works from a folder of `fpath` and when it is sourced after `compinit`.
let zshTemplate = #"""
    #compdef TOOL
    # zsh completion for TOOL. Made from its table of commands; changes here are lost.

    # Sets "rows" to what may follow the command $1.
    _FUNC_rows() {
        rows=()
        case $1 in
    @CASES@
            *) return 1 ;;
        esac
    @GLOBALS@
    }

    # Sets "kind" to the kind of the option $1, empty if it is unknown.
    _FUNC_kind() {
        local row
        kind=''
        for row in "${rows[@]}"; do
            if [[ $row == "flag|$1|"* ]]; then
                kind=${${row#*|*|}%%|*}
                return
            fi
        done
    }

    # Offers the values of the kind $1.
    _FUNC_offer() {
        local line name note
        local -a names shown given unspaced
        case $1 in
            words\ *)
                names=(${(s: :)${1#words }})
                compadd -- "${names[@]}"
                ;;
            list\ *)
                compset -P '*,'
                names=(${(s: :)${1#list }})
                given=(${(s:,:)${IPREFIX##*=}})
                # What follows "--" stands alone.
                if ((${#given})); then names=(${names[1,(i)--]}); fi
                names=(${${names:#--}:|given})
                compadd -S '' -- "${names[@]}"
                ;;
            dynamic\ * | several\ *)
                if [[ $1 == several* ]]; then unspaced=(-S ''); fi
                for line in ${(f)"$(
                    command TOOL "${guides[@]}" __complete "${1#* }" -- "${(Q)PREFIX}" \
                        "${operands[@]}" </dev/null 2>/dev/null
                )"}; do
                    name=${line%%$'\t'*}
                    note=${${line#$name}#$'\t'}
                    if [[ -z $name || $name$note == *[[:cntrl:]]* ]]; then continue; fi
                    names+=("$name")
                    shown+=("$name${note:+  -- $note}")
                done
                compadd "${unspaced[@]}" -l -d shown -- "${names[@]}"
                ;;
            file) _files ;;
            directory) _files -/ ;;
        esac
    }

    # Keeps the option $1 with the value $2 if the tool needs it to find values.
    _FUNC_note() {
        if ((${rows[(Ie)guide|$1]})); then guides+=("$1" "$2"); fi
    }

    # Takes the finished word $1: moves on in the tree, or counts an operand.
    _FUNC_take() {
        local i
        if [[ -n $awaiting ]]; then
            _FUNC_note "$option" "$1"
            awaiting=''
        elif [[ -z $ended && $1 == -- ]]; then
            ended=1
        elif [[ -z $ended && $1 == --* ]]; then
            if [[ $1 == *=* ]]; then
                _FUNC_note "${1%%=*}" "${1#*=}"
                return 0
            fi
            option=$1
            _FUNC_kind "$option"
            case $kind in
                '' | switch | optional*) ;;
                *) awaiting=$kind ;;
            esac
        elif [[ -z $ended && $1 == -?* ]]; then
            for ((i = 2; i <= ${#1}; i++)); do
                option=-${1[i]}
                _FUNC_kind "$option"
                case $kind in
                    '') break ;;
                    switch | optional*) ;;
                    *)
                        if ((i == ${#1})); then
                            awaiting=$kind
                        else
                            _FUNC_note "$option" "${1[i+1,-1]}"
                        fi
                        break
                        ;;
                esac
            done
        elif ((${#operands} == 0)) && [[ -n ${(M)rows:#verb\|$1\|*} ]]; then
            place=${place:+$place }$1
            _FUNC_rows "$place"
        else
            if [[ -z $place ]]; then
                _FUNC_expand "$1"
                return
            fi
            operands+=("$1")
        fi
    }

    # Takes the words that the first word $1 stands for; fails where it belongs to a program of its
    # own.
    _FUNC_expand() {
        local other
        local -a others
        if [[ -n $expanded ]]; then return 1; fi
        expanded=1
        others=(${(f)"$(command TOOL __complete expansion -- "$1" </dev/null 2>/dev/null)"})
        if ((${#others} == 0)); then return 1; fi
        for other in "${others[@]}"; do _FUNC_take "$other" || return 1; done
    }

    # Offers verbs, and values for the operand that is next.
    _FUNC_operands() {
        local row next=0 operand=${#operands}
        local -a verbs
        for row in "${rows[@]}"; do
            case $row in
                verb\|*) verbs+=("${${row#verb|}/|/:}") ;;
                operand\|* | operands\|*)
                    if ((next == operand)) || [[ $row == operands* && $next -lt $operand ]]; then
                        _FUNC_offer "${row#*|}"
                    fi
                    next=$((next + 1))
                    ;;
            esac
        done
        if ((operand == 0 && ${#verbs})); then _describe -t commands command verbs; fi
    }

    _FUNC() {
        local kind='' awaiting='' ended='' place='' option='' expanded='' word row
        local -a rows flags guides operands
        _FUNC_rows ''
        for word in "${(@Q)words[2,CURRENT-1]}"; do
            _FUNC_take "$word" || return 1
        done
        if [[ -n $awaiting ]]; then
            _FUNC_offer "$awaiting"
        elif [[ -z $ended && $PREFIX == --*=* ]]; then
            _FUNC_kind "${PREFIX%%=*}"
            compset -P 1 '*='
            _FUNC_offer "${kind#optional }"
        elif [[ -z $ended && $PREFIX == -* ]]; then
            for row in "${rows[@]}"; do
                if [[ $row == flag\|* ]]; then
                    row=${row#flag|}
                    flags+=("${row%%|*}:${row#*|*|}")
                fi
            done
            _describe -o -t options option flags
        else
            _FUNC_operands
        fi
    }

    if [[ $funcstack[1] == _FUNC ]]; then
        _FUNC "$@"
    elif (($+functions[compdef])); then
        compdef _FUNC TOOL
    fi
    """#.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
