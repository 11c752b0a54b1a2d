import ArgusTestSupport
import Testing

@testable import CommandLineKit

/// Real shells with the scripts of the toy, and a `toy` in PATH that knows the replies to the lines
/// of these tests.
@Suite struct CompletionScriptTests {
    let folder: ScratchFolder
    let files: [CompletionShell: String]
    let environment: [String: String]

    init() throws {
        folder = try ScratchFolder()
        var files: [CompletionShell: String] = [:]
        for shell in CompletionShell.allCases {
            let script = shell.script(for: "toy")
            files[shell] = try folder.write(script.contents, to: script.name)
        }
        self.files = files
        let lines =
            Self.lines.map(\.0) + Self.quotedLines.map(\.0) + Self.fishLines + Self.otherLines
            + ["toy lamp show -o \(folder.path)/toy.f"]
        var replies: [[String]: String] = [:]
        for line in lines {
            // A blank at the end begins a word.
            let words = shellCommands(line).first.map { Array($0.dropFirst()) } ?? []
            let typed = words + (line.hasSuffix(" ") ? [""] : [])
            replies[typed] = Toy.completions(of: typed)
        }
        let cases = replies.map { words, reply in
            "\(quoted((["__complete", "--"] + words).map { $0 + "|" }.joined())))\n"
                + "printf %s \(quoted(reply)) ;;\n"
        }
        // Noise on stderr and a failing status must never reach the user's line.
        let toy = """
            #!/bin/sh
            echo noise >&2
            words=$(printf '%s|' "$@")
            case $words in
            \(cases.joined())
            *) echo "$words" >>\(folder.path)/unexpected ;;
            esac
            exit 3
            """
        _ = try folder.write(toy, to: "toy", mode: 0o700)
        environment = ["PATH": "\(folder.path):/usr/bin:/bin", "TERM": "dumb", "LC_ALL": "C.UTF-8"]
    }

    /// The lines that the shells passed to the toy, and that no test foresees.
    private func unexpectedLines() throws -> String {
        try run(["sh", "-c", "cat \(folder.path)/unexpected 2>/dev/null"]).output
    }

    /// What a line becomes when TAB is pressed at its end, where the shells agree.
    static let lines = [
        ("toy la", "toy lamp "), ("toy -v la", "toy -v lamp "),
        ("toy -s home lamp s", "toy -s home lamp show "),
        ("toy --server=home lamp s", "toy --server=home lamp show "),
        ("toy -sh lamp l", "toy -sh lamp list "), ("toy -vsh lamp l", "toy -vsh lamp list "),
        ("toy lamp list --fol", "toy lamp list --follow "),
        ("toy lamp --fo", "toy lamp --fo"), ("toy lamp --limi", "toy lamp --limit "),
        ("toy lamp list --sec", "toy lamp list --sec"),
        ("toy lamp --format j", "toy lamp --format json "),
        ("toy lamp --format=j", "toy lamp --format=json "),
        ("toy lamp show --format c", "toy lamp show --format c"),
        ("toy lamp list --fields id,c", "toy lamp list --fields id,color"),
        ("toy oil fill --kinds whale,p", "toy oil fill --kinds whale,paraffin"),
        ("toy oil fill --kinds rapeseed,whale,", "toy oil fill --kinds rapeseed,whale,paraffin"),
        ("toy lamp show Fron", "toy lamp show Front\\ Door "),
        ("toy lamp show Front\\ D", "toy lamp show Front\\ Door "),
        ("toy lamp show \"Fron", "toy lamp show \"Front Door\" "),
        ("toy lamp show \"It", "toy lamp show \"It's \\$(touch pwned)\" "),
        ("toy lamp show 'It", "toy lamp show 'It'\\''s $(touch pwned)' "),
        ("toy lamp show It", "toy lamp show It\\'s\\ \\$\\(touch\\ pwned\\) "),
        ("toy lamp show a:", "toy lamp show a:b=c "), ("toy lamp show e", "toy lamp show e"),
        ("toy lamp show Frank las", "toy lamp show Frank last "),
        ("toy lamp show Frank af", "toy lamp show Frank after-Frank "),
        ("toy lamp show 'Front Door' af", "toy lamp show 'Front Door' after-Front\\ Door "),
        ("toy lamp show -o x af", "toy lamp show -o x af"),
        ("toy oil fill --drips a", "toy oil fill --drips all"),
        ("toy oil fill --drips left,a", "toy oil fill --drips left,a"),
        ("toy oil fill --drips left,", "toy oil fill --drips left,right"),
        ("toy oil fill --drips=l", "toy oil fill --drips=l"),
        ("toy oil fill --pots ti", "toy oil fill --pots tiny"),
        ("toy oil fill --pots=Bi", "toy oil fill --pots=Big\\ Pot"),
        ("toy oil fill --pots tiny,t", "toy oil fill --pots tiny,tiny"),
        ("toy lamp list Fron", "toy lamp list Fron"),
        ("toy --server=Fron", "toy --server=Front\\ Door "),
        ("toy -vs Fron", "toy -vs Front\\ Door "), ("toy demo l", "toy demo l"),
        ("toy lamp show -- --o", "toy lamp show -- --o"), ("toy fetch G", "toy fetch GET "),
        ("toy fetch GET G", "toy fetch GET G"), ("toy help ti", "toy help times "),
        ("toy help exi", "toy help exit-status "), ("toy --wait lamp sh", "toy --wait lamp show "),
        ("toy --wait=5 lamp sh", "toy --wait=5 lamp show "), ("toy bogus l", "toy bogus l"),
        ("toy pair r", "toy pair resume "),
        ("toy -s home lamp show o", "toy -s home lamp show of-home "),
        ("toy --server home lamp show o", "toy --server home lamp show of-home "),
        ("toy --server=home lamp show o", "toy --server=home lamp show of-home "),
        ("toy lamp show -vshome o", "toy lamp show -vshome of-home "),
        ("toy -q --format csv lamp show o", "toy -q --format csv lamp show o"),
        ("toy oil un", "toy oil un"), ("toy lamp show fr", "toy lamp show Fr"),
        ("toy lamp show fro", "toy lamp show Front\\ Door "),
        ("toy lamp show \"fro", "toy lamp show \"Front Door\" "),
        ("toy lamp show front\\ d", "toy lamp show Front\\ Door "),
        ("toy LAM", "toy LAM"), ("toy oil fill --pots tiny,", "toy oil fill --pots tiny,"),
        ("toy oil fill --pots Big\\ Pot,", "toy oil fill --pots Big\\ Pot,"),
        ("toy oil fill --pots Big\\ Pot,T", "toy oil fill --pots Big\\ Pot,tiny"),
        ("toy oil fill --entry B", "toy oil fill --entry b2c "),
        ("toy oil fill --shelf s", "toy oil fill --shelf s"),
        ("toy oil burn -- shellche", "toy oil burn -- shellcheck "),
        ("toy oil burn shellche", "toy oil burn shellche"),
    ]

    /// What a line with quotes becomes in bash, which closes them, and in zsh, which leaves those
    /// of a list open.
    static let quotedLines = [
        (
            "toy oil fill --pots \"Big Pot,t", "toy oil fill --pots \"Big Pot,tiny\"",
            "toy oil fill --pots \"Big Pot,tiny"
        ),
        (
            "toy oil fill --pots 'big pot,T", "toy oil fill --pots 'big pot,tiny'",
            "toy oil fill --pots 'big pot,tiny"
        ),
        (
            "toy oil fill --pots \"Big Pot\",b", "toy oil fill --pots \"Big Pot\",Big\\ Pot",
            "toy oil fill --pots \"Big Pot,Big Pot"
        ),
        (
            "toy oil fill --pots \"Big Pot\",\"t", "toy oil fill --pots \"Big Pot\",\"tiny\"",
            "toy oil fill --pots \"Big Pot,tiny"
        ),
        (
            "toy oil fill --pots=\"Big Pot,t", "toy oil fill --pots=\"Big Pot,tiny\"",
            "toy oil fill --pots=Big\\ Pot,tiny"
        ),
    ]

    static let fishLines = [
        "toy la", "toy -s home lamp s", "toy lamp --format ", "toy lamp --format=j",
        "toy lamp list --fields id,c", "toy lamp show Fr", "toy lamp show Front\\ D",
        "toy lamp show \"Fro", "toy --server=Fro", "toy -vs Fra", "toy demo ", "toy bogus x",
        "toy lamp show -- las", "toy fetch P", "toy fetch GET P", "toy --wait lamp sh",
        "toy lamp --limi", "toy -s home lamp show of", "toy -vshome lamp show of",
        "toy lamp show --server=home of", "toy --format csv lamp show of",
        "toy lamp show 'Front Door' af", "toy -s home lamp show Frank of",
        "toy oil fill --drips l", "toy oil fill --drips left,",
        "toy oil fill --pots=Big\\ Pot,t", "toy oil fill --pots \"Big Pot,t",
        "toy lamp show fron", "toy oil fill --entry ", "toy oil fill --shelf ",
        "toy oil burn -- toy -s home lamp s",
    ]

    static let otherLines = [
        "toy ", "toy lamp ", "toy lamp --hue ", "toy lamp --hue=g", "toy lamp --hue=",
        "toy lamp sh", "toy oil burn -- toy la",
        "toy lamp show -", "toy lamp show ", "toy lamp show --outp",
    ]

    @Test("bash and zsh turn a line into the same line on TAB", arguments: ["bash", "zsh"])
    func interactive(name: String) throws {
        let shell = try #require(CompletionShell(rawValue: name))
        let script = try #require(files[shell])
        let driver = try folder.write(terminalDriver, to: "driver.zsh")
        let lines =
            Self.lines
            + Self.quotedLines.map { line, bash, zsh in (line, name == "bash" ? bash : zsh) }
        let words = ["zsh", "-f", driver, name, script] + lines.map(\.0)
        let result = try run(words, environment: environment)
        #expect(result.status == 0)
        let expected = lines.map { "\($0.0) => \($0.1)\n" }.joined()
        #expect(result.output == expected)
        #expect(try run(["ls", folder.path]).output.contains("pwned") == false)
        #expect(try unexpectedLines() == "")
    }

    @Test("the zsh script also works from a folder of fpath")
    func zshAutoload() throws {
        let driver = try folder.write(terminalDriver, to: "driver.zsh")
        let result = try run(
            ["zsh", "-f", driver, "zsh", "", "toy la", "toy lamp show --outp"],
            environment: environment.merging(["FPATH_FIRST": folder.path]) { $1 })
        #expect(
            result.output
                == "toy la => toy lamp \ntoy lamp show --outp => toy lamp show --output \n")
    }

    @Test("bash offers these words for these lines, and prints nothing else")
    func bashReplies() throws {
        let script = """
            source "$1"
            COMP_LINE=$2 COMP_POINT=${#2} COMP_TYPE=$3 COLUMNS=40
            _toy
            printf '[%s]' "${COMPREPLY[@]}"
            """
        let file = try #require(files[.bash])
        // 37 is menu-complete (bash(1), COMP_TYPE), which inserts the words one by one.
        func replies(_ line: String, to type: Character = "%") throws -> String {
            let number = String(type.asciiValue ?? 0)
            return try run(
                ["bash", "--norc", "-c", script, "-", file, line, number],
                environment: environment
            ).output
        }
        #expect(try replies("toy ") == "[lamp][oil][pair][fetch][help][demo]")
        #expect(try replies("toy lamp ") == "[list][show]")
        #expect(try replies("toy lamp show Fr") == "[Front\\ Door][Frank]")
        #expect(try replies("toy lamp --hue ") == "[red][green][white]")
        #expect(try replies("toy lamp --hue=g") == "[green]")
        #expect(try replies("toy lamp --hue=") == "[red][green][white]")
        #expect(try replies("toy oil fill --shelf ") == "[]")
        #expect(try replies("toy oil fill --entry ", to: "*") == "[last][b2c][a1]")
        #expect(
            try replies("toy oil fill --entry ", to: "?")
                == "[last  -- the newest][b2c   -- Sun 22:00  storm][a1    -- Sun 21:00  calm]")
        #expect(try replies("toy oil fill --entry \"", to: "?") == "[last][b2c][a1]")
        #expect(try replies("toy 2>/dev/null lamp >x sh") == "[show]")
        #expect(
            try replies("toy lamp show -") == "[-o][--output][-s][--server][--format]"
                + "[--json][--fields][-q][--quiet][-v][--verbose][--wait][--color]"
                + "[-h][--help][--version]")
        #expect(try replies("toy") == "[]")
        let path = folder.path
        #expect(try replies("toy lamp show -o \(path)/toy.f") == "[\(path)/toy.fish]")
        #expect(try replies("toy lamp >\(path)/toy.f") == "[\(path)/toy.fish]")
        let loaded = "_command_offset() { COMPREPLY=(\"$1\"); }; COMP_WORDS=($2)\n" + script
        let delegated = try run(
            ["bash", "--norc", "-c", loaded, "-", file, "toy oil burn -- toy la", "9"],
            environment: environment)
        #expect(delegated.output == "[4]")
    }

    @Test("fish offers the same candidates, with descriptions")
    func fish() throws {
        let script = "source $argv[1]; for line in $argv[2..-1]; complete -C $line; echo .; end"
        let file = try #require(files[.fish])
        let result = try run(
            ["fish", "--no-config", "-c", script, file] + Self.fishLines,
            environment: environment.merging(["HOME": folder.path]) { $1 })
        #expect(
            result.output == """
                lamp\tLook after the lamps
                .
                show\tShow lamps
                .
                table
                json
                csv
                .
                --format=json
                .
                id,color\tits colour
                .
                Front Door\tover the gate
                Frank\tsecond
                .
                Front Door\tover the gate
                .
                Front Door\tover the gate
                .
                --server=Front Door\tover the gate
                .
                Frank\tsecond
                .
                .
                .
                last
                .
                POST
                .
                .
                show\tShow lamps
                .
                --limit\tShow at most N lamps (default: 20)
                .
                of-home
                .
                of-home
                .
                of-home
                .
                .
                after-Front Door
                .
                of-home
                .
                left
                lost
                .
                left,right
                .
                --pots=Big Pot,tiny
                .
                Big Pot,tiny
                .
                Front Door\tover the gate
                .
                last\tthe newest
                b2c\tSun 22:00  storm
                a1\tSun 21:00  calm
                .
                .
                show\tShow lamps
                .

                """)
        let hostile = try run(
            ["fish", "--no-config", "-c", script, file, "toy lamp show "], environment: environment)
        #expect(hostile.output.contains("a:b=c\tfourth") && !hostile.output.contains("\u{1b}"))
        #expect(try unexpectedLines() == "")
    }

    @Test("the scripts pass the syntax checks of their shells, and shellcheck")
    func syntax() throws {
        let checks: [(CompletionShell, [String])] = [
            (.bash, ["bash", "-n"]), (.bash, ["shellcheck"]), (.zsh, ["zsh", "-n"]),
            (.fish, ["fish", "--no-execute"]),
        ]
        for (shell, check) in checks {
            let file = try #require(files[shell])
            #expect(try run(check + [file]) == RunResult(status: 0, output: ""))
        }
    }
}

/// A word that sh reads back as it is.
private func quoted(_ word: String) -> String {
    "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
}

/// Types lines into an interactive shell on a pseudo-terminal, TAB after each, and prints what
/// became of them; run by zsh, whose module zpty makes the terminal.
private let terminalDriver = #"""
    zmodload zsh/zpty || exit 3
    shell=$1 script=$2
    shift 2
    case $shell in
        zsh)
            zpty tester zsh -f -i
            zpty -w tester "fpath=(\$FPATH_FIRST \$fpath); autoload -U compinit; compinit -D -u
                [[ -z '$script' ]] || source '$script'
                zstyle ':completion:*' menu no
                show() { print -r -- \$'\n'\"<<\$BUFFER>>\"; BUFFER=; }
                zle -N show; bindkey '^G' show; PS1='RE''ADY>'"
            ;;
        bash)
            zpty tester bash --norc --noprofile -i
            zpty -w tester "source '$script'
                show() { printf '\\n<<%s>>\\n' \"\$READLINE_LINE\"; READLINE_LINE=; }
                bind -x '\"\\C-g\": show'; PS1='RE''ADY>'"
            ;;
    esac
    zpty -r -m tester out '*READY>*' || exit 4
    for line in "$@"; do
        zpty -w -n tester "$line"$'\t\C-g'
        zpty -r -m tester out '*<<*>>*'
        out=${out##*<<}
        print -r -- "$line => ${out%%>>*}"
    done
    zpty -d tester
    """#
