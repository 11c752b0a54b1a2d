package import ArgusCore
import Glibc
import Synchronization

/// Certificates for `localhost` and 127.0.0.1 and the programs that present them.
package struct TLSServer {
    package var origin: Origin
    /// The folder with `cert.pem` and `key.pem` and what the programs write.
    package var folder: TemporaryFolder
    /// The SHA-256 of the certificate's public key, base64.
    package var pin: String

    /// Serves `200 hello` by nginx, over HTTP/2 and HTTP/1.1, while `body` runs.
    ///
    /// Every request is a line of the file `access.log`. `extra` goes into the server's block.
    /// `validity` is that of the certificate, such as `20200101000000Z`, where it matters.
    package static func nginx<Value>(
        _ extra: String = "", validity: (from: String, until: String)? = nil,
        _ body: (TLSServer) async throws -> Value
    ) async throws -> Value {
        let folder = try TemporaryFolder()
        let pin = try makeCertificate("cert", "/CN=localhost", folder)
        if let validity { try redate("cert", validity, folder) }
        let port = try unusedPort()
        try folder.plant(
            """
            daemon off; master_process off; pid \(folder.file("pid")); worker_processes 1;
            error_log \(folder.file("error.log"));
            events {}
            http {
              access_log \(folder.file("access.log"));
              client_body_temp_path \(folder.path); proxy_temp_path \(folder.path);
              fastcgi_temp_path \(folder.path); uwsgi_temp_path \(folder.path);
              scgi_temp_path \(folder.path);
              server {
                listen 127.0.0.1:\(port) ssl http2;
                ssl_certificate \(folder.file("cert.pem"));
                ssl_certificate_key \(folder.file("cert.key"));
                \(extra)
                location / { return 200 "hello"; }
              }
            }
            """, "nginx.conf")
        let process = try ChildProcess(
            ["nginx", "-e", folder.file("error.log"), "-c", folder.file("nginx.conf")],
            output: folder.file("output"))
        defer { process.stop() }
        try waitForServer(port, folder)
        return try await body(
            TLSServer(
                origin: Origin(scheme: .https, host: "localhost", port: port), folder: folder,
                pin: pin))
    }

    /// Runs `openssl s_server` while `body` runs; it writes decrypted data to the file `output`.
    package static func openssl<Value>(
        _ options: [String] = [], _ body: (TLSServer) async throws -> Value
    ) async throws -> Value {
        let folder = try TemporaryFolder()
        let pin = try makeCertificate("cert", "/CN=localhost", folder)
        let port = try unusedPort()
        let process = try ChildProcess(
            [
                "openssl", "s_server", "-accept", "127.0.0.1:\(port)", "-cert",
                folder.file("cert.pem"), "-key", folder.file("cert.key"),
            ] + options, output: folder.file("output"))
        defer { process.stop() }
        try waitForServer(port, folder)
        return try await body(
            TLSServer(
                origin: Origin(scheme: .https, host: "localhost", port: port), folder: folder,
                pin: pin))
    }

    /// Makes `NAME.pem` and `NAME.key`, self-signed, and returns the key's pin.
    package static func makeCertificate(
        _ name: String, _ subject: String, _ folder: TemporaryFolder
    ) throws -> String {
        let script = """
            cd "$1" && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes \
            -keyout $2.key -out $2.pem -days 2 -subj "$3" \
            -addext subjectAltName=DNS:localhost,IP:127.0.0.1 2>>openssl.log &&
            openssl x509 -in $2.pem -pubkey -noout | openssl pkey -pubin -outform der |
            openssl dgst -sha256 -binary | openssl base64 >$2.pin
            """
        let status = try ChildProcess(["sh", "-c", script, "sh", folder.path, name, subject]).wait()
        guard status == 0 else { throw SetUpFailure(reason: try folder.text("openssl.log")) }
        return String(try folder.text("\(name).pin").prefix { $0 != "\n" })
    }

    /// Replaces the certificate of a key by one that is valid between two times.
    private static func redate(
        _ name: String, _ validity: (from: String, until: String), _ folder: TemporaryFolder
    ) throws {
        try folder.plant(
            """
            [ca]
            default_ca = own
            [own]
            database = \(folder.file("index"))
            new_certs_dir = \(folder.path)
            rand_serial = yes
            default_md = sha256
            policy = any
            x509_extensions = names
            [any]
            commonName = supplied
            [names]
            subjectAltName = DNS:localhost,IP:127.0.0.1
            basicConstraints = CA:TRUE
            """, "ca.conf")
        try folder.plant("", "index")
        let script = """
            cd "$1" && openssl req -new -key $2.key -subj /CN=localhost -out $2.csr &&
            openssl ca -config ca.conf -selfsign -keyfile $2.key -in $2.csr -out $2.pem -batch \
            -notext -startdate $3 -enddate $4
            """
        let words = [folder.path, name, validity.from, validity.until]
        let process = try ChildProcess(
            ["sh", "-c", script, "sh"] + words, output: folder.file("openssl.log"))
        guard process.wait() == 0 else {
            throw SetUpFailure(reason: try folder.text("openssl.log"))
        }
    }

    /// A loopback port for a program that is about to listen there.
    ///
    /// It is another one each time in this process, and lower than the ports that the kernel gives
    /// by default to connections and to listeners of tests, so that none of them takes it before the
    /// program listens.
    package static func unusedPort() throws -> UInt16 {
        for _ in ports {
            let port = lastPort.withLock { last in
                last = last + 1 < ports.upperBound ? last + 1 : ports.lowerBound
                return last
            }
            do {
                close(try makeLoopbackListener(port).socket)
                return port
            } catch let failure as SystemCallFailure where failure.code == EADDRINUSE {
                continue
            }
        }
        throw SetUpFailure(reason: "no port of \(ports) is free")
    }

    private static let ports: Range<UInt16> = 10_000..<32_000
    private static let lastPort = Mutex(UInt16.random(in: ports))

    /// Connects until a server listens, for ten seconds at most.
    private static func waitForServer(_ port: UInt16, _ folder: TemporaryFolder) throws {
        for _ in 0..<1000 {
            if connects(to: port) { return }
            poll(nil, 0, 10)
        }
        throw SetUpFailure(reason: try folder.text("output"))
    }

    private static func connects(to port: UInt16) -> Bool {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard client >= 0 else { return false }
        defer { close(client) }
        var address = loopbackAddress(port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                connect(client, generic, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

/// A test's surroundings that could not be made, such as a server that did not start.
package struct SetUpFailure: Error, CustomStringConvertible {
    package var reason: String

    package init(reason: String) {
        self.reason = reason
    }

    package var description: String { "cannot set up the test: \(reason)" }
}
