# bash completion for argus. Generated; changes here are lost.

# Sets "plain" to the word $1 without quoting, and "quote" to its opening quote.
_argus_plain() {
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

# Joins the words that bash split at "=" and ":": sets "words", and "glued" to the part of the
# current word that readline leaves as it is.
_argus_words() {
    local i word joins=''
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ -z $word && ${COMP_LINE:0:COMP_POINT} == *[[:blank:]] ]]; then joins=''; fi
        _argus_plain "$word"
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

# Adds the candidate $1 if the current word can grow into it.
_argus_add() {
    local word=$1
    if [[ $word != "${words[-1]}"* ]]; then return; fi
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

_argus() {
    local -a words=()
    local plain='' quote='' glued='' kind='' lead='' word
    COMPREPLY=()
    _argus_words
    if ((${#words[@]} == 0)); then return 0; fi
    while IFS= read -r word; do
        if [[ -z $kind ]]; then
            kind=${word%% *}
            lead=${word#"$kind"}
            lead=${lead# }
        else
            _argus_add "$lead${word%%$'\t'*}"
        fi
    done < <(command argus __complete -- "${words[@]}" </dev/null 2>/dev/null)
    case $kind in
        list) compopt -o nospace 2>/dev/null ;;
        file | directory)
            # Readline quotes file names itself, and adds the slash of a folder.
            compopt -o filenames 2>/dev/null
            while IFS= read -r word; do
                word=$lead$word
                COMPREPLY+=("${word#"$glued"}")
            done < <(compgen -A "$kind" -- "${words[-1]#"$lead"}" 2>/dev/null)
            ;;
    esac
    return 0
}

complete -F _argus argus
