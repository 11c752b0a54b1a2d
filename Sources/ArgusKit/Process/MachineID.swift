/// The id of this installation of the operating system (machine-id(5)).
///
/// It is confidential: only values derived from it with a key may be shown.
package enum MachineID {
    /// Reads the id; nil if there is none yet, as in many containers.
    package static func read(_ path: String = "/etc/machine-id") -> Redacted<String>? {
        guard let file = try? FileContents(path, trust: .named, limit: 4096) else { return nil }
        let line = file.bytes.prefix { $0 != 0x0A }
        // Before the first boot the file holds `uninitialized`.
        let isID =
            line.count == 32
            && line.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        return isID ? Redacted(String(decoding: line, as: UTF8.self)) : nil
    }
}
