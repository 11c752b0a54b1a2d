import ArgusCore
import ArgusTestSupport
import Glibc
import Synchronization
import Testing

@Suite("FileLock")
struct FileLockTests {
    @Test("a held lock is waited for up to the bound, without real sleep")
    func waitsUpToBound() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("lock")
        let holder = try await FileLock(path, timeout: .zero)
        let waited = Mutex(Duration.zero)
        let error = await #expect(throws: FileSystemError.self) {
            _ = try await FileLock(path, timeout: .seconds(2)) { pause in
                waited.withLock { $0 += pause }
            }
        }
        #expect(error == FileSystemError(.lock, path, .locked))
        #expect(waited.withLock { $0 } >= .seconds(2))
        #expect(waited.withLock { $0 } < .milliseconds(2200))
        holder.release()
        _ = try await FileLock(path, timeout: .zero)
        #expect(try permissions(path) == 0o600)
    }

    @Test("a lock dies with the process that held it")
    func diesWithHolder() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("lock")
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let lock = try await FileLock(path, timeout: .zero)
            kill(getpid(), SIGKILL)
            lock.release()
        }
        _ = try await FileLock(path, timeout: .zero)
    }

    @Test("a released lock is free, even if a child has not reached its exec yet")
    func childBeforeExec() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("lock")
        let lock = try await FileLock(path, timeout: .zero)
        // A child shares the description of the open file, as a duplicate does.
        var file = stat()
        #expect(stat(path, &file) == 0)
        let shared = (3..<Int32(1024)).first { number in
            var status = stat()
            return fstat(number, &status) == 0 && status.st_ino == file.st_ino
                && status.st_dev == file.st_dev
        }
        let copy = dup(try #require(shared))
        defer { close(copy) }
        lock.release()
        _ = try await FileLock(path, timeout: .zero)
    }

    @Test("a cancelled waiter gives up")
    func givesUpWhenCancelled() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("lock")
        let holder = try await FileLock(path, timeout: .zero)
        let error = await #expect(throws: FileSystemError.self) {
            _ = try await FileLock(path, timeout: .seconds(1000)) { _ in
                throw CancellationError()
            }
        }
        #expect(error?.reason == .locked)
        holder.release()
    }

    @Test("a link in the place of the lock is refused")
    func refusesLink() async throws {
        let folder = try TemporaryFolder()
        try #require(symlink(folder.file("elsewhere"), folder.file("lock")) == 0)
        await #expect(throws: FileSystemError.self) {
            _ = try await FileLock(folder.file("lock"), timeout: .zero)
        }
        #expect(try folder.names() == ["lock"])
    }
}
