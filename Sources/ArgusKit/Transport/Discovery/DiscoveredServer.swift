package import ArgusCore

/// An ArgusAI server as announced on the local network, without proof: a service at an address.
package struct DiscoveredServer: Hashable, Sendable {
    /// The name of the service, unescaped, such as `Anna's house`.
    package var name: String
    /// The host of the service, such as `home.local`.
    package var host: String
    /// The interface that received the answer, such as `eth0`.
    package var interface: String
    /// An address of the host in the form of `Origin.host`: `192.168.1.5`, `fe80::1%eth0`.
    package var address: String
    /// The port of the service's SRV record.
    package var port: UInt16
    package var txt: [TXTEntry] = []

    /// The value of a TXT key in any case; of several the first (RFC 6763, section 6.4).
    package func value(_ key: String) -> String? {
        txt.first { $0.key.lowercased() == key }?.value
    }

    package var version: String? { value("version") }

    /// True unless the announcement excludes https.
    package var usesTLS: Bool {
        !["false", "0", "no", "off"].contains(value("ssl")?.lowercased() ?? "")
    }

    package var fingerprint: CertificateFingerprint? {
        value("fingerprint").flatMap { CertificateFingerprint($0) }
    }

    /// The announced origin of the API, on `api_port` or the port of the service.
    package var origin: Origin {
        let port = value("api_port").flatMap { UInt16($0) }.flatMap { $0 > 0 ? $0 : nil }
        return Origin(
            scheme: usesTLS ? .https : .http, host: address, port: port ?? self.port)
    }
}

/// A key of a TXT record with its value; nil without a `=` (RFC 6763, section 6.4).
package struct TXTEntry: Hashable, Sendable {
    package var key: String
    package var value: String?

    package init(_ key: String, _ value: String?) {
        self.key = key
        self.value = value
    }

    /// Parses `key=value`; invalid UTF-8 becomes U+FFFD.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        let end = bytes.firstIndex(of: UInt8(ascii: "=")) ?? bytes.endIndex
        key = String(decoding: bytes[..<end], as: UTF8.self)
        value =
            end == bytes.endIndex ? nil : String(decoding: bytes[(end + 1)...], as: UTF8.self)
    }
}

/// The file with which an avahi-daemon announces an ArgusAI server (avahi.service(5)).
package enum ServiceFile {
    /// The text of the file; `fingerprint` only helps users to compare.
    ///
    /// `%h` stands for the host name of the daemon's machine.
    package static func text(
        name: String = "ArgusAI on %h", port: UInt16, usesTLS: Bool, version: String? = nil,
        fingerprint: CertificateFingerprint? = nil
    ) -> String {
        var txt = ["api_port=\(port)", "ssl=\(usesTLS)"]
        if let version { txt.append("version=\(version)") }
        if let fingerprint { txt.append("fingerprint=\(fingerprint)") }
        let records = txt.map { "    <txt-record>\(escaped($0))</txt-record>\n" }.joined()
        return """
            <?xml version="1.0" standalone="no"?>
            <!DOCTYPE service-group SYSTEM "avahi-service.dtd">
            <service-group>
              <name replace-wildcards="yes">\(escaped(name))</name>
              <service>
                <type>_argusai._tcp</type>
                <port>\(port)</port>
            \(records)  </service>
            </service-group>

            """
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
