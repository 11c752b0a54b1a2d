# bash completion for argus. Generated; changes here are lost.

# Reads the line up to the cursor. Sets "words" without their quoting, "open" to the quote that
# is open at the end, "start" to where readline begins to replace, and "target" if the last word
# is that of a redirection. "ends[N]" is the place in the line after N characters of the last
# word, and "quotes[N]" the quote that is open there.
_argus_read() {
    local line=${COMP_LINE:0:COMP_POINT} place=0 char plain='' begun='' after=0
    ends=(0) quotes=('')
    for ((; place < ${#line}; place++)); do
        char=${line:place:1}
        case $open$char in
            \"\" | \'\')
                open=''
                continue
                ;;
            [\"\'])
                open=$char begun=1 start=$((place + 1))
                ends[${#plain}]=$start quotes[${#plain}]=$open
                continue
                ;;
            \\ | \"\\)
                char=${line:place+1:1}
                if [[ $open && $char != [\"\\\$\`] ]]; then
                    char=\\
                else
                    place=$((place + 1))
                fi
                if [[ -z $char ]]; then continue; fi
                ;;
            [[:space:]\<\>])
                # Digits before a redirection belong to it.
                if [[ $char == [\<\>] && $plain != *[!0-9]* ]]; then begun=''; fi
                if [[ $begun && ! $target ]]; then words+=("$plain"); fi
                if [[ $begun ]]; then target=''; fi
                if [[ $char == [\<\>] ]]; then target=1; fi
                plain='' begun='' after=$((place + 1)) ends=("$after") quotes=('')
                continue
                ;;
            ?) if [[ $COMP_WORDBREAKS == *"$char"* ]]; then after=$((place + 1)); fi ;;
        esac
        plain+=$char begun=1
        ends[${#plain}]=$((place + 1)) quotes[${#plain}]=$open
    done
    if [[ -z $open ]]; then start=$after; fi
    words+=("$plain")
}

# Adds a candidate, the line $1 of the reply, in place of the last word: what is typed of it
# stays as it is, and the rest is quoted for its place.
_argus_add() {
    local typed=${words[-1]} name=${1%%$'\t'*} rest quote place size
    size=${#typed}
    while [[ ${name:0:size} != "${typed:0:size}" ]]; do size=$((size - 1)); done
    place=${ends[size]} quote=${quotes[size]} rest=${name:size}
    if ((place < start)) || [[ ${seen[$name]} ]]; then return; fi
    seen[$name]=1
    case $quote in
        \') rest=${rest//\'/\'\\\'\'} ;;
        \")
            rest=${rest//\\/\\\\}
            rest=${rest//\"/\\\"}
            rest=${rest//\$/\\\$}
            rest=${rest//\`/\\\`}
            ;;
        *) if [[ $rest == *[!A-Za-z0-9_.,/:@%+=-]* ]]; then printf -v rest %q "$rest"; fi ;;
    esac
    # Readline closes a quote that is open at the end of the line.
    if [[ -z $open ]]; then rest+=$quote; fi
    COMPREPLY+=("${COMP_LINE:start:place-start}$rest")
    notes+=("${1#*$'\t'}")
}

# Shows descriptions beside the candidates, where readline lists these and inserts none of them.
_argus_describe() {
    local index word width=0
    if [[ $COMP_TYPE == 37 || $COMP_TYPE == 42 || $open ]]; then return; fi
    if ((${#COMPREPLY[@]} < 2)); then return; fi
    for word in "${COMPREPLY[@]}"; do if ((${#word} > width)); then width=${#word}; fi; done
    for index in "${!COMPREPLY[@]}"; do
        if [[ -z ${notes[index]} ]]; then continue; fi
        printf -v word '%*s' $((width - ${#COMPREPLY[index]})) ''
        word=${COMPREPLY[index]}$word'  -- '${notes[index]}
        COMPREPLY[index]=${word:0:${COLUMNS:-80} - 1}
    done
}

# Adds the candidates that continue the last word: those that are spelt as it is typed, and if
# there is none, values in another case.
_argus_offer() {
    local typed=${words[-1]} word spelling=''
    for word in "${found[@]}"; do
        if [[ $word == "$typed"* ]]; then _argus_add "$word"; fi
    done
    if [[ ${#COMPREPLY[@]} -gt 0 || $kind != [vl]* ]]; then return; fi
    for word in "${found[@]}"; do
        if [[ ${word,,} != "${typed,,}"* ]]; then continue; fi
        # Readline shortens the word to what all candidates begin with.
        spelling=${spelling:-${word:0:${#typed}}}
        if [[ $word == "$spelling"* ]]; then _argus_add "$word"; fi
    done
}

# Offers files or folders, which readline quotes itself.
_argus_files() {
    local typed=${words[-1]} size path
    size=${#typed}
    while ((size > 0 && ends[size - 1] >= start)); do size=$((size - 1)); done
    compopt -o filenames 2>/dev/null
    while IFS= read -r path; do
        path=$lead$path
        COMPREPLY+=("${path:size}")
    done < <(compgen -A "$1" -- "${typed#"$lead"}" 2>/dev/null)
}

# Offers a program, or what the rest of its command line may be if bash-completion is loaded.
_argus_command() {
    local count=$lead lead='' index
    if declare -F _command_offset >/dev/null; then
        for index in "${!COMP_WORDS[@]}"; do
            if [[ ${COMP_WORDS[index]} == -- ]]; then break; fi
        done
        _command_offset $((index + 1))
    elif [[ $count == 1 ]]; then
        _argus_files command
    else
        _argus_files file
    fi
}

_argus() {
    local -a words=() ends=() quotes=() found=() notes=()
    local -A seen=()
    local open='' start=0 target='' kind='' lead='' line
    COMPREPLY=()
    _argus_read
    if ((${#words[@]} < 2)); then return 0; fi
    if [[ $target ]]; then
        _argus_files file
        return 0
    fi
    while IFS= read -r line; do
        if [[ -z $kind ]]; then
            kind=${line%% *}
            lead=${line#"$kind"}
            lead=${lead# }
        elif [[ $line != $'\t'* ]]; then
            if [[ $line != *$'\t'* ]]; then line+=$'\t'; fi
            found+=("$lead$line")
        fi
    done < <(command argus __complete -- "${words[@]:1}" </dev/null 2>/dev/null)
    case $kind in
        '') return 0 ;;
        file | directory) _argus_files "$kind" ;;
        command) _argus_command ;;
        *)
            compopt -o nosort 2>/dev/null
            _argus_offer
            ;;
    esac
    case $kind in
        list) compopt -o nospace 2>/dev/null ;;
        values) _argus_describe ;;
    esac
    return 0
}

complete -F _argus argus
