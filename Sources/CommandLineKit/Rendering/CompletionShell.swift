/// A shell with programmable completion.
///
/// The script knows no command or option. It passes the words of the line to `TOOL __complete --
/// WORD...`, the last as far as typed, and offers the reply described at
/// `CommandLineTool.completions`. Candidates may be names from a server, so a script never
/// evaluates them and quotes them for their position.
package enum CompletionShell: String, Choice, Sendable {
    case bash, zsh, fish

    /// The file name of a tool's script in the user's folder of completions.
    package func fileName(for tool: String) -> String {
        switch self {
        case .bash: tool
        case .zsh: "_\(tool)"
        case .fish: "\(tool).fish"
        }
    }

    /// The script for a tool, as a file.
    package func script(for tool: String) -> GeneratedFile {
        let function = String(tool.map { $0 == "-" ? "_" : $0 })
        return switch self {
        case .bash: GeneratedFile(name: "\(tool).bash", contents: bashScript(tool, function))
        case .zsh: GeneratedFile(name: "_\(tool)", contents: zshScript(tool, function))
        case .fish: GeneratedFile(name: "\(tool).fish", contents: fishScript(tool, function))
        }
    }
}

/// The bash script, which needs no bash-completion package.
///
/// It parses COMP_LINE itself, since bash splits words at "=" and ":", and keeps typed text as it
/// is, so that no quote or comma is lost.
private func bashScript(_ tool: String, _ function: String) -> String {
    #"""
    # bash completion for \#(tool). Generated; changes here are lost.

    # Reads the line up to the cursor. Sets "words" without their quoting, "open" to the quote that
    # is open at the end, "start" to where readline begins to replace, and "target" if the last word
    # is that of a redirection. "ends[N]" is the place in the line after N characters of the last
    # word, and "quotes[N]" the quote that is open there.
    _\#(function)_read() {
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
    _\#(function)_add() {
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
    _\#(function)_describe() {
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
    _\#(function)_offer() {
        local typed=${words[-1]} word spelling=''
        for word in "${found[@]}"; do
            if [[ $word == "$typed"* ]]; then _\#(function)_add "$word"; fi
        done
        if [[ ${#COMPREPLY[@]} -gt 0 || $kind != [vl]* ]]; then return; fi
        for word in "${found[@]}"; do
            if [[ ${word,,} != "${typed,,}"* ]]; then continue; fi
            # Readline shortens the word to what all candidates begin with.
            spelling=${spelling:-${word:0:${#typed}}}
            if [[ $word == "$spelling"* ]]; then _\#(function)_add "$word"; fi
        done
    }

    # Offers files or folders, which readline quotes itself.
    _\#(function)_files() {
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
    _\#(function)_command() {
        local count=$lead lead='' index
        if declare -F _command_offset >/dev/null; then
            for index in "${!COMP_WORDS[@]}"; do
                if [[ ${COMP_WORDS[index]} == -- ]]; then break; fi
            done
            _command_offset $((index + 1))
        elif [[ $count == 1 ]]; then
            _\#(function)_files command
        else
            _\#(function)_files file
        fi
    }

    _\#(function)() {
        local -a words=() ends=() quotes=() found=() notes=()
        local -A seen=()
        local open='' start=0 target='' kind='' lead='' line
        COMPREPLY=()
        _\#(function)_read
        if ((${#words[@]} < 2)); then return 0; fi
        if [[ $target ]]; then
            _\#(function)_files file
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
        done < <(command \#(tool) __complete -- "${words[@]:1}" </dev/null 2>/dev/null)
        case $kind in
            '') return 0 ;;
            file | directory) _\#(function)_files "$kind" ;;
            command) _\#(function)_command ;;
            *)
                compopt -o nosort 2>/dev/null
                _\#(function)_offer
                ;;
        esac
        case $kind in
            list) compopt -o nospace 2>/dev/null ;;
            values) _\#(function)_describe ;;
        esac
        return 0
    }

    complete -F _\#(function) \#(tool)

    """#
}

/// The zsh script, which works from a folder of `fpath` and when sourced after `compinit`.
private func zshScript(_ tool: String, _ function: String) -> String {
    #"""
    #compdef \#(tool)
    # zsh completion for \#(tool). Generated; changes here are lost.

    _\#(function)() {
        local kind line name note message begun
        local -i width=0
        local -a reply names notes shown pairs layout
        local -a any_case=(-M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}')
        reply=(${(f)"$(
            command \#(tool) __complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" \
                </dev/null 2>/dev/null
        )"})
        kind=${reply[1]%% *}
        if [[ $kind == command ]]; then
            local -i count=${reply[1]#* }
            words=("${(@)words[CURRENT-count+1,-1]}")
            CURRENT=$count
            _normal
            return
        fi
        if [[ ${reply[1]} == *\ * ]]; then compset -P 1 '*='; fi
        # The list does not repeat what is typed of it; a name may have commas.
        if [[ $kind == list ]]; then begun=${(M)${(Q)PREFIX}##*,}; fi
        for line in "${(@)reply[2,-1]}"; do
            name=${line%%$'\t'*}
            note=${${line#"$name"}#$'\t'}
            if [[ -z $name ]]; then
                message=$note
                continue
            fi
            names+=("$name")
            notes+=("$note")
            pairs+=("${name//:/\\:}:$note")
            name=${name#"$begun"}
            if ((${#name} > width)); then width=${#name}; fi
            if [[ -n $note ]]; then layout=(-l); fi
        done
        for name note in "${(@)names:^notes}"; do
            name=${name#"$begun"}
            line=${note:+${(r:width:)name}  -- $note}
            shown+=("${${line:-$name}[1,COLUMNS-1]}")
        done
        if [[ -n $message ]]; then _message -r "$message"; fi
        case $kind in
            commands) _describe -V -t commands command pairs ;;
            options) _describe -o -t options option pairs ;;
            values) compadd "${any_case[@]}" -V values "${layout[@]}" -d shown -- "${names[@]}" ;;
            list)
                compadd "${any_case[@]}" -V values -S '' "${layout[@]}" -d shown -- "${names[@]}"
                ;;
            file) _files ;;
            directory) _files -/ ;;
            *) return 1 ;;
        esac
    }

    if [[ $funcstack[1] == _\#(function) ]]; then
        _\#(function) "$@"
    elif (($+functions[compdef])); then
        compdef _\#(function) \#(tool)
    fi

    """#
}

private func fishScript(_ tool: String, _ function: String) -> String {
    #"""
    # fish completion for \#(tool). Generated; changes here are lost.

    # Prints the candidates for the word under the cursor, descriptions after a TAB.
    function __\#(function)_candidates
        set -l words (commandline -opc)
        set -e words[1]
        set -l raw (commandline -ct)
        set -l current (string unescape -- $raw; or string replace -r '^["\']' '' -- $raw)
        set -l found (command \#(tool) __complete -- $words "$current" </dev/null 2>/dev/null)
        set -q found[1]
        or return
        set -l head (string split -m 1 ' ' -- $found[1]) ''
        set -e found[1]
        set -l message (string match -r '^\t.*' -- $found)
        set found (string match -v -r '^\t' -- $found)
        # fish shows no messages, so it is a line above the prompt; scripts do not see it.
        if set -q message[1]; and isatty stderr
            printf '\r\e[K%s\n' (string trim -- $message[1]) >&2
            commandline -f repaint
        end
        set -l lead $head[2]
        set -l value (string sub -s (math 1 + (string length -- $lead)) -- "$current")
        switch $head[1]
            case file
                set found (__fish_complete_path $value)
            case directory
                set found (__fish_complete_directories $value '')
            case command
                set -l line
                test $lead -gt 1
                and set line (string escape -- $words[(math 1 - $lead)..-1])
                set found (complete -C (string join -- ' ' $line "$raw"))
                set lead ''
        end
        set -q found[1]
        and printf '%s\n' $lead$found
    end

    complete -c \#(tool) -e
    complete -c \#(tool) -k -f -a '(__\#(function)_candidates)'

    """#
}
