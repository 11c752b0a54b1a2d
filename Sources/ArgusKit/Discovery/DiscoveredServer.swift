/// An ArgusAI server as announced on the local network, without any proof: one service at one
/// address.
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
