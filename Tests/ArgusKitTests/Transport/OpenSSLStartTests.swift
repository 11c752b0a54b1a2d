import Synchronization
import Testing

@testable import ArgusKit

@Suite("the start of OpenSSL", .serialized)
struct OpenSSLStartTests {
    /// The options that the function was called with; a C function has no other place for them.
    private static let calls = Mutex<[UInt64]>([])

    private let start = OpenSSLStart {
        { options, _ in
            OpenSSLStartTests.calls.withLock { $0.append(options) }
            return 1
        }
    }

    init() {
        Self.calls.withLock { $0 = [] }
    }

    private var calls: [UInt64] { Self.calls.withLock { $0 } }

    @Test("what libcurl asks for is put off, and done before TLS is spoken, once")
    func putsOff() {
        let answer = start.puttingOff { start.ask(6, nil) }
        #expect(answer == 1)
        #expect(calls == [])
        start.catchUp()
        start.catchUp()
        #expect(calls == [6])
    }

    @Test("every later caller gets it at once, after the delayed work")
    func handsOn() {
        _ = start.puttingOff { start.ask(6, nil) }
        #expect(start.ask(1, nil) == 1)
        #expect(start.ask(2, nil) == 1)
        #expect(calls == [6, 1, 2])
        let settings = OpaquePointer(bitPattern: 8)
        #expect(start.puttingOff { start.ask(3, settings) } == 1)
        #expect(calls == [6, 1, 2, 3])
    }

    @Test("without the library it cannot be prepared")
    func absent() {
        let start = OpenSSLStart { nil }
        #expect(start.puttingOff { start.ask(6, nil) } == 1)
        start.catchUp()
        #expect(start.ask(1, nil) == 0)
    }
}
