import FoundationEssentials
import Glibc

/// A temporary HOME.
struct ThrowAwayHome {
    let path: String

    /// Makes a folder that only this user can enter.
    init() throws(SystemFailure) {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(folder)/argus-demo.XXXXXX".utf8CString)
        // mkdtemp makes it 0700.
        guard mkdtemp(&template) != nil else {
            throw SystemFailure("cannot make a folder in \(folder)")
        }
        path = String(
            decoding: template.dropLast().map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
    }

    /// Writes a file that only this user can read, and returns its path.
    func write(_ text: String, to name: String) throws(SystemFailure) -> String {
        let path = "\(path)/\(name)"
        try PrivateFile.write(text, to: path)
        return path
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}

/// Files with secrets.
enum PrivateFile {
    /// Writes a file, readable by its owner only, that appears complete under its name.
    static func write(_ text: String, to path: String) throws(SystemFailure) {
        let part = "\(path).part"
        let descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemFailure("cannot write \(path)") }
        Demo.write(text, to: descriptor)
        guard close(descriptor) == 0, rename(part, path) == 0 else {
            throw SystemFailure("cannot write \(path)")
        }
    }
}
