import Glibc
import Testing

@testable import argus_demo

/// Programs called `argus-NAME`, and the completion of the shells.
@Suite(.waitsForPrograms)
struct ExternalCommandTests {
    private let home: TemporaryHome

    init() throws {
        home = try TemporaryHome()
    }

    /// Puts a program into a folder that PATH leads to.
    private func install(_ script: String, as name: String) throws -> [String: String] {
        let path = try home.write("#!/bin/sh\n\(script)\n", to: "bin/\(name)", mode: 0o700)
        chmod(path, 0o700)
        return ["PATH": "\(TemporaryHome.binaries)::.:relative:\(home.file("bin")):/usr/bin:/bin"]
    }

    @Test("argus-NAME of PATH runs with its words, its input and its status")
    func runs() throws {
        let path = try install("echo \"$#:$1:$2\"; cat; echo oops >&2; exit 41", as: "argus-hello")
        let ran = try home.argus(
            "hello", "--json", "two words", variables: path, input: .text("read me"))
        #expect(ran.status == 41)
        #expect(ran.text == "2:--json:two words\nread me")
        #expect(ran.complaint == "oops\n")
        let killed = try install("kill -9 $$", as: "argus-killed")
        #expect(try home.argus("killed", variables: killed).ending == .signal(SIGKILL))
        // A command of argus itself is never replaced.
        let own = try install("echo taken over", as: "argus-whoami")
        #expect(try home.argus("whoami", variables: own).status == 4)
    }

    @Test("options before its name reach the program as variables, or are refused; none is lost")
    func options() throws {
        var path = try install("env | grep ^ARGUS_ | sort; echo \"$*\"", as: "argus-hello")
        path["ARGUS_TOKEN"] = "t"
        let ran = try home.argus(
            "--server", "cottage", "--json", "--no-input", "hello", "--utc", variables: path)
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(ran.lines.contains("ARGUS_SERVER=cottage"))
        #expect(ran.lines.contains("ARGUS_FORMAT=json"))
        #expect(ran.lines.contains("ARGUS_NO_INPUT=true"))
        #expect(ran.lines.contains("ARGUS_TOKEN=t"))
        #expect(ran.lines.last == "--utc")
        let other = try home.argus("--token-file", "f", "hello", variables: path)
        #expect(other.lines.contains("ARGUS_TOKEN_FILE=f"))
        #expect(!other.lines.contains("ARGUS_TOKEN=t"))
        let refused = try home.argus("--utc", "hello", variables: path)
        #expect(refused.status == 2)
        #expect(refused.text == "")
        #expect(refused.complaint.contains("--utc is not passed on"))
        // What does not exist is told first.
        let absent = try home.argus("--utc", "helo", variables: path)
        #expect(absent.complaint.contains("unknown command 'helo'"))
    }

    @Test("a program that is run gets the signals as they were")
    func signals() throws {
        let path = try install(
            "sed -n 's/^Sig\\(Ign\\|Blk\\):[[:blank:]]*//p' /proc/self/status", as: "argus-ask")
        let masks = try home.argus("ask", variables: path).lines.compactMap {
            UInt64($0, radix: 16)
        }
        // Signals 1 to 31; the two above them are the C library's own.
        #expect(masks.map { $0 & 0x7FFF_FFFF } == [0, 0])
        let pipe = try home.bash(
            "argus yes | head -n 1; echo ${PIPESTATUS[0]}",
            variables:
                try install("exec yes", as: "argus-yes"))
        #expect(pipe.lines == ["y", "141"])
    }

    @Test("closed standard streams are opened, so that no other file gets their numbers")
    func closedStreams() throws {
        let path = try install(
            """
            (for number in 0 1 2; do
                echo "$(readlink /proc/$$/fd/$number)" "$(grep flags: /proc/$$/fdinfo/$number)"
            done) > "$1"
            """, as: "argus-look")
        let ran = try home.bash(
            "argus look '\(home.file("seen"))' <&- >&- 2>&-; echo $?", variables: path)
        #expect(ran.text == "0\n")
        let lines = home.text(of: "seen")?.split(separator: "\n") ?? []
        // The wrong direction: using them fails, as it did before.
        #expect(lines.map { $0.hasPrefix("/dev/null ") } == [true, true, true])
        #expect(lines.map { $0.last } == ["1", "0", "0"])
    }

    @Test("an unknown command is suggested the nearest, and nothing lies in wait in the folder")
    func unknown() throws {
        let ran = try home.argus("evnts")
        #expect(ran.status == 2)
        #expect(ran.complaint == "argus: unknown command 'evnts'\nhint: did you mean 'events'?\n")
        try home.write("#!/bin/sh\necho trapped\n", to: "argus-trap", mode: 0o700)
        #expect(
            try home.argus("trap", variables: ["PATH": ":.:relative:/usr/bin:/bin"]).status == 2)
        for name in ["../trap", "a/b", "Trap", "-x", "", "__x"] {
            #expect(try home.argus(name).status == 2, "\(name)")
        }
    }

    @Test("argus demo is the demo beside argus")
    func demo() throws {
        let ran = try home.argus("demo", "--", "argus", "whoami", "--json")
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(ran.json["username"] == "demo")
        #expect(try home.argus("help", "demo").text.hasPrefix("Usage: argus-demo "))
    }

    @Test("TAB offers the cameras that were seen, without asking the server")
    func completion() throws {
        let server = try DemoServer()
        try home.signIn(to: server)
        #expect(try home.argus("cameras", "list").status == 0)
        #expect(try home.argus("events", "list").status == 0)
        server.stop()
        let bash = """
            source <(argus completion bash)
            COMP_WORDS=(argus cameras snapshot "$1") COMP_CWORD=3
            COMP_LINE="argus cameras snapshot $1" COMP_POINT=${#COMP_LINE}
            _argus
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        #expect(try home.bash(bash, arguments: ["Fr"]).text == "Front\\ Door\n")
        // Several words are listed with what they mean.
        let offered = try home.bash(bash, arguments: [""]).lines.map {
            String($0.prefix(upTo: $0.firstRange(of: "  ")?.lowerBound ?? $0.endIndex))
        }
        #expect(
            Set(offered).isSuperset(of: ["Front\\ Door", "Driveway", "前庭", "Back\\ Garden"]))
        var fish = home.launch([])
        fish.words = [
            "fish", "--no-config", "-c",
            "argus completion fish | source; complete -C 'argus cameras snapshot Fr'",
        ]
        #expect(try fish.start().finish().lines.map { $0.prefix { $0 != "\t" } } == ["Front Door"])
        // zsh completes at a terminal only, which zpty gives it.
        var zsh = home.launch([])
        zsh.words = ["zsh", "-f", "-c", Self.zshDriver]
        let ran = try zsh.start().finish()
        #expect(ran.text.contains("argus cameras snapshot Front\\ Door "), "\(ran.text)")
        let events = try home.argus("__complete", "--", "events", "show", "")
        #expect(events.lines.prefix(2) == ["values", "latest\tthe last event"], "\(events.text)")
        #expect(events.lines.count == 22)
    }

    /// Types a line and TAB in a zsh of its own, and shows what the line became.
    private static let zshDriver = #"""
        zmodload zsh/zpty
        zpty shell zsh -f -i
        zpty -w shell 'PS1= RPS1=; autoload -U compinit && compinit -u -D; source <(argus completion zsh)'
        zpty -w shell 'show() { print -r "<$BUFFER>"; }; zle -N show; bindkey "^G" show; print ready-$((1+1))'
        zpty -r shell seen '*ready-2*'
        zpty -w -n shell $'argus cameras snapshot Fr\t\a'
        zpty -r shell seen '*<*>*'
        print -r -- "$seen"
        zpty -d shell
        """#
}
