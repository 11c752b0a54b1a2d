import Synchronization
import Testing

@testable import ArgusKit

@Suite("the start of OpenSSL", .serialized)
struct OpenSSLInitialisationTests {
    /// The options that the function was called with; a C function has no other place for them.
    private static let calls = Mutex<[UInt64]>([])

    private let start = OpenSSLInitialisation {
        { options, _ in
            OpenSSLInitialisationTests.calls.withLock { $0.append(options) }
            return 1
        }
    }

    init() {
        Self.calls.withLock { $0 = [] }
    }

    private var calls: [UInt64] { Self.calls.withLock { $0 } }

    @Test("what libcurl asks for is put off, and done before TLS is spoken, once")
    func putsOff() {
        let answer = start.deferring { start.initialise(6, nil) }
        #expect(answer == 1)
        #expect(calls == [])
        start.runDeferred()
        start.runDeferred()
        #expect(calls == [6])
    }

    @Test("every later caller gets it at once, after the delayed work")
    func handsOn() {
        _ = start.deferring { start.initialise(6, nil) }
        #expect(start.initialise(1, nil) == 1)
        #expect(start.initialise(2, nil) == 1)
        #expect(calls == [6, 1, 2])
        let settings = OpaquePointer(bitPattern: 8)
        #expect(start.deferring { start.initialise(3, settings) } == 1)
        #expect(calls == [6, 1, 2, 3])
    }

    @Test("without the library it cannot be prepared")
    func absent() {
        let start = OpenSSLInitialisation { nil }
        #expect(start.deferring { start.initialise(6, nil) } == 1)
        start.runDeferred()
        #expect(start.initialise(1, nil) == 0)
    }
}
