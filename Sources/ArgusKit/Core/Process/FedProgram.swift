import Glibc
import Synchronization

/// A program that reads what it is given until the end, such as an encoder, and writes to a descriptor.
///
/// It has a group of its own: after Ctrl-C it finds the end of its input, and no file to keep.
package final class FedProgram: Sendable {
    private let program: Subprocess
    /// The writing end of its input; -1 once that is closed.
    private let input: Mutex<Int32>
    private let errors: SpoolFile

    /// Starts a program, at an absolute path, whose stdout is `output`.
    /// - Throws: The errno if it cannot be started.
    package init(
        _ path: String, _ arguments: [String], environment: Environment, output: Int32
    ) throws(Errno) {
        let pipe = Pipe()
        guard pipe.open() else { throw .current }
        let errors = try rethrowing(SpoolFile(inMemory: [])) { (_: FileSystemError) in
            Errno.current
        }
        program = try errors.withStream { (stream) throws(Errno) in
            try Subprocess(
                path, arguments, variables: environment.childWords,
                streams: [(pipe.reading, 0), (output, 1), (stream, 2)], group: .new)
        }
        self.errors = errors
        // The pipe closes its own ends.
        input = Mutex(fcntl(pipe.writing, F_DUPFD_CLOEXEC, 3))
    }

    deinit {
        closeInput()
        program.killGroup()
    }

    /// Hands bytes over, which waits until the program has taken most of them.
    /// - Throws: The errno; EPIPE once the program has ended.
    package func write(_ bytes: [UInt8]) async throws(Errno) {
        let result = await onOwnThread { [self] () -> Result<Void, Errno> in
            let number = input.withLock(\.self)
            do throws(FileSystemError) {
                try writeAll(bytes, to: number, named: "the program")
                return .success(())
            } catch {
                if case .errno(let code) = error.reason { return .failure(code) }
                return .failure(.current)
            }
        }
        try result.get()
    }

    /// Ends the input and waits for the program; returns how it ended, and what it wrote to stderr.
    package func finish() async -> (ending: Subprocess.Ending, errors: String) {
        closeInput()
        let ending = await program.ending()
        let bytes = (try? errors.read(from: 0, count: 4096)) ?? []
        return (ending, String(decoding: bytes, as: UTF8.self))
    }

    private func closeInput() {
        input.withLock { number in
            if number >= 0 { close(number) }
            number = -1
        }
    }
}
