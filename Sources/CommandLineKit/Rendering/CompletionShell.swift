/// A shell with programmable completion.
///
/// Its script knows no command and no option. It passes the words of the line to
/// `TOOL __complete -- WORD...`, the last as far as it is typed, and offers the reply, which
/// `CommandLineTool.completions` describes. Candidates may be names from a server: a script never
/// evaluates them, and quotes them for the place where they go.
package enum CompletionShell: String, Choice, Sendable {
    case bash, zsh, fish

    /// The script for a tool, under the name that the shell looks for.
    package func script(for tool: String) -> GeneratedFile {
        let function = String(tool.map { $0 == "-" ? "_" : $0 })
        return switch self {
        case .bash: GeneratedFile(name: "\(tool).bash", contents: bashScript(tool, function))
        case .zsh: GeneratedFile(name: "_\(tool)", contents: zshScript(tool, function))
        case .fish: GeneratedFile(name: "\(tool).fish", contents: fishScript(tool, function))
        }
    }
}

/// Needs no bash-completion package.
private func bashScript(_ tool: String, _ function: String) -> String {
    #"""
    # bash completion for \#(tool). Generated; changes here are lost.

    # Sets "plain" to the word $1 without quoting, and "quote" to its opening quote.
    _\#(function)_plain() {
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
    _\#(function)_words() {
        local i word joins=''
        for ((i = 1; i <= COMP_CWORD; i++)); do
            word=${COMP_WORDS[i]}
            if [[ -z $word && ${COMP_LINE:0:COMP_POINT} == *[[:blank:]] ]]; then joins=''; fi
            _\#(function)_plain "$word"
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
    _\#(function)_add() {
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

    _\#(function)() {
        local -a words=()
        local plain='' quote='' glued='' kind='' lead='' word
        COMPREPLY=()
        _\#(function)_words
        if ((${#words[@]} == 0)); then return 0; fi
        while IFS= read -r word; do
            if [[ -z $kind ]]; then
                kind=${word%% *}
                lead=${word#"$kind"}
                lead=${lead# }
            else
                _\#(function)_add "$lead${word%%$'\t'*}"
            fi
        done < <(command \#(tool) __complete -- "${words[@]}" </dev/null 2>/dev/null)
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

    complete -F _\#(function) \#(tool)

    """#
}

/// Works from a folder of `fpath`, and when it is sourced after `compinit`.
private func zshScript(_ tool: String, _ function: String) -> String {
    #"""
    #compdef \#(tool)
    # zsh completion for \#(tool). Generated; changes here are lost.

    _\#(function)() {
        local kind line name note
        local -a reply names shown pairs layout
        reply=(${(f)"$(
            command \#(tool) __complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" \
                </dev/null 2>/dev/null
        )"})
        kind=${reply[1]%% *}
        if [[ ${reply[1]} == *\ * ]]; then compset -P 1 '*='; fi
        for line in "${(@)reply[2,-1]}"; do
            name=${line%%$'\t'*}
            note=${${line#"$name"}#$'\t'}
            names+=("$name")
            pairs+=("${name//:/\\:}:$note")
            if [[ $kind == list ]]; then name=${name##*,}; fi
            shown+=("$name${note:+  -- $note}")
            if [[ -n $note ]]; then layout=(-l); fi
        done
        case $kind in
            commands) _describe -t commands command pairs ;;
            options) _describe -o -t options option pairs ;;
            values) compadd "${layout[@]}" -d shown -- "${names[@]}" ;;
            list) compadd -S '' "${layout[@]}" -d shown -- "${names[@]}" ;;
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
        set -l lead $head[2]
        set -l value (string sub -s (math 1 + (string length -- $lead)) -- "$current")
        switch $head[1]
            case file
                set found (__fish_complete_path $value)
            case directory
                set found (__fish_complete_directories $value '')
        end
        set -q found[1]
        and printf '%s\n' $lead$found
    end

    complete -c \#(tool) -e
    complete -c \#(tool) -k -f -a '(__\#(function)_candidates)'

    """#
}
