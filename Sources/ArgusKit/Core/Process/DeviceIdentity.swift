internal import Crypto
internal import FoundationEssentials
package import Glibc

/// The identity of this machine and user in requests and on a server's list of devices.
package struct DeviceIdentity: Hashable, Sendable {
    /// A lower-case UUID, stable for one user on one machine.
    package var id: String
    /// The product name of the machine, or `Linux` and its architecture.
    package var model: String
    /// The system and its version, such as `Debian GNU/Linux 12`.
    package var system: String
    /// The host's name without its domain, for users with several machines.
    package var name: String

    /// Reads the identity from three small files and the kernel.
    package static func current() -> DeviceIdentity {
        var names = utsname()
        uname(&names)
        let machine = (try? MachineID.read())?.reveal() ?? text(&names.nodename)
        let model = FileContents.text(of: "/sys/class/dmi/id/product_name")
            .split(separator: "\n").first
        let system = name(inRelease: FileContents.text(of: "/etc/os-release"))
        let host = text(&names.nodename).split(separator: ".").first
        return DeviceIdentity(
            id: id(machine: machine, user: getuid()),
            model: model.flatMap(plain) ?? "Linux \(text(&names.machine))",
            system: system.flatMap { plain($0[...]) } ?? "Linux",
            name: host.flatMap(plain) ?? "Linux")
    }

    /// The id of a user on a machine, whose own id stays secret: only its keyed hash is sent, as
    /// machine-id(5) asks.
    package static func id(machine: String, user: uid_t) -> String {
        uuid(of: "argus device \(user)", key: machine)
    }

    /// The hardware id of the pairing of a record, given by its path.
    ///
    /// Each record of each state folder is a separate device, so revoking one does not end the
    /// sign-in of another.
    package func pairingID(of record: String) -> String {
        Self.uuid(of: "argus pairing \(record)", key: id)
    }

    private static func uuid(of text: String, key: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array(text.utf8), using: SymmetricKey(data: Array(key.utf8)))
        var bytes = code.withUnsafeBytes { Array($0.prefix(16)) }
        // A version 4 UUID by its form (RFC 9562, section 5.4), as systemd makes them.
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let id = bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
        return UUID(uuid: id).uuidString.lowercased()
    }

    /// The `User-Agent` of a program, such as `argus/0.1.0 (Linux x86_64; Debian GNU/Linux 12)`.
    package func userAgent(of program: String) -> String { "\(program) (\(model); \(system))" }

    /// `NAME` and `VERSION_ID` of os-release(5).
    static func name(inRelease text: String) -> String? {
        func value(_ key: String) -> String? {
            let line = text.split(separator: "\n").first { $0.hasPrefix(key + "=") }
            return line.map { String($0.dropFirst(key.utf8.count + 1).filter { $0 != "\"" }) }
        }
        guard let name = value("NAME") else { return nil }
        return value("VERSION_ID").map { "\(name) \($0)" } ?? name
    }

    /// The characters that a header field's comment may have (RFC 9110, section 5.6.5); nil if none.
    private static func plain(_ text: Substring) -> String? {
        let letters = text.utf8.filter { (0x20...0x7E).contains($0) && !"();\\".utf8.contains($0) }
        return letters.isEmpty ? nil : String(decoding: letters.prefix(64), as: UTF8.self)
    }

    private static func text<Characters>(_ field: inout Characters) -> String {
        withUnsafeBytes(of: &field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

/// The confidential id of this installation of the operating system (machine-id(5)); only values
/// derived from it with a key may be shown.
package enum MachineID {
    /// Reads the id; nil if there is none yet, as in many containers.
    /// - Throws: `FileSystemError` if there is a file that cannot be read now.
    package static func read(
        _ path: String = "/etc/machine-id"
    ) throws(FileSystemError) -> Redacted<String>? {
        let bytes = try FileContents.bytes(ifAny: path, trust: .named, limit: 4096)
        guard let line = bytes?.prefix(while: { $0 != 0x0A }) else { return nil }
        // Before the first boot the file holds `uninitialized`.
        let isID = line.count == 32 && line.allSatisfy("0123456789abcdef".utf8.contains)
        return isID ? Redacted(String(decoding: line, as: UTF8.self)) : nil
    }
}
