import ArgusCore
import CAvahi
import Glibc

/// A service that was seen, before and after it is resolved.
final class AvahiService {
    unowned let search: AvahiSearch
    let interface: AvahiIfIndex
    let family: AvahiProtocol
    let name: String
    let type: String
    let domain: String
    var answer: (host: String, port: UInt16, txt: [TXTEntry])?

    init(
        _ search: AvahiSearch, _ interface: AvahiIfIndex, _ family: AvahiProtocol, name: String,
        type: String, domain: String
    ) {
        self.search = search
        self.interface = interface
        self.family = family
        self.name = name
        self.type = type
        self.domain = domain
    }
}

/// A host whose addresses are collected.
final class AvahiHost {
    /// An address record: four or sixteen bytes, and the interface that it came from.
    struct Address: Hashable {
        var bytes: [UInt8]
        var interface: AvahiIfIndex

        /// The address as users write it, with its scope only if it is link-local.
        func text(scope: String) -> String {
            let family = bytes.count == 4 ? AF_INET : AF_INET6
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
            let plain = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
            return bytes.count == 16 && HostAddress.v6(bytes).isLinkLocal
                ? "\(plain)%\(scope)" : plain
        }
    }

    unowned let search: AvahiSearch
    let name: String
    let interface: AvahiIfIndex
    var addresses: [Address] = []
    /// The services of this host; nil stands for the host itself.
    var services: [AvahiService?] = []

    init(_ name: String, on interface: AvahiIfIndex, for search: AvahiSearch) {
        self.name = name
        self.interface = interface
        self.search = search
    }
}
