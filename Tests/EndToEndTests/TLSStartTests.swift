import Testing

/// OpenSSL is prepared when TLS is spoken, and only then; its configuration holds as ever.
@Suite("the start of TLS", .timeLimit(.minutes(1)))
struct TLSStartTests {
    private let home: Home
    private let demo: DemoServer

    init() throws {
        home = try Home()
        demo = try DemoServer()
    }

    @Test("a plain request prepares no TLS library, one over TLS heeds the system's policy for it")
    func start() throws {
        let script = """
            certificate a; serve a; login --fingerprint $(fingerprint a) 2>/dev/null
            argus login \(demo.url) --name plain -u demo --password-stdin 2>/dev/null \
              <<<\(DemoServer.password)
            export OPENSSL_CONF=$HOME/policy.cnf
            policy() { printf '%s\\n' 'openssl_conf = all' '[all]' 'ssl_conf = tls' '[tls]' \
              'system_default = policy' '[policy]' "CipherString = DEFAULT:@SECLEVEL=$1" \
              >$OPENSSL_CONF; }
            look() { strace -f -e trace=openat -o calls argus cameras list -s $1 -q >/dev/null 2>&1
              echo "$1 $? $(grep -c policy.cnf calls) $(grep -c 'libssl.* = [0-9]' calls)"; }
            policy 1; look plain; look home
            policy 5; look plain; look home
            """
        let ran = try FrontServer.launch(script, in: home, before: demo).start().finish()
        // A key of 256 bits on an elliptic curve is worth 128 bits, level 5 asks for 256.
        #expect(
            ran.lines == ["plain 0 0 1", "home 0 1 1", "plain 0 0 1", "home 6 1 1"],
            "\(ran.complaint)")
    }
}
