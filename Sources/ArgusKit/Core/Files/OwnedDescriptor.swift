package import Glibc

/// A file descriptor that is closed with its owner and not inherited by children.
package struct OwnedDescriptor: ~Copyable, Sendable {
    /// The number of the descriptor.
    package let rawValue: Int32

    package init(owning rawValue: Int32) { self.rawValue = rawValue }

    /// Opens a file with O_CLOEXEC and the given flags (open(2)).
    /// - Throws: With the given operation; `.symbolicLink` for a link with O_NOFOLLOW.
    package init(
        _ path: String, _ flags: Int32, mode: mode_t = 0,
        for operation: FileSystemError.Operation = .open
    ) throws(FileSystemError) {
        let number = retryingInterrupts { open(path, flags | O_CLOEXEC, mode) }
        guard number >= 0 else { throw .opening(path, flags, for: operation) }
        rawValue = number
    }

    /// Opens a file of argus's own to append to it, 0600 at creation.
    /// - Throws: `FileSystemError` for anything but a regular file of this user or root; a pipe in
    ///   its place does not block.
    package static func appending(
        to path: String, for operation: FileSystemError.Operation
    ) throws(FileSystemError) -> OwnedDescriptor {
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK
        let file = try OwnedDescriptor(path, flags, mode: 0o600, for: operation)
        try file.status(of: path).expectOwnFile(path, for: operation)
        return file
    }

    deinit {
        // Linux frees the number even if close(2) reports an error, so there is nothing to retry.
        close(rawValue)
    }

    /// The status of the open file (fstat(2)).
    package func status(of path: String) throws(FileSystemError) -> stat {
        var status = stat()
        guard fstat(rawValue, &status) == 0 else { throw .current(.inspect, path) }
        return status
    }

    /// Gives up the descriptor, which stays open.
    consuming func release() -> Int32 {
        let number = rawValue
        discard self
        return number
    }
}

extension stat {
    var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }

    /// Checks that the file is a regular one of this user or root.
    /// - Throws: `.notRegularFile` or `.foreignOwner`.
    func expectOwnFile(
        _ path: String, for operation: FileSystemError.Operation
    ) throws(FileSystemError) {
        guard isRegularFile else { throw FileSystemError(operation, path, .notRegularFile) }
        guard st_uid == geteuid() || st_uid == 0 else {
            throw FileSystemError(operation, path, .foreignOwner(st_uid))
        }
    }
}

/// A descriptor with several owners, closed with the last one.
package final class SharedDescriptor: Sendable {
    package let descriptor: OwnedDescriptor

    package init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }
}

/// A file that grows at its end.
package protocol ByteDestination: Sendable {
    /// Appends bytes.
    /// - Throws: `FileSystemError`.
    func write(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError)
}

extension ByteDestination {
    package func write(_ bytes: [UInt8]) throws(FileSystemError) {
        // `withUnsafeBytes` erases typed errors.
        try bytes.withUnsafeBufferPointer { bytes throws(FileSystemError) in
            try write(UnsafeRawBufferPointer(bytes))
        }
    }
}

extension ByteDestination {
    /// Appends all bytes of a spool.
    package func write(_ spool: SpoolFile) throws(FileSystemError) {
        var offset = 0
        while true {
            let block = try spool.read(from: offset, count: 1 << 18)
            if block.isEmpty { return }
            try write(block)
            offset += block.count
        }
    }
}

/// Writes every byte (write(2)), continuing after interrupts and short writes, and waiting for a
/// descriptor that a parent process has made non-blocking.
package func writeAll(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, named path: String
) throws(FileSystemError) {
    var rest = bytes
    while !rest.isEmpty {
        let count = retryingInterrupts { write(descriptor, rest.baseAddress, rest.count) }
        if count >= 0 {
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        } else if errno == EAGAIN {
            var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&request, 1, -1)
        } else {
            throw .current(.write, path)
        }
    }
}

/// Writes every byte of an array in the same way.
package func writeAll(_ bytes: [UInt8], to descriptor: Int32, named path: String)
    throws(FileSystemError)
{
    try bytes.withUnsafeBufferPointer { bytes throws(FileSystemError) in
        try writeAll(UnsafeRawBufferPointer(bytes), to: descriptor, named: path)
    }
}

/// Reads an open file to its end (read(2)); the descriptor stays open.
/// - Throws: `.tooLarge` as soon as more than `limit` bytes have come.
package func readToEnd(
    of descriptor: Int32, named path: String, limit: Int
) throws(FileSystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    // Most files here fit into the first block.
    var room = 4 << 10
    while true {
        var failure: FileSystemError?
        let block = [UInt8](unsafeUninitializedCapacity: min(room, limit + 1)) { buffer, count in
            let got = retryingInterrupts { read(descriptor, buffer.baseAddress, buffer.count) }
            if got < 0 { failure = .current(.read, path) }
            count = max(got, 0)
        }
        if let failure { throw failure }
        if block.isEmpty { return bytes }
        bytes += block
        guard bytes.count <= limit else {
            throw FileSystemError(.read, path, .tooLarge(limit: limit))
        }
        room = 64 << 10
    }
}

/// Reads `count` bytes at an offset (pread(2)), fewer at the end of the file.
package func readPart(
    of descriptor: Int32, named path: String, from offset: Int, count: Int
) throws(FileSystemError) -> [UInt8] {
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, got in
        let number = retryingInterrupts { pread(descriptor, buffer.baseAddress, count, offset) }
        failed = number < 0
        got = max(number, 0)
    }
    if failed { throw .current(.read, path) }
    return bytes
}

/// Repeats a C call while signals interrupt it (EINTR) and returns its result.
package func retryingInterrupts<Number: SignedInteger>(_ call: () -> Number) -> Number {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
