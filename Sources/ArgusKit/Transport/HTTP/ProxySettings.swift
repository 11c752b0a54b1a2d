package import ArgusCore

/// The proxies of the environment, which loopback never uses.
///
/// libcurl would read the same variables, and send a bearer token for `127.0.0.1` to the proxy
/// unless `no_proxy` prevents it.
package struct ProxySettings: Sendable {
    private let http, https: Redacted<String>?
    private let exceptions: [Substring]

    /// No proxy for anything.
    package static let none = ProxySettings(environment: [:])

    /// Reads `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` as curl(1) does.
    ///
    /// Lower case takes precedence. `HTTP_PROXY` is not read, because a web server sets it from a
    /// request's `Proxy` field in the environment of its scripts (CVE-2016-5385).
    package init(environment: [String: String]) {
        func value(_ names: String...) -> String? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        let all = value("all_proxy", "ALL_PROXY")
        http = (value("http_proxy") ?? all).map(Self.maskingPassword(of:))
        https = (value("https_proxy", "HTTPS_PROXY") ?? all).map(Self.maskingPassword(of:))
        exceptions = (value("no_proxy", "NO_PROXY") ?? "").split { $0 == "," || $0 == " " }
    }

    /// A proxy's URL, which masks its password, escaped or not, when it is printed.
    private static func maskingPassword(of url: String) -> Redacted<String> {
        let host = url.lastIndex(of: "@")
        let userInfo = host.map { url[..<$0] }?.split(separator: "/").last ?? ""
        let password = userInfo.split(separator: ":", maxSplits: 1).last.map(String.init) ?? ""
        return Redacted(url, masking: [password, PercentEncoding.decode(password) ?? ""])
    }

    /// The proxy's URL, which may contain a password; nil for a direct connection.
    package func proxy(for origin: Origin) -> Redacted<String>? {
        guard !origin.isLoopback, !isException(origin.host) else { return nil }
        return origin.scheme == .https ? https : http
    }

    /// True if `no_proxy` covers the host: `*`, a domain, an address or a network (`10.0.0.0/8`).
    private func isException(_ host: String) -> Bool {
        let host = host.hasSuffix(".") ? String(host.dropLast()) : host
        let address = HostAddress(host)
        return exceptions.contains { exception in
            if exception == "*" { return true }
            if let address { return Self.names(exception, address) }
            var name = exception.lowercased()[...]
            if name.hasPrefix(".") { name = name.dropFirst() }
            if name.hasSuffix(".") { name = name.dropLast() }
            return !name.isEmpty && (host == name || host.hasSuffix(".\(name)"))
        }
    }

    private static func names(_ exception: Substring, _ address: HostAddress) -> Bool {
        let parts = exception.split(separator: "/", maxSplits: 1)
        guard let first = parts.first else { return false }
        let bare =
            first.hasPrefix("[") && first.hasSuffix("]") ? first.dropFirst().dropLast() : first
        guard let network = HostAddress(String(bare)) else { return false }
        guard parts.count == 2 else { return network == address }
        guard let length = Int(parts[1]) else { return false }
        return address.shares(prefix: length, with: network)
    }
}
