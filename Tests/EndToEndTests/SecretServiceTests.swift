import Testing

@testable import argus_demo

/// A real keyring on a session bus of its own: GNOME's, as it is on a desktop.
@Suite("the desktop's keyring", .waitsForPrograms)
struct SecretServiceTests {
    private let home: TemporaryHome
    private let demo: DemoServer

    init() throws {
        (home, demo) = (try TemporaryHome(), try DemoServer())
        try home.write(DemoServer.password, to: "password")
    }

    /// Runs a script on a session bus of its own, with `argus` in PATH.
    ///
    /// The script may call `keyring` (unlocked), `keyring locked` and `halt`; `$KEYRING` is its id.
    /// `timed WORDS` tells the status and the milliseconds of a command.
    private func run(_ script: String) throws -> ProgramResult {
        let prelude = """
            cd "$HOME"
            halt() { [ -z "$KEYRING" ] || { kill -CONT $KEYRING; kill $KEYRING; wait $KEYRING; }
              KEYRING=; } 2>/dev/null
            trap halt EXIT
            owned() { dbus-send --session --print-reply --dest=org.freedesktop.DBus / \
              org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets |
              grep -q 'boolean true'; }
            keyring() { halt
              words="--foreground --components=secrets --control-directory=$HOME/control"
              if [ "$1" = locked ]; then exec gnome-keyring-daemon $words </dev/null
              else exec gnome-keyring-daemon $words --unlock <<<word; fi >keyring.log 2>&1 &
              KEYRING=$!
              for i in {1..500}; do owned && return; sleep 0.02; done; echo "no keyring"; exit 9; }
            timed() { begin=${EPOCHREALTIME/./}; "$@"; status=$?
              echo "$status $(( (${EPOCHREALTIME/./} - begin) / 1000 ))"; }
            login() { argus login \(demo.url) --name home -u demo --password-file password; }
            """
        var launch = home.launch([])
        launch.words = [
            "/usr/bin/dbus-run-session", "--", "/bin/bash", "--norc", "-c", prelude + "\n" + script,
        ]
        launch.deadline = 120
        return try launch.start().finish()
    }

    /// What the last line of `timed` says.
    private func timed(_ line: String?) throws -> (status: Int, milliseconds: Int) {
        let numbers = try #require(line).split(separator: " ").compactMap { Int($0) }
        try #require(numbers.count == 2)
        return (numbers[0], numbers[1])
    }

    @Test("an unlocked keyring keeps the sign-in, gives it back, and is emptied by a move")
    func unlocked() throws {
        let ran = try run(
            """
            keyring
            export ARGUS_CREDENTIAL_STORE=secret-service
            login || exit; unset ARGUS_CREDENTIAL_STORE
            argus whoami --format ndjson --fields username,credentials
            argus server show home --format ndjson --fields credential_store
            ls .local/state/argus/credentials 2>/dev/null
            argus token >first
            argus server set home --store file; argus token | cmp - first && echo moved
            argus server set home --store secret-service; argus token | cmp - first && echo back
            argus server set home --store file
            sed -i 's/"credential_store": "file"/"credential_store": "secret-service"/' \
              .local/state/argus/servers.json
            argus whoami; echo $?
            """)
        #expect(
            ran.lines == [
                #"{"username":"demo","credentials":"Secret Service"}"#,
                #"{"credential_store":"secret-service"}"#, "moved", "back", "4",
            ], "\(ran.text) \(ran.complaint)")
        #expect(ran.complaint.contains("not signed in to 'home'"))
    }

    @Test("a locked, a hung and an absent keyring are different errors, each within a second")
    func unusable() throws {
        let ran = try run(
            """
            keyring; ARGUS_CREDENTIAL_STORE=secret-service login || exit
            kill -STOP $KEYRING; timed argus whoami 2>hung
            keyring locked; timed argus whoami 2>locked
            timed argus whoami --json 2>json; timed argus server set home --store file 2>move
            halt; timed argus whoami 2>absent; owned && echo started
            keyring; timed argus whoami --format ndjson --fields username 2>/dev/null
            """)
        let lines = ran.lines
        #expect(lines.count == 7, "\(ran.text) \(ran.complaint)")
        for line in lines.prefix(5) {
            let (status, milliseconds) = try timed(line)
            #expect(status == 1)
            // A second for the answer, and one for a machine that runs other tests meanwhile.
            #expect(milliseconds < 2000)
        }
        #expect(lines[5] == #"{"username":"demo"}"#)
        #expect(try timed(lines[6]).status == 0)
        for (name, words) in [
            ("hung", "argus: the Secret Service failed: it gave no answer within a second\n"),
            ("locked", "argus: the Secret Service is locked\n"),
            ("move", "argus: the Secret Service is locked\n"),
            ("absent", "argus: the Secret Service failed: no keyring runs on the session bus\n"),
        ] {
            let text = home.text(of: name) ?? ""
            #expect(text.hasPrefix(words), "\(text)")
            // To sign in again would not help.
            #expect(text.contains("hint: ") && !text.contains("sign in"))
        }
        #expect(home.text(of: "json")?.contains(#""reason":"credential_store_locked""#) == true)
    }

    @Test("a sign-in is not kept where a keyring would first have to be made or unlocked")
    func notStored() throws {
        let ran = try run(
            """
            export ARGUS_CREDENTIAL_STORE=secret-service
            keyring locked; login 2>none; echo $?
            keyring; halt; keyring locked; login 2>locked; echo $?
            argus server list --json
            """)
        #expect(ran.lines == ["1", "1", "[]"], "\(ran.complaint)")
        #expect(home.text(of: "none")?.contains("it has no default keyring") == true)
        #expect(home.text(of: "locked")?.contains("the Secret Service is locked") == true)
    }

    @Test("without a session bus none is started, and what is kept in files never looks for one")
    func noBus() throws {
        #expect(
            try home.argus(
                "login", demo.url, "-u", "demo", "--name", "home", "--password-file", "password"
            ).status == 0)
        for address in ["", "autolaunch:", "unixexec:path=/bin/touch,argv1=started", "unix:path=x"]
        {
            let variables = ["DBUS_SESSION_BUS_ADDRESS": address]
            let ran = try home.argus(
                "server", "set", "home", "--store", "secret-service", variables: variables)
            #expect(ran.status == 1)
            #expect(
                ran.complaint.hasPrefix("argus: the Secret Service failed: "), "\(ran.complaint)")
            #expect(try home.argus("whoami", variables: variables).status == 0)
        }
        #expect(home.text(of: "started") == nil)
        let libraries = try home.bash(
            "LD_DEBUG=files argus events list -n 1 2>&1 | grep -c 'libsecret\\|libglib\\|libgio'")
        #expect(libraries.text == "0\n")
    }

    @Test("a bus that hangs is an error within a second")
    func hungBus() throws {
        let ran = try run(
            """
            keyring; ARGUS_CREDENTIAL_STORE=secret-service login >/dev/null 2>&1 || exit
            dbus-daemon --session --nofork --print-address=3 --nopidfile 3>address & BUS=$!
            for i in {1..500}; do [ -s address ] && break; sleep 0.02; done
            kill -STOP $BUS
            DBUS_SESSION_BUS_ADDRESS=$(cat address) timed argus whoami 2>hung
            kill -CONT $BUS; kill $BUS; wait $BUS
            """)
        let (status, milliseconds) = try timed(ran.lines.last)
        #expect(status == 1 && milliseconds < 2000, "\(ran.text) \(ran.complaint)")
        #expect(home.text(of: "hung")?.contains("it gave no answer within a second") == true)
    }
}
