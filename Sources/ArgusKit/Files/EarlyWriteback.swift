internal import CProcess
import Glibc

/// A file that the kernel begins to write before its program asks for it, so that a later fsync(2) or
/// fdatasync(2) of much new content waits less for the disk.
///
/// It has a descriptor of its own, at whose end all locks of this process on the file end too
/// (fcntl(2)): keep it as long as there are any.
final class EarlyWriteback {
    private let file: Int32

    init(_ path: String) { file = open(path, O_RDONLY | O_CLOEXEC) }

    deinit { if file >= 0 { close(file) } }

    /// Has the kernel begin to write what the file has so far.
    func start() { argus_start_writeback(file) }
}
