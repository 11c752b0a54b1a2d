import ArgusCore
import Synchronization

/// The end of all requests of a `CancellableTransport`, from any task.
package final class RequestCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var number = 0
        var cancels: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Cancels the requests that are under way, and all later ones.
    package func cancel() {
        let cancels = state.withLock { state in
            state.isCancelled = true
            return Array(state.cancels.values)
        }
        for cancel in cancels { cancel() }
    }

    /// Keeps what cancels a request until `remove`, and calls it at once if all are cancelled.
    fileprivate func add(_ cancel: @escaping @Sendable () -> Void) -> Int {
        let (number, isCancelled) = state.withLock { state in
            state.number += 1
            state.cancels[state.number] = cancel
            return (state.number, state.isCancelled)
        }
        if isCancelled { cancel() }
        return number
    }

    fileprivate func remove(_ number: Int) {
        state.withLock { state in _ = state.cancels.removeValue(forKey: number) }
    }
}

/// A transport whose requests end with `.cancelled` when another task cancels them.
package struct CancellableTransport: Transport {
    private let base: any Transport
    private let cancellation: RequestCancellation

    package init(_ base: any Transport, _ cancellation: RequestCancellation) {
        (self.base, self.cancellation) = (base, cancellation)
    }

    package func send(
        _ request: HTTPRequest, receive: BodyReceiver?
    ) async throws(TransportError) -> HTTPResponse {
        let work = Task { () async -> Result<HTTPResponse, TransportError> in
            await Result(awaiting: try await base.send(request, receive: receive))
        }
        let number = cancellation.add { work.cancel() }
        defer { cancellation.remove(number) }
        return try await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            work.cancel()
        }.get()
    }
}
