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
