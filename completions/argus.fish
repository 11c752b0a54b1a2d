# fish completion for argus. Generated; changes here are lost.

# Prints the candidates for the word under the cursor, descriptions after a TAB.
function __argus_candidates
    set -l words (commandline -opc)
    set -e words[1]
    set -l raw (commandline -ct)
    set -l current (string unescape -- $raw; or string replace -r '^["\']' '' -- $raw)
    set -l found (command argus __complete -- $words "$current" </dev/null 2>/dev/null)
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

complete -c argus -e
complete -c argus -k -f -a '(__argus_candidates)'
