import ArgusCore
import Glibc

extension Context {
    /// Writes a result to FILE, which it replaces at once; a device or a pipe gets it as it is.
    ///
    /// - Throws: `Failure` 1.
    func write(_ bytes: [UInt8], toFile word: String) throws(Failure) {
        let target = try attempt(OutputTarget.resolve(word, isBinary: false, force: true))
        do throws(FileSystemError) {
            if case .folder = target {
                throw FileSystemError(.create, word, .errno(Errno(rawValue: EISDIR)))
            }
            let file = try target.open(named: word, force: true)
            try file.write(bytes)
            try file.commit()
        } catch {
            throw error.isClosedPipe ? .closedPipe : Failure(error)
        }
    }
}
