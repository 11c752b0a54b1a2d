import ArgusCore
internal import CProcess
import Glibc

/// The work of a listener's thread: accepts, reads and answers with poll(2) and deadlines.
final class ListenerLoop {
    private let socket: SharedDescriptor
    private let path: String
    private let limits: PushListener.Limits
    private let mailbox: ListenerMailbox
    private let arrived: (_ connection: Int, ListenerRequest) -> Void
    private var connections: [ListenerConnection] = []
    private var lastNumber = 0
    private var isClosing = false
    /// The time before which no connection is accepted, after a lack of descriptors or memory
    /// (accept(2)).
    private var pausedUntil = Duration.zero
    private static let pause = Duration.milliseconds(100)

    init(
        _ socket: SharedDescriptor, path: String, _ limits: PushListener.Limits,
        _ mailbox: ListenerMailbox, arrived: @escaping (Int, ListenerRequest) -> Void
    ) {
        (self.socket, self.path, self.limits) = (socket, path, limits)
        (self.mailbox, self.arrived) = (mailbox, arrived)
    }

    /// Runs until a `close` has come and the answers under way are sent.
    func run() {
        // Further connections are refused, and the port is free.
        defer { shutdown(socket.descriptor.rawValue, Int32(SHUT_RDWR)) }
        while !isClosing || !connections.isEmpty {
            let accepts = accepts(.sinceBoot())
            var polled = [
                pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(
                    fd: accepts ? socket.descriptor.rawValue : -1, events: Int16(POLLIN),
                    revents: 0),
            ]
            polled += connections.map {
                pollfd(fd: $0.descriptor, events: $0.events, revents: 0)
            }
            let count = poll(&polled, nfds_t(polled.count), timeout)
            // Only for want of memory, unless by a signal (poll(2)).
            if count < 0, errno != EINTR { usleep(100_000) }
            let now = Duration.sinceBoot()
            if count > 0 {
                for (connection, entry) in zip(connections, polled.dropFirst(2))
                where entry.revents != 0 { advance(connection, entry.revents, now) }
                if polled[0].revents != 0 { obey(now) }
            }
            connections.removeAll { $0.phase == .over || $0.deadline <= now }
            if count > 0, polled[1].revents != 0 { accept(now) }
        }
    }

    private var isFull: Bool { connections.count >= limits.connections }

    /// The index of the connection that makes room for another: the oldest one that is answered, else
    /// the oldest one that has sent no whole request in time.
    private func dispensable(_ now: Duration) -> Int? {
        connections.firstIndex { $0.phase == .draining }
            ?? connections.firstIndex { $0.phase == .reading && $0.readDeadline <= now }
    }

    private func accepts(_ now: Duration) -> Bool {
        !isClosing && pausedUntil <= now && (!isFull || dispensable(now) != nil)
    }

    /// The milliseconds until the next deadline, rounded up; -1 if there is none.
    private var timeout: Int32 {
        let now = Duration.sinceBoot()
        var times = connections.map(\.deadline).filter { $0 != ListenerConnection.never }
        if isFull {
            let reading = connections.filter { $0.phase == .reading }
            times += reading.map(\.readDeadline).filter { $0 > now }
        }
        if pausedUntil > now { times.append(pausedUntil) }
        guard let next = times.min() else { return -1 }
        let rest = max(next - now, .zero).components
        return Int32(clamping: rest.seconds * 1000 + rest.attoseconds / 1_000_000_000_000_000 + 1)
    }

    private func accept(_ now: Duration) {
        while accepts(now) {
            let number = argus_accept(socket.descriptor.rawValue)
            guard number >= 0 else {
                if errno == EAGAIN { return }
                // An idle sender holds the descriptor that one with a notification needs.
                if [EMFILE, ENFILE].contains(errno), let index = dispensable(now) {
                    connections.remove(at: index)
                    continue
                }
                pausedUntil = now + Self.pause
                return
            }
            lastNumber += 1
            let wasFull = isFull
            if wasFull, let index = dispensable(now) { connections.remove(at: index) }
            connections.append(
                ListenerConnection(
                    lastNumber, OwnedDescriptor(owning: number),
                    RequestParser(path: path, longestBody: limits.body),
                    readDeadline: now + limits.readTimeout, deadline: now + limits.time))
            // Reads from the other connections before another one loses its place.
            if wasFull { return }
        }
    }

    private func advance(_ connection: ListenerConnection, _ found: Int16, _ now: Duration) {
        if let request = connection.advance(found, now, limits.time) {
            guard !isClosing else { return connection.end() }
            arrived(connection.number, request)
        }
    }

    private func obey(_ now: Duration) {
        for message in mailbox.take() {
            switch message {
            case .answer(let status, let number):
                connections.first { $0.number == number }?.answer(status, until: now + limits.time)
            case .close:
                isClosing = true
                for connection in connections
                where ![.handling, .writing].contains(connection.phase) { connection.end() }
            }
        }
    }
}
