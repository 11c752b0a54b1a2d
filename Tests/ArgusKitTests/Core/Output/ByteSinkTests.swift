import ArgusCore
import ArgusTestSupport
import Glibc
import Testing

@Suite("Writing bytes out", .hangLimit)
struct ByteSinkTests {
    @Test("bytes arrive with the flush, and not before")
    func flush() throws {
        let pipe = try TestPipe()
        _ = fcntl(pipe.reader, F_SETFL, O_NONBLOCK)
        let sink = ByteSink(descriptor: pipe.writer)
        try sink.write("one\n")
        #expect(pipe.read(upTo: 100).isEmpty)
        try sink.write([0x32, 0x0A])
        try sink.flush()
        #expect(pipe.read(upTo: 100) == Array("one\n2\n".utf8))
    }

    @Test("a patient sink writes what the reader takes, and never waits for it")
    func patient() throws {
        let pipe = try TestPipe()
        _ = fcntl(pipe.reader, F_SETFL, O_NONBLOCK)
        let sink = ByteSink(descriptor: pipe.writer)
        sink.setPatient()
        let line = Array("A line of a list, as long as such lines are.\n".utf8)
        let all = Array(repeatElement(line, count: 1200).joined())
        for _ in 0..<1200 { try sink.write(line) }
        try sink.flush()
        var got = pipe.read(upTo: all.count)
        #expect(got.isEmpty)
        // A pipe may be smaller than all this, so it is emptied in between.
        while try !sink.writeAvailable() { got += pipe.read(upTo: all.count) }
        #expect(got + pipe.read(upTo: all.count) == all)
        // Now one that is full.
        _ = fcntl(pipe.writer, F_SETFL, O_NONBLOCK)
        while write(pipe.writer, line, line.count) > 0 {}
        _ = fcntl(pipe.writer, F_SETFL, 0)
        try sink.write(line)
        #expect(try !sink.writeAvailable())
        try sink.flush()
        #expect(sink.contents == line)
    }

    @Test("a reader that has gone is an error of every later call")
    func closedPipe() throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = try TestPipe()
        pipe.closeReader()
        let sink = ByteSink(descriptor: pipe.writer)
        try sink.write("x")
        #expect(throws: OutputError.closedPipe) { try sink.flush() }
        #expect(throws: OutputError.closedPipe) { try sink.write("y") }
        #expect(throws: OutputError.closedPipe) { try sink.flush() }
    }

    @Test("a full disk is an error with its reason")
    func fullDisk() throws {
        let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let sink = ByteSink(descriptor: descriptor)
        try sink.write("x")
        #expect(throws: OutputError.failed(Errno(rawValue: ENOSPC))) { try sink.flush() }
    }

    @Test("the full disk of a file is the file's failure, by its name")
    func fullDiskOfFile() throws {
        let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let sink = ByteSink(descriptor: descriptor, of: "out.csv")
        try sink.write("x")
        let error = #expect(throws: OutputError.self) { try sink.flush() }
        #expect(error?.description == "cannot write 'out.csv': no space left on device")
    }

    @Test("a closed descriptor is an error")
    func closedDescriptor() throws {
        let sink = ByteSink(descriptor: -1)
        try sink.write("x")
        #expect(throws: OutputError.failed(Errno(rawValue: EBADF))) { try sink.flush() }
        #expect("\(OutputError.failed(Errno(rawValue: EBADF)))".contains("bad file descriptor"))
    }

    @Test("a non-blocking pipe that is full is waited for, and nothing is lost")
    func nonBlocking() throws {
        let pipe = try TestPipe()
        _ = fcntl(pipe.writer, F_SETFL, O_NONBLOCK)
        let line = Array("A line of a list, as long as such lines are.\n".utf8)
        let size = 8000 * line.count
        let reader = pipe.reader
        // Not a task: under load there may be one thread for all tasks, which would wait here for ever.
        let received = Collected<Int>()
        let thread = try TestThread { received.add(Self.count(from: reader, until: size)) }
        let sink = ByteSink(descriptor: pipe.writer)
        for _ in 0..<8000 { try sink.write(line) }
        try sink.flush()
        thread.join()
        #expect(received.all == [size])
    }

    private static func count(from descriptor: Int32, until size: Int) -> Int {
        var total = 0
        var chunk = [UInt8](repeating: 0, count: 10_000)
        while total < size {
            let count = read(descriptor, &chunk, chunk.count)
            if count <= 0 { break }
            total += count
        }
        return total
    }

    @Test("a memory sink keeps everything")
    func memory() throws {
        let sink = ByteSink.memory()
        for _ in 0..<20_000 { try sink.write("0123456789") }
        try sink.flush()
        #expect(sink.contents.count == 200_000)
        #expect(sink.text.hasPrefix("01234567890"))
    }
}
