import Glibc
import Testing

/// Two ends of a pipe, closed when the test is over.
final class TestPipe {
    let reader: Int32
    let writer: Int32
    private var readerIsOpen = true

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        (reader, writer) = (ends[0], ends[1])
    }

    deinit {
        closeReader()
        close(writer)
    }

    func closeReader() {
        if readerIsOpen { close(reader) }
        readerIsOpen = false
    }

    func read(upTo count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { target, filled in
            filled = max(Glibc.read(reader, target.baseAddress, count), 0)
        }
    }
}
