import ArgusTestSupport
import Testing

@testable import argus_demo

/// nginx with a certificate of its own in front of a demo; it writes down all that it receives.
private struct FrontServer {
    /// Runs a script with `argus` in PATH, in which nginx serves the demo at `$URL`.
    ///
    /// The script may call `certificate NAME`, `renew NAME` (the same key), `serve NAME` and
    /// `fingerprint NAME`; `$LOG` is what nginx received.
    static func launch(
        _ script: String, in home: Home, before demo: DemoServer, isOnTerminal: Bool = false
    ) throws -> Launch {
        let port = try TLSServer.unusedPort()
        let prelude = """
            export LOG=$HOME/received.log URL=https://localhost:\(port)
            export PATH=$PATH:/usr/sbin; cd "$HOME"; touch received.log
            cert() { openssl req -x509 -days 2 -subj "/CN=$1" \
              -addext subjectAltName=DNS:localhost "${@:2}" -out $1.pem 2>>openssl.log; }
            certificate() { openssl ecparam -name prime256v1 -genkey -noout -out $1.key
              cert $1 -key $1.key; }
            renew() { cert $1 -key $1.key; }
            fingerprint() { openssl x509 -in $1.pem -noout -fingerprint -sha256 | cut -d= -f2; }
            halt() { [ -z "$NGINX" ] || { kill $NGINX; wait $NGINX; } 2>/dev/null; NGINX=; }
            trap halt EXIT
            serve() { halt; cat >nginx.conf <<END
            daemon off; master_process off; pid $HOME/pid; error_log $HOME/error.log; events {}
            http {
              log_format all '\\$request [\\$http_authorization] [\\$http_x_api_key]'
                ' [\\$http_cookie] [\\$request_body] [\\$http_x_device_id]';
              access_log $LOG all;
              client_body_temp_path $HOME; proxy_temp_path $HOME; fastcgi_temp_path $HOME;
              uwsgi_temp_path $HOME; scgi_temp_path $HOME;
              server { listen 127.0.0.1:\(port) ssl; ssl_certificate $HOME/$1.pem;
                ssl_certificate_key $HOME/$1.key; location / { proxy_pass \(demo.url); } }
            }
            END
              nginx -e error.log -c $HOME/nginx.conf & NGINX=$!
              for i in {1..500}; do (: </dev/tcp/127.0.0.1/\(port)) 2>/dev/null && break
                sleep 0.02; done; }
            login() { argus login $URL --name home -u demo --password-stdin "$@" \
              <<<\(DemoServer.password); }
            """
        var launch = home.launch([])
        launch.words = ["/bin/bash", "--norc", "-c", prelude + "\n" + script]
        return isOnTerminal ? launch.onTerminal : launch
    }
}

@Suite("servers with a certificate of their own", .timeLimit(.minutes(2)))
struct TrustTests {
    private let home: Home
    private let demo: DemoServer

    init() throws {
        (home, demo) = (try Home(), try DemoServer())
    }

    private func run(_ script: String) throws -> Ran {
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
        let told = "has changed: trusted was SHA-256 \(prints[0]), seen is SHA-256 \(prints[1])"
        #expect(ran.complaint.contains(told))
        #expect(ran.complaint.contains("argus server trust home"))
        #expect(ran.complaint.contains("\"reason\":\"pin_changed\""))
    }

    @Test("what tells this device apart reaches the server that has proved itself, and no other")
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
            """)
        #expect(
            ran.lines == [
                "status 0", "status 0", "status 9", "status 9", "status 9", "received 0",
            ], "\(ran.complaint)")
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
            argus pair $URL --fingerprint $(fingerprint a) --no-wait >/dev/null; echo "status $?"
            before=$(wc -l <$LOG); serve b
            argus pair resume; echo "status $?"
            echo "received $(($(wc -l <$LOG) - before))"
            """)
        #expect(
            ran.lines == [
                "status 9", "status 9", "status 9", "received 0", "status 10", "status 0",
                "status 9", "received 0",
            ], "\(ran.complaint)")
    }

    @Test("each way has its own proof, and a relay is reached by https only")
    func ways() throws {
        let ran = try run(
            """
            certificate a; certificate b; serve a
            argus login \(demo.url) --name home -u demo --password-stdin \
              <<<\(DemoServer.password) 2>/dev/null
            argus server set home --relay http://localhost:1; echo "status $?"
            argus server set home --relay $URL --fingerprint $(fingerprint b); echo "status $?"
            argus server set home --relay $URL 2>/dev/null; echo "status $?"
            argus events list --via relay; echo "status $?"; echo "received $(wc -l <$LOG)"
            argus server set home --relay $URL --fingerprint $(fingerprint a) 2>/dev/null
            argus events list --via relay --json >/dev/null; echo "status $?"
            echo "received $(wc -l <$LOG)"
            """)
        #expect(
            ran.lines == [
                "status 9", "status 9", "status 0", "status 9", "received 0", "status 0",
                "received 1",
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
        #expect(ran.text.contains("SHA-256: \(fingerprint)"), "\(ran.text)")
        #expect(ran.text.contains("subject: CN=a"))
        #expect(ran.text.contains(end))
        #expect(ran.text.contains("received 0") == (answer == "y"))
    }
}
