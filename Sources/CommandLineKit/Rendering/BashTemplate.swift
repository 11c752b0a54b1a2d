/// The bash script, line by line; see `CompletionScripts` for the marks in it.
///
/// It needs no bash-completion package. Candidates may be names from elsewhere, so they are quoted
/// for the place where they go: unquoted, or inside an open quote.
let bashTemplate = #"""
    # bash completion for TOOL. Made from its table of commands; changes here are lost.

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
                kind=${row##*|}
                return
            fi
        done
    }

    # Sets "plain" to the word $1 without quoting, and "quote" to its opening quote.
    _FUNC_plain() {
        quote=''
        case $1 in
            [\"\']*)
                quote=${1:0:1}
                plain=${1:1}
                plain=${plain%"$quote"}
                ;;
            *) plain=${1//\\/} ;;
        esac
    }

    # Adds the candidate $1 if the current word can grow into it.
    _FUNC_add() {
        local word=$lead$1
        if [[ $word != "$current"* || $word == *[[:cntrl:]]* ]]; then return; fi
        word=${word#"$glued"}
        case $quote in
            \')
                word=${word//\'/\'\\\'\'}
                ;;
            \")
                word=${word//\\/\\\\}
                word=${word//\"/\\\"}
                word=${word//\$/\\\$}
                word=${word//\`/\\\`}
                ;;
            *)
                if [[ $word == *[!A-Za-z0-9_.,/:@%+=-]* ]]; then printf -v word %q "$word"; fi
                ;;
        esac
        COMPREPLY+=("$word")
    }

    # Offers the values of the kind $1 that go on from "value".
    _FUNC_offer() {
        local word rest=''
        local -a choices=()
        case $1 in
            'words '*)
                IFS=' ' read -ra choices <<<"${1#words }"
                for word in "${choices[@]}"; do _FUNC_add "$word"; done
                ;;
            'list '*)
                if [[ $value == *,* ]]; then rest=${value%,*},; fi
                IFS=' ' read -ra choices <<<"${1#list }"
                for word in "${choices[@]}"; do
                    # What follows stands alone.
                    if [[ $word == -- ]]; then
                        if [[ -n $rest ]]; then break; fi
                    elif [[ ,$rest != *",$word,"* ]]; then
                        _FUNC_add "$rest$word"
                    fi
                done
                compopt -o nospace 2>/dev/null
                ;;
            'dynamic '* | 'several '*)
                while IFS= read -r word; do
                    _FUNC_add "${word%%$'\t'*}"
                done < <(
                    command TOOL "${guides[@]}" __complete "${1#* }" -- "$value" \
                        "${operands[@]}" </dev/null 2>/dev/null
                )
                if [[ $1 == several* ]]; then compopt -o nospace 2>/dev/null; fi
                ;;
            file | directory)
                # Readline quotes file names itself, and adds the slash of a folder.
                compopt -o filenames 2>/dev/null
                while IFS= read -r word; do
                    word=$lead$word
                    COMPREPLY+=("${word#"$glued"}")
                done < <(compgen -A "$1" -- "$value" 2>/dev/null)
                ;;
        esac
    }

    # Puts together what bash split at "=" and ":": sets "words", and "glued" to the part of the
    # current word that readline will leave as it is.
    _FUNC_words() {
        local i word joins=''
        for ((i = 1; i <= COMP_CWORD; i++)); do
            word=${COMP_WORDS[i]}
            if [[ -z $word && ${COMP_LINE:0:COMP_POINT} == *[[:blank:]] ]]; then joins=''; fi
            _FUNC_plain "$word"
            glued=''
            if [[ ${#words[@]} -gt 0 && (-n $joins || $word == [=:]*) ]]; then
                glued=${words[-1]}
                words[-1]+=$plain
            else
                words+=("$plain")
            fi
            joins=''
            if [[ -n $word && $word != *[!=:]* ]]; then
                joins=1
                glued=${words[-1]}
            fi
        done
    }

    # Keeps the option $1 with the value $2 if the tool needs it to find values.
    _FUNC_note() {
        local row
        for row in "${rows[@]}"; do
            if [[ $row == "guide|$1" ]]; then guides+=("$1" "$2"); fi
        done
    }

    # Takes the finished word $1: moves on in the tree, or counts an operand.
    _FUNC_take() {
        local i row
        if [[ -n $awaiting ]]; then
            _FUNC_note "$option" "$1"
            awaiting=''
        elif [[ -z $ended && $1 == -- ]]; then
            ended=1
        elif [[ -z $ended && $1 == --* ]]; then
            if [[ $1 == *=* ]]; then
                _FUNC_note "${1%%=*}" "${1#*=}"
                return
            fi
            option=$1
            _FUNC_kind "$option"
            case $kind in
                '' | switch | optional*) ;;
                *) awaiting=$kind ;;
            esac
        elif [[ -z $ended && $1 == -?* ]]; then
            for ((i = 1; i < ${#1}; i++)); do
                option=-${1:i:1}
                _FUNC_kind "$option"
                case $kind in
                    '') break ;;
                    switch | optional*) ;;
                    *)
                        if ((i + 1 == ${#1})); then
                            awaiting=$kind
                        else
                            _FUNC_note "$option" "${1:i+1}"
                        fi
                        break
                        ;;
                esac
            done
        else
            if ((${#operands[@]} == 0)); then
                for row in "${rows[@]}"; do
                    if [[ $row == "verb|$1" ]]; then
                        place=${place:+$place }$1
                        _FUNC_rows "$place"
                        return
                    fi
                done
            fi
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
        local -a others=()
        if [[ -n $expanded ]]; then return 1; fi
        expanded=1
        while IFS= read -r other; do others+=("$other"); done < <(
            command TOOL __complete expansion -- "$1" </dev/null 2>/dev/null
        )
        if ((${#others[@]} == 0)); then return 1; fi
        for other in "${others[@]}"; do _FUNC_take "$other" || return 1; done
    }

    # Offers verbs, and values for the operand that is next.
    _FUNC_operands() {
        local row next=0 operand=${#operands[@]}
        for row in "${rows[@]}"; do
            case $row in
                'verb|'*)
                    if ((operand == 0)); then _FUNC_add "${row#*|}"; fi
                    ;;
                'operand|'* | 'operands|'*)
                    if ((next == operand)) || [[ $row == operands* && $next -lt $operand ]]; then
                        _FUNC_offer "${row#*|}"
                    fi
                    next=$((next + 1))
                    ;;
            esac
        done
    }

    _FUNC() {
        local IFS=$' \t\n'
        local -a words=() rows=() guides=() operands=()
        local plain='' quote='' glued='' kind='' awaiting='' ended='' place='' lead=''
        local current='' option='' expanded='' value word row
        COMPREPLY=()
        _FUNC_words
        if ((${#words[@]} == 0)); then return 0; fi
        current=${words[-1]}
        unset 'words[-1]'
        _FUNC_rows ''
        for word in "${words[@]}"; do
            _FUNC_take "$word" || return 0
        done
        value=$current
        if [[ -n $awaiting ]]; then
            _FUNC_offer "$awaiting"
        elif [[ -z $ended && $current == --*=* ]]; then
            lead=${current%%=*}=
            value=${current#*=}
            _FUNC_kind "${lead%=}"
            _FUNC_offer "${kind#optional }"
        elif [[ -z $ended && $current == -* ]]; then
            for row in "${rows[@]}"; do
                if [[ $row == 'flag|'* ]]; then
                    row=${row#flag|}
                    _FUNC_add "${row%%|*}"
                fi
            done
        else
            _FUNC_operands
        fi
        return 0
    }

    complete -F _FUNC TOOL
    """#.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
