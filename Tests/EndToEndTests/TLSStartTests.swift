import Testing

/// OpenSSL is prepared when TLS is spoken, and only then; its configuration holds as ever.
@Suite("the start of TLS", .waitsForPrograms)
struct TLSStartTests {
    private let home: TemporaryHome
    private let demo: DemoServer

    init() throws {
        home = try TemporaryHome()
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
              echo "$1 $? $(opened policy.cnf) $(opened libssl)"; }
            opened() { grep -q $1 calls && echo yes || echo no; }
            policy 1; look plain; look home
            policy 5; look plain; look home
            """
        let ran = try FrontServer.launch(script, in: home, before: demo).start().finish()
        // A key of 256 bits on an elliptic curve is worth 128 bits, level 5 asks for 256.
        #expect(
            ran.lines == ["plain 0 no yes", "home 0 yes yes", "plain 0 no yes", "home 6 yes yes"],
            "\(ran.complaint)")
    }
}
