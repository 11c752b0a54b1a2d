internal import CProcess
import Glibc

/// The descriptors and threads that a run needs.
///
/// Swift's runtime ends the process without a word when it gets no descriptor for its event loop, and
/// waits for ever for a thread that it does not get.
package enum ProcessResources {
    /// The descriptors of a run with a server: the runtime's, libcurl's, a lock, a file and spare ones.
    private static let descriptorCount = 24

    /// Returns why the process lacks descriptors or threads; nil if it has enough, and the thread that
    /// was tried runs `body`.
    package static func shortage(
        running body: @escaping @Sendable () -> Void = {}
    ) -> String? {
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
        do throws(Errno) {
            try startDetachedThread {
                blockSignals()
                body()
            }
            return nil
        } catch {
            return "the system grants no thread: \(error)"
        }
    }
}
