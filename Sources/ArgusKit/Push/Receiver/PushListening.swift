package import ArgusEvents
package import ArgusAccount
import ArgusTransport
internal import Synchronization

/// The pushes of a server to this machine, with the changes of the subscription: subscribes, compares
/// with the server now and then, and subscribes anew where this machine gets another address.
///
/// One task takes items with `for try await` and answers each notification. The sequence ends once a
/// stop was signalled; `end` ends the subscription in any case.
package final class PushListening: AsyncSequence, Sendable {
    package enum Item: Sendable {
        /// A push, which `answer` has to answer.
        case notification(PushNotification)
        /// The server pushes to this address of the machine.
        case subscribed(String)
        /// This machine now faces the server with another address, and subscribes anew.
        case moved
        /// The server gives no usable answer; the receiver goes on trying.
        case retrying(PushReceiverError)
    }

    package typealias Element = Item
    package typealias Failure = PushReceiverError

    /// The pause between two comparisons with the server.
    private static let interval = Duration.seconds(300)

    private struct State {
        /// The sender of the last notification, which waits for its answer.
        var waiting: CheckedContinuation<Bool, Never>?
        var isOver = false
        var work: Task<Result<Void, PushReceiverError>, Never>?
    }

    private let bindAddress: PushReceiver.BindAddress
    private let server: SignedInServer
    private let environment: PushReceiver.Environment
    private let run: ServiceRun
    private let items = AsyncStream<Item>.makeStream()
    private let state = Mutex(State())

    /// Prepares to listen; nothing is sent before the first item is taken.
    package init(
        at bindAddress: PushReceiver.BindAddress, of server: SignedInServer,
        in environment: PushReceiver.Environment, by run: ServiceRun
    ) {
        (self.bindAddress, self.server) = (bindAddress, server)
        (self.environment, self.run) = (environment, run)
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var items: AsyncStream<Item>.Iterator
        fileprivate let work: Task<Result<Void, PushReceiverError>, Never>

        /// - Throws: `PushReceiverError` of a server that refuses for good, or of the listener.
        package mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(PushReceiverError) -> Item? {
            if let item = await items.next(isolation: actor) { return item }
            try await work.value.get()
            return nil
        }
    }

    package func makeAsyncIterator() -> AsyncIterator {
        let work = Task { [self] in
            let result: Result<Void, PushReceiverError>
            do throws(PushReceiverError) {
                result = .success(try await listen())
            } catch {
                result = .failure(error)
            }
            items.continuation.finish()
            return result
        }
        state.withLock { $0.work = work }
        return AsyncIterator(items: items.stream.makeAsyncIterator(), work: work)
    }

    /// Answers the sender of the last notification; one that was not taken may send it again.
    package func answer(isTaken: Bool) {
        state.withLock { $0.waiting.take() }?.resume(returning: isTaken)
    }

    /// Ends the subscription, and takes no more notifications.
    package func end() async {
        let work = state.withLock { state in
            state.isOver = true
            return state.work
        }
        answer(isTaken: false)
        await run.send(.stop)
        _ = await work?.value
    }

    private func listen() async throws(PushReceiverError) {
        while let receiver = try await opened(), try await serve(receiver) {
            items.continuation.yield(.moved)
        }
    }

    /// Opens a receiver once a server that is down answers; nil if a stop is requested first.
    private func opened() async throws(PushReceiverError) -> PushReceiver? {
        try await retrying { () async throws(PushReceiverError) in
            try await PushReceiver(at: bindAddress, of: server, in: environment)
        }
    }

    /// Takes notifications until the receiver has to end; true if this machine has moved.
    private func serve(_ receiver: PushReceiver) async throws(PushReceiverError) -> Bool {
        async let subscription = subscription(of: receiver)
        let isClosed = await receiver.run { [self] notification in await offer(notification) }
        if !isClosed { await run.send(.disconnected("the system has closed the listener")) }
        return try await subscription.get()
    }

    /// Subscribes until the receiver has to end, and then ends the subscription, even if the last
    /// notification has no answer yet.
    private func subscription(
        of receiver: PushReceiver
    ) async -> Result<Bool, PushReceiverError> {
        let result: Result<Bool, PushReceiverError>
        do throws(PushReceiverError) {
            result = .success(try await keep(receiver))
        } catch {
            result = .failure(error)
        }
        await receiver.end()
        return result
    }

    /// Subscribes, and compares with the server now and then; true once this machine has moved.
    private func keep(_ receiver: PushReceiver) async throws(PushReceiverError) -> Bool {
        while true {
            let isSubscribed = try await retrying { () async throws(PushReceiverError) in
                do throws(APIError) {
                    return try await receiver.renew()
                } catch {
                    throw .server(error)
                }
            }
            guard let isSubscribed else { return false }
            guard isSubscribed else { return true }
            items.continuation.yield(.subscribed(receiver.origin))
            switch await run.wait(until: await run.now() + Self.interval) {
            case .stop?: return false
            case .disconnected(let reason)?:
                throw .listener(ListenerError(place: receiver.origin, reason: reason))
            default: break
            }
        }
    }

    private func retrying<Value>(
        _ work: () async throws(PushReceiverError) -> Value
    ) async throws(PushReceiverError) -> Value? {
        try await run.retrying(work) { error in
            guard error.mayPass(at: server) else { return false }
            items.continuation.yield(.retrying(error))
            return true
        }
    }

    private func offer(_ notification: PushNotification) async -> Bool {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.waiting = continuation }
                return state.isOver
            }
            guard !isOver else { return continuation.resume(returning: false) }
            items.continuation.yield(.notification(notification))
        }
    }
}

extension PushReceiverError {
    /// True if a later try may succeed without the user.
    fileprivate func mayPass(at server: SignedInServer) -> Bool {
        switch self {
        case .server(let error): !error.isFinal
        case .noRoute: server.via != .relay
        case .listener, .publicAddress: false
        }
    }
}
