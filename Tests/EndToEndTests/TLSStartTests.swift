import Testing

/// The configuration of OpenSSL holds for argus as for other programs.
@Suite("the start of TLS", .waitsForPrograms)
struct TLSStartTests {
    private let home: TemporaryHome
    private let demo: DemoServer

    init() throws {
        home = try TemporaryHome()
        demo = try DemoServer()
    }

    @Test("a request over TLS heeds the system's policy for it")
    func start() throws {
        let script = """
            certificate a; serve a; login --fingerprint $(fingerprint a) 2>/dev/null
            export OPENSSL_CONF=$HOME/policy.cnf
            policy() { printf '%s\\n' 'openssl_conf = all' '[all]' 'ssl_conf = tls' '[tls]' \
              'system_default = policy' '[policy]' "CipherString = DEFAULT:@SECLEVEL=$1" \
              >$OPENSSL_CONF; }
            look() { argus cameras list -s home -q >/dev/null 2>&1; echo $?; }
            policy 1; look
            policy 5; look
            """
        let ran = try FrontServer.launch(script, in: home, before: demo).start().finish()
        // A key of 256 bits on an elliptic curve is worth 128 bits, level 5 asks for 256.
        #expect(ran.lines == ["0", "6"], "\(ran.complaint)")
    }
}
