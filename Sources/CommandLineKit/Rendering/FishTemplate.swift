/// The fish script, line by line; see `CompletionScripts` for the marks in it.
let fishTemplate = #"""
    # fish completion for TOOL. Made from its table of commands; changes here are lost.

    # Prints what may follow the command $argv[1].
    function __FUNC_rows
        set -l rows
        switch $argv[1]
    @CASES@
            case '*'
                return 1
        end
    @GLOBALS@
        printf '%s\n' $rows
    end

    # Prints the kind of the option $argv[1] by the rows after it.
    function __FUNC_kind
        set -l row (string match -- "flag|$argv[1]|*" $argv[2..-1])
        and echo (string split -m 3 '|' -- $row[1])[3]
    end

    # Prints the values of the kind $argv[1] that go on from $argv[2], with $argv[3] before each.
    # It looks at the guides and operands of its caller.
    function __FUNC_values --no-scope-shadowing
        set -l lead $argv[3]
        switch $argv[1]
            case 'words *'
                printf '%s\n' "$lead"(string split ' ' -- $argv[1])[2..-1]
            case 'list *'
                set -l begun (string match -r '.*,' -- $argv[2]; or echo '')
                set -l given (string split ',' -- $begun)
                for name in (string split ' ' -- $argv[1])[2..-1]
                    if test "$name" = --
                        # What follows stands alone.
                        test -n "$begun"
                        and break
                        continue
                    end
                    contains -- $name $given
                    or printf '%s\n' "$lead$begun$name"
                end
            case 'dynamic *' 'several *'
                set -l asked (string split ' ' -- $argv[1])[2]
                set -l found (
                    command TOOL $guides __complete $asked -- $argv[2] $operands </dev/null 2>/dev/null
                )
                set found (string match -rv '[\x00-\x08\x0b-\x1f\x7f]' -- $found)
                and printf '%s\n' "$lead"$found
            case file
                set -l found (__fish_complete_path $argv[2])
                and printf '%s\n' "$lead"$found
            case directory
                set -l found (__fish_complete_directories $argv[2] '')
                and printf '%s\n' "$lead"$found
        end
    end

    # Prints the option $argv[1] and the value $argv[2], one a line, if the rows after them say
    # that the tool needs it to find values.
    function __FUNC_note
        contains -- "guide|$argv[1]" $argv[3..-1]
        and printf '%s\n' $argv[1..2]
    end

    # Prints whether an option of the kind $argv[1] takes the next word.
    function __FUNC_awaits
        not string match -qr '^(switch|optional .*)?$' -- "$argv[1]"
    end

    # Prints the candidates for the word under the cursor, descriptions after a TAB.
    function __FUNC_candidates
        set -l rows (__FUNC_rows '')
        set -l place ''
        set -l awaiting ''
        set -l ended ''
        set -l operands
        set -l option ''
        set -l guides
        set -l expanded ''
        set -l words (commandline -opc)
        set -e words[1]
        while set -q words[1]
            set -l word $words[1]
            set -e words[1]
            if test -n "$awaiting"
                set -a guides (__FUNC_note $option $word $rows)
                set awaiting ''
            else if test -z "$ended"; and test "$word" = --
                set ended 1
            else if test -z "$ended"; and string match -qr '^--' -- $word
                set -l parts (string split -m 1 = -- $word)
                if test (count $parts) -eq 2
                    set -a guides (__FUNC_note $parts $rows)
                    continue
                end
                set option $word
                set -l kind (__FUNC_kind $option $rows)
                __FUNC_awaits $kind
                and set awaiting $kind
            else if test -z "$ended"; and string match -qr '^-.' -- $word
                set -l letters (string split '' -- $word)
                for i in (seq 2 (count $letters))
                    set option -$letters[$i]
                    set -l kind (__FUNC_kind $option $rows)
                    test -n "$kind"
                    or break
                    if __FUNC_awaits $kind
                        if test $i -eq (count $letters)
                            set awaiting $kind
                        else
                            set -l value (string sub -s (math $i + 1) -- $word)
                            set -a guides (__FUNC_note $option $value $rows)
                        end
                        break
                    end
                end
            else if not set -q operands[1]; and string match -q -- "verb|$word|*" $rows
                set place (string trim -- "$place $word")
                set rows (__FUNC_rows $place)
            else
                if test -z "$place"
                    # It may stand for other words; else it belongs to a program of its own.
                    set -l others
                    test -z "$expanded"
                    and set others (
                        command TOOL __complete expansion -- $word </dev/null 2>/dev/null
                    )
                    set -q others[1]
                    or return
                    set expanded 1
                    set words $others $words
                    continue
                end
                set -a operands $word
            end
        end

        set -l raw (commandline -ct)
        set -l current (string unescape -- $raw; or string replace -r '^["\']' '' -- $raw)
        if test -n "$awaiting"
            __FUNC_values $awaiting "$current" ''
        else if test -z "$ended"; and string match -qr '^--.*=' -- $current
            set -l parts (string split -m 1 = -- $current)
            set -l kind (__FUNC_kind $parts[1] $rows)
            set kind (string replace -r '^optional ' '' -- "$kind")
            __FUNC_values $kind "$parts[2]" $parts[1]=
        else if test -z "$ended"; and string match -qr '^-' -- $current
            string replace -rf '^flag\|([^|]*)\|[^|]*\|' '$1\t' -- $rows
        else
            __FUNC_operands
        end
    end

    # Prints verbs, and values for the operand that is next, by the variables of its caller.
    function __FUNC_operands --no-scope-shadowing
        set -l count (count $operands)
        if test $count -eq 0
            string replace -rf '^verb\|([^|]*)\|' '$1\t' -- $rows
        end
        set -l next 0
        for row in (string match -r '^operands?\|.*' -- $rows)
            set -l parts (string split -m 1 '|' -- $row)
            if test $next -eq $count
                or test $parts[1] = operands -a $next -lt $count
                __FUNC_values $parts[2] "$current" ''
            end
            set next (math $next + 1)
        end
    end

    complete -c TOOL -e
    complete -c TOOL -k -f -a '(__FUNC_candidates)'
    """#.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
