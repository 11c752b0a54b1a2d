import ArgusCore
import Glibc

/// A small HTTP/1.1 server of one secret path, on a thread of its own (RFC 9112).
///
/// It answers what its handler decides, and every other request with 404. Each connection serves one
/// request. A sender that is slow or sends garbage holds one of 16 places for a few seconds, or until
/// another sender needs it. A bound on everything that is read keeps its memory small.
final class PushListener: Sendable {
    /// The bounds of a listener.
    struct Limits: Sendable {
        /// The most bytes of a body; Web Push allows no more (RFC 8030, section 7.2).
        var body = 4096
        /// The most connections at once; others wait in the kernel.
        var connections = 16
        /// The time after which a sender without a whole request gives its place to one that waits.
        var readTimeout = Duration.milliseconds(50)
        /// The time for a whole request, and again for its answer.
        var time = Duration.seconds(10)
    }

    /// The origin of the URLs under which it is reached.
    let origin: Origin
    private let limits: Limits
    private let socket: SharedDescriptor
    private let mailbox: ListenerMailbox

    /// The connections that wait in the kernel.
    private static let backlog: Int32 = 128

    var port: UInt16 { origin.port }

    /// Listens on a numeric address of this machine; port 0 is any free one.
    /// - Throws: `ListenerError`.
    init(
        on address: String, port: UInt16, _ limits: Limits = Limits()
    ) throws(ListenerError) {
        let place = Origin(scheme: .http, host: address, port: port)
        func failed(_ reason: String) -> ListenerError {
            ListenerError(place: "\(place.hostInURL):\(port)", reason: reason)
        }
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, "\(port)", &hints, &list) == 0, let found = list?.pointee else {
            throw failed("it is not an address")
        }
        defer { freeaddrinfo(list) }
        let flags = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let number = Glibc.socket(found.ai_family, Int32(flags), 0)
        guard number >= 0 else { throw failed("\(Errno.current)") }
        let descriptor = OwnedDescriptor(owning: number)
        // A fixed port can be used again at once.
        var yes: Int32 = 1
        setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard bind(number, found.ai_addr, found.ai_addrlen) == 0,
            listen(number, Self.backlog) == 0, let name = SocketName.local(of: number),
            let mailbox = ListenerMailbox()
        else { throw failed("\(Errno.current)") }
        origin = Origin(scheme: .http, host: address, port: name.port)
        self.limits = limits
        self.mailbox = mailbox
        socket = SharedDescriptor(descriptor)
    }

    /// Answers requests for `path` with the status that `handle` returns, one after the other, until
    /// `close`; the answers under way are then sent.
    func run(path: String, _ handle: (ListenerRequest) async -> Int) async {
        let (arrivals, arrived) = AsyncStream.makeStream(
            of: (connection: Int, request: ListenerRequest).self)
        let (socket, limits, mailbox) = (socket, limits, mailbox)
        async let thread: Void = onOwnThread {
            ListenerLoop(socket, path: path, limits, mailbox) { arrived.yield(($0, $1)) }.run()
            arrived.finish()
        }
        for await (connection, request) in arrivals {
            mailbox.send(.answer(await handle(request), to: connection))
        }
        await thread
    }

    /// Ends `run` from any task, at once if it has not begun.
    func close() { mailbox.send(.close) }
}

/// The reason why no listener could be opened.
package struct ListenerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The address and the port, such as `192.168.1.5:8099`.
    package var place: String
    /// The system's words.
    package var reason: String

    package var description: String { "cannot listen on \(place): \(reason)" }
}
