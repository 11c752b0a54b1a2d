import Glibc

/// Reading the text of IP addresses.
enum IPAddressBytes {
    /// The four bytes of a dotted IPv4 address (inet_pton(3), which takes no short forms).
    static func version4(_ text: String) -> [UInt8]? { bytes(text, AF_INET, count: 4) }

    /// The sixteen bytes of an IPv6 address; a zone such as `%eth0` is left aside.
    static func version6(_ text: String) -> [UInt8]? {
        bytes(String(text.prefix { $0 != "%" }), AF_INET6, count: 16)
    }

    private static func bytes(_ text: String, _ family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }
}
