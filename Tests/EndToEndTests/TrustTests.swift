import Testing

@testable import argus_demo

@Suite("servers with a certificate of their own", .waitsForPrograms)
struct TrustTests {
    private let home: TemporaryHome
    private let demo: DemoServer

    init() throws {
        (home, demo) = (try TemporaryHome(), try DemoServer())
    }

    private func run(_ script: String) throws -> ProgramResult {
        try FrontServer.launch(script, in: home, before: demo).start().finish()
    }

    @Test("without a terminal only the right fingerprint is trusted, and nothing is sent before")
    func fingerprint() throws {
        let ran = try run(
            """
            certificate a; certificate b; serve a
            login; echo "status $?"
            login --fingerprint $(fingerprint b); echo "status $?"
            ARGUS_FINGERPRINT=nonsense login; echo "status $?"
            echo "received $(wc -l <$LOG)"
            login --fingerprint $(fingerprint a | tr -d : | tr A-F a-f); echo "status $?"
            argus events list --json >/dev/null; echo "status $?"
            """)
        #expect(
            ran.lines == [
                "status 9", "status 9", "status 2", "received 0", "status 0", "status 0",
            ], "\(ran.complaint)")
        #expect(ran.complaint.contains("pass it with --fingerprint"))
    }

    @Test("a certificate of other dates ends a command with the clock as its reason, and no watch")
    func wrongDates() throws {
        let ran = try run(
            """
            cat >ca.conf <<END
            [ca]
            default_ca = own
            [own]
            database = $HOME/index
            new_certs_dir = $HOME
            rand_serial = yes
            default_md = sha256
            policy = any
            x509_extensions = names
            [any]
            commonName = supplied
            [names]
            subjectAltName = DNS:localhost
            basicConstraints = CA:TRUE
            END
            expire() { : >index; openssl req -new -key $1.key -subj /CN=$1 -out $1.csr &&
              openssl ca -config ca.conf -selfsign -keyfile $1.key -in $1.csr -out $1.pem -batch \
              -notext -startdate 20200101000000Z -enddate 20200201000000Z; } 2>>openssl.log
            certificate a; serve a
            login --cacert $HOME/a.pem 2>/dev/null; echo "status $?"
            expire a; serve a; : >$LOG
            argus events list --json 2>refused; echo "status $?"
            grep -o '"reason":"[a-z]*"' refused; grep -c 'server trust' refused
            argus login $URL --name other -u demo --password-stdin --cacert $HOME/a.pem --json \
              <<<x 2>&1 | grep -o '"reason":"[a-z]*"'
            argus events watch --since 20d --limit 1 --format ndjson >got 2>told & WATCH=$!
            until_true grep -q 'trying again' told
            echo "received $(wc -l <$LOG)"
            renew a; serve a
            wait $WATCH; echo "status $?, $(wc -l <got) event"
            grep -o 'either the clock is wrong' told
            """)
        #expect(
            ran.lines == [
                "status 0", "status 9", "\"reason\":\"clock\"", "0", "\"reason\":\"clock\"",
                "received 0", "status 0, 1 event", "either the clock is wrong",
            ], "\(ran.text) \(ran.complaint)")
    }

    @Test("another certificate on the same address is status 9, and it receives nothing")
    func changed() throws {
        let ran = try run(
            """
            certificate a; certificate b; serve a
            login --fingerprint $(fingerprint a) 2>/dev/null; echo "status $?"
            serve b; : >$LOG
            argus events list; echo "status $?"
            argus cameras list --json; echo "status $?"
            argus whoami; echo "status $?"
            login; echo "status $?"
            argus server trust home --fingerprint $(fingerprint a); echo "status $?"
            argus server trust home; echo "status $?"
            echo "received $(wc -l <$LOG)"
            fingerprint a >&2; fingerprint b >&2
            argus server trust home --fingerprint $(fingerprint b) 2>/dev/null; echo "status $?"
            argus events list --json >/dev/null; echo "status $?"
            """)
        #expect(
            ran.lines == [
                "status 0", "status 9", "status 9", "status 9", "status 9", "status 9", "status 2",
                "received 0", "status 0", "status 0",
            ], "\(ran.complaint)")
        let prints = ran.complaint.split(separator: "\n").filter { $0.utf8.count == 95 }
        #expect(prints.count == 2)
        let reported = "has changed: trusted was SHA-256 \(prints[0]), seen is SHA-256 \(prints[1])"
        #expect(ran.complaint.contains(reported))
        #expect(ran.complaint.contains("argus server trust home"))
        // Without a terminal both stand on lines of their own, to be compared.
        #expect(ran.complaint.contains("\nTrusted so far: SHA-256 \(prints[0])\n"))
        #expect(ran.complaint.contains("\n  SHA-256: \(prints[1])\n"))
        #expect(ran.complaint.contains("\"reason\":\"pin_changed\""))
    }

    @Test("a no at the second address reports that the first is trusted")
    func halfTrusted() throws {
        try home.write(DemoServer.password, to: "pw")
        let script = """
            certificate a; certificate b; serve a
            argus login $URL --name home -u demo --password-file pw --fingerprint $(fingerprint a)
            argus server set home --relay ${URL/localhost/127.0.0.1} --fingerprint $(fingerprint a)
            serve b; argus server trust home; echo "status $?"
            """
        let program = try FrontServer.launch(script, in: home, before: demo, isOnTerminal: true)
            .start()
        try program.wait(for: "Type yes: ")
        program.type("yes\n")
        try program.wait(for: "(relay):")
        program.type("no\n")
        let ran = try program.finish()
        // A terminal breaks long lines at blanks.
        let text = ran.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains(": the certificate was not trusted; local https://localhost:"))
        #expect(text.contains(" is trusted from now on"), "\(text)")
        #expect(text.contains("status 9"), "\(text)")
    }

    @Test("renewals, downloads, keys, changes and sign-outs are kept from another certificate too")
    func changedForAll() throws {
        let demo = try DemoServer("--token-ttl", "6")
        let script = """
            certificate a; certificate b; serve a
            login --remember --fingerprint $(fingerprint a) 2>/dev/null
            argus keys create timers --output-file key 2>/dev/null
            id=$(argus events list -n 1 --format tsv --no-header --fields id); echo ${#id}
            grep -vcF '[-] [-] [-]' $LOG | sed 's/[1-9].*/some carried credentials/'
            TOKEN=$(argus token)
            ended() { [ $(curl -so /dev/null -w '%{http_code}' -H @- \(demo.url)/api/v1/cameras \
              <<<"Authorization: Bearer $TOKEN") = 401 ]; }
            serve b; : >$LOG; until_true ended
            for words in "events show $id" "events thumbnail $id -o -" "events video $id -o v.mp4" \
              "cameras snapshot --all -o p/" "events export -o e.csv" "events delete $id --yes" \
              "api /api/v1/events" token "push key" "devices list" "keys list" "server show" \
              "events list --api-key-file key --server $URL" \
              "whoami --api-key-file key --server home" logout "logout --all"
            do argus $words --retries 0 >/dev/null 2>>told; echo "$?"; done
            echo "received $(wc -l <$LOG)"; grep -c 'identity of .home. has changed' told
            """
        let ran = try FrontServer.launch(script, in: home, before: demo).start().finish()
        // 'server show' tells why there is no answer; signing out is done here whoever answers there.
        #expect(
            ran.lines == ["36", "some carried credentials"] + Array(repeating: "9", count: 11)
                + ["0", "9", "9", "0", "0", "received 0", "14"],
            "\(ran.text) \(ran.complaint) \(home.text(of: "told") ?? "")")
    }

    @Test("a client certificate is remembered with the address, by a path that holds elsewhere")
    func clientCertificate() throws {
        let ran = try run(
            """
            certificate a; certificate c; export EXTRA="ssl_client_certificate $HOME/c.pem;
              ssl_verify_client on;"
            serve a
            login --fingerprint $(fingerprint a) 2>/dev/null; echo "status $?"
            login --fingerprint $(fingerprint a) --cert c.pem --key c.key 2>/dev/null
            echo "status $?"
            cd /; argus events list --json >/dev/null; echo "status $?"; cd
            argus server show home --json | jq -c '.ways[0] | [.cert, .key]' | sed "s|$HOME|~|g"
            argus server set home --local $URL --fingerprint $(fingerprint a) 2>/dev/null
            argus events list --json 2>/dev/null >&2; echo "status $?"
            """)
        #expect(
            ran.lines == [
                // nginx answers with a page of its own.
                "status 7", "status 0", "status 0", #"["~/c.pem","~/c.key"]"#, "status 7",
            ], "\(ran.text) \(ran.complaint)")
    }

    @Test("a unit without HOME trusts by the fingerprint among its credentials, and keeps nothing")
    func unit() throws {
        let ran = try run(
            """
            certificate a; certificate b; serve a
            login --fingerprint $(fingerprint a) 2>/dev/null
            mkdir credentials empty
            argus keys create unit 2>/dev/null >credentials/argus.api-key; argus logout 2>/dev/null
            fingerprint a >credentials/argus.fingerprint; : >$LOG
            unit() { (cd empty; env -i PATH=/usr/bin:/bin ARGUS_SERVER=$URL NO_COLOR=1 \
              CREDENTIALS_DIRECTORY=$HOME/credentials $(command -v argus) "$@"); }
            unit events list -n 2 --json | jq length; unit whoami --json | jq -r .credentials
            unit cameras snapshot Driveway -o $HOME/picture.jpg >&2 && echo "picture"
            before=$(wc -l <$LOG)
            fingerprint b >credentials/argus.fingerprint; unit events list; echo "status $?"
            rm credentials/argus.fingerprint; unit events list; echo "status $?"
            fingerprint a >credentials/argus.fingerprint; serve b; unit events list; echo "status $?"
            echo "received $(($(wc -l <$LOG) - before))"; ls -A empty
            """)
        #expect(
            ran.lines == [
                "2", "$CREDENTIALS_DIRECTORY/argus.api-key", "picture", "status 9", "status 9",
                "status 9", "received 0",
            ], "\(ran.text) \(ran.complaint)")
    }

    @Test("device fields reach the server that has proved its identity, and no other")
    func device() throws {
        let ran = try run(
            """
            certificate a; certificate b; serve a
            login; echo "received $(wc -l <$LOG)"
            login --fingerprint $(fingerprint a) 2>/dev/null; argus whoami >/dev/null
            sed 's/.*\\[//' $LOG | sort | uniq -c | grep -cE '^ +[0-9]+ [0-9a-f-]{36}]$'
            sed 's/.*\\[//' $LOG | sort -u | wc -l
            serve b; : >$LOG; argus whoami; echo "received $(wc -l <$LOG)"
            """)
        #expect(ran.lines == ["received 0", "1", "1", "received 0"], "\(ran.complaint)")
    }

    @Test("a certificate that was renewed with the same key is still trusted")
    func renewed() throws {
        let ran = try run(
            """
            certificate a; serve a; before=$(fingerprint a)
            login --fingerprint $before 2>/dev/null
            renew a; serve a; [ "$before" != "$(fingerprint a)" ] && echo renewed
            argus events list --json >/dev/null; echo "status $?"
            """)
        #expect(ran.lines == ["renewed", "status 0"], "\(ran.complaint)")
    }

    @Test("a private authority is remembered, and vouches for the names in the certificate only")
    func authority() throws {
        let ran = try run(
            """
            certificate a; serve a
            login --cacert a.pem 2>/dev/null; echo "status $?"
            cd /; argus events list --json >/dev/null; echo "status $?"; cd
            wrong=${URL/localhost/127.0.0.1}; before=$(wc -l <$LOG)
            argus login $wrong --cacert a.pem -u demo --password-stdin <<<x; echo "status $?"
            certificate b; serve b
            argus events list; echo "status $?"
            argus server trust home; echo "status $?"
            echo "received $(($(wc -l <$LOG) - before))"
            serve a; mv a.pem gone.pem; argus events list; echo "status $?"
            mv b.pem a.pem; argus server trust home --fingerprint $(fingerprint gone) 2>/dev/null
            argus events list >/dev/null; echo "status $?"
            """)
        #expect(
            ran.lines == [
                "status 0", "status 0", "status 9", "status 9", "status 9", "received 0",
                "status 1", "status 0",
            ], "\(ran.complaint)")
        for words in [
            "trust it with 'argus server trust home --fingerprint SHA256'",
            "an authority in '\(home.file("a.pem"))' vouched for 'home' so far",
            "the file of --cacert for 'home' is gone: cannot read '\(home.file("a.pem"))'",
        ] { #expect(ran.complaint.contains(words), "\(ran.complaint)") }
        #expect(!ran.complaint.contains("public authority"))
    }

    @Test("pairing asks for no code, and sends none, before the certificate is the right one")
    func pairing() throws {
        let ran = try run(
            """
            certificate a; certificate b; serve a
            link() { echo "argusai://pair?code=123456&url=$URL&fp=sha256:$(fingerprint $1)"; }
            argus pair $URL --json; echo "status $?"
            argus pair $URL --code=123456; echo "status $?"
            argus pair --link "$(link b)"; echo "status $?"
            echo "received $(wc -l <$LOG)"
            link a | argus pair --link -; echo "status $?"
            bare="argusai://pair?code=123456&url=$URL"
            argus pair --link "$bare" --fingerprint $(fingerprint b); echo "status $?"
            argus pair --link "$bare" --fingerprint $(fingerprint a); echo "status $?"
            argus pair $URL --fingerprint $(fingerprint a) --no-wait >/dev/null; echo "status $?"
            before=$(wc -l <$LOG); serve b
            argus pair resume; echo "status $?"
            echo "received $(($(wc -l <$LOG) - before))"
            """)
        #expect(
            ran.lines == [
                "status 9", "status 9", "status 9", "received 0", "status 10", "status 9",
                "status 10", "status 0", "status 9", "received 0",
            ], "\(ran.complaint)")
    }

    @Test("each address has its own proof, and a relay is reached by https only")
    func endpoints() throws {
        let ran = try run(
            """
            certificate a; certificate b; serve a
            argus login \(demo.url) --name home -u demo --password-stdin \
              <<<\(DemoServer.password) 2>/dev/null
            argus server set home --relay http://localhost:1; echo "status $?"
            argus server set home --relay $URL --fingerprint $(fingerprint b); echo "status $?"
            argus server set home --relay $URL 2>/dev/null; echo "status $?"
            argus server set home --relay $URL --no-check 2>/dev/null; echo "status $?"
            argus events list --via relay; echo "status $?"; echo "received $(wc -l <$LOG)"
            argus server set home --relay $URL --fingerprint $(fingerprint a) 2>/dev/null
            argus events list --via relay --json >/dev/null; echo "status $?"
            echo "received $(wc -l <$LOG)"
            """)
        #expect(
            ran.lines == [
                "status 9", "status 9", "status 9", "status 0", "status 9", "received 0",
                "status 0", "received 3",
            ], "\(ran.complaint)")
    }

    @Test(
        "on a terminal the certificate is shown, and only a typed yes trusts it",
        arguments: [("yes", "signed in to 'home'"), ("y", "was not trusted")])
    func firstUse(answer: String, end: String) throws {
        try home.write(DemoServer.password, to: "pw")
        let script = """
            certificate a; serve a
            argus login $URL --name home -u demo --password-file pw
            fingerprint a; echo "received $(wc -l <$LOG)"
            """
        let program = try FrontServer.launch(script, in: home, before: demo, isOnTerminal: true)
            .start()
        try program.wait(for: "Type yes: ")
        program.type(answer + "\n")
        let ran = try program.finish()
        let fingerprint = ran.lines.first { $0.utf8.count == 95 } ?? "none"
        // Too long for a line of the terminal, it has one of its own.
        #expect(ran.text.contains("SHA-256:\r\n\(fingerprint)"), "\(ran.text)")
        #expect(ran.text.contains("subject: CN=a"))
        #expect(ran.text.contains(end))
        #expect(ran.text.contains("received 0") == (answer == "y"))
    }
}
