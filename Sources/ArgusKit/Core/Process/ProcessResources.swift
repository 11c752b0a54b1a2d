internal import CProcess
import Glibc

/// The descriptors that a run needs.
///
/// Swift's runtime ends the process without a word when it gets none for its event loop.
package enum ProcessResources {
    /// The descriptors of a run with a server: the runtime's, libcurl's, a lock, a file and spare ones.
    private static let descriptorCount = 24

    /// Returns why the process lacks descriptors; nil if it has enough.
    package static func shortage() -> String? {
        var files: [Int32] = []
        defer { for file in files { close(file) } }
        for _ in 0..<descriptorCount {
            let file =
                files.isEmpty ? argus_event_descriptor() : open("/dev/null", O_RDONLY | O_CLOEXEC)
            if file >= 0 {
                files.append(file)
            } else if [EMFILE, ENFILE, ENOMEM].contains(errno) {
                return "\(descriptorCount) free file descriptors are needed: \(Errno.current)"
            }
        }
        return nil
    }
}
