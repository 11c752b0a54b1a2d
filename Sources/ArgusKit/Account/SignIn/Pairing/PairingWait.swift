package import ArgusCore
package import ArgusTransport

/// Waits for the confirmation of a code and then exchanges it.
///
/// A failed request does not end the wait: polling continues until the code expires.
package struct PairingWait: Sendable {
    /// The progress to show to the user.
    package enum Progress: Hashable, Sendable {
        case waiting(left: Duration)
        case confirmed
        /// The server gave no usable answer this time; the reason in lower case.
        case unanswered(String)
    }

    /// The polling interval with a status route.
    package static let interval = Duration.seconds(2)
    /// The polling interval if each poll is an exchange, of which servers allow ten a minute.
    package static let exchangeInterval = Duration.seconds(7)
    /// The tolerance for a code that ends early, since servers truncate times to seconds.
    private static let slack = Duration.seconds(2)

    private let client: APIClient
    private let now: @Sendable () -> Timestamp
    private let sleep: @Sendable (Duration) async throws -> Void
    private let tick: Duration

    /// Makes a wait; `tick` is the interval of progress reports.
    package init(
        client: APIClient, tick: Duration = interval, now: @escaping @Sendable () -> Timestamp,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.client = client
        self.tick = tick
        self.now = now
        self.sleep = sleep
    }

    /// Waits for a code that ends at a time by the local clock.
    ///
    /// `claim` exchanges the code and stores the tokens. `elsewhere` returns the result of the same
    /// code in another process; nil if there is none. Each may be called many times.
    ///
    /// - Throws: `.expired`, `.vanished`, `.answerLost` or `.unanswered`.
    package func run<Value: Sendable>(
        _ code: PairingCode, until end: Timestamp, report: (Progress) async -> Void,
        claim: () async throws(APIError) -> Value, elsewhere: () async -> Value?
    ) async throws(PairingError) -> Value {
        var state = PollState()
        while true {
            let isLast = now() >= end
            switch await ask(code, claim, &state) {
            case .value(let value): return value
            case .waiting: break
            case .confirmed:
                await report(.confirmed)
                continue
            case .unanswered(let why): await report(.unanswered(why))
            case .gone:
                if let value = await elsewhere() { return value }
                if state.lostAnswer { throw .answerLost }
                throw now() + Self.slack >= end ? .expired : .vanished
            case .failed(let error): throw .unanswered(error)
            }
            if isLast {
                if let value = await elsewhere() { return value }
                throw .expired
            }
            try await pause(state.interval, until: end, report)
        }
    }

    private struct PollState {
        /// True if the server has a status route.
        var hasStatus = true
        var isConfirmed = false
        var lostAnswer = false

        var interval: Duration { hasStatus ? PairingWait.interval : PairingWait.exchangeInterval }
    }

    private enum Answer<Value> {
        case value(Value)
        case waiting, confirmed, gone
        case unanswered(String)
        case failed(APIError)
    }

    private func ask<Value>(
        _ code: PairingCode, _ claim: () async throws(APIError) -> Value,
        _ state: inout PollState
    ) async -> Answer<Value> {
        do throws(APIError) {
            if state.hasStatus, !state.isConfirmed {
                let status = try await client.call(PairingRoutes.status, code)
                if status.isGone { return .gone }
                state.isConfirmed = status.isConfirmed
                return status.isConfirmed ? .confirmed : .waiting
            }
            return .value(try await claim())
        } catch {
            return meaning(of: error, &state)
        }
    }

    private func meaning<Value>(of error: APIError, _ state: inout PollState) -> Answer<Value> {
        let wasExchange = state.isConfirmed || !state.hasStatus
        switch error.kind {
        case .unsupported where !wasExchange:
            state.hasStatus = false
            return .waiting
        // A 404 may mean that the server no longer knows the code.
        case .notFound where !wasExchange: return .gone
        case .unauthorized, .notFound, .rejected:
            guard wasExchange, error.kind != .unauthorized || error.refusesPairingCode else {
                return .failed(error)
            }
            // Unconfirmed, expired and unknown look alike; a status route decides.
            return state.hasStatus ? .gone : .waiting
        case .transport(let cause) where cause.kind.isTemporary:
            state.lostAnswer = state.lostAnswer || (wasExchange && !cause.nothingSent)
            // The status route shows whether the exchange was done.
            state.isConfirmed = false
            return .unanswered(error.detail)
        case .serverError:
            state.isConfirmed = false
            return .unanswered("status \(error.status ?? 500)")
        case .foreign(let status):
            // A proxy's answer to an exchange may hide that of the server.
            state.lostAnswer = state.lostAnswer || wasExchange
            state.isConfirmed = false
            return .unanswered("an answer that is not the server's (HTTP \(status))")
        default: return .failed(error)
        }
    }

    private func pause(
        _ interval: Duration, until end: Timestamp, _ report: (Progress) async -> Void
    ) async throws(PairingError) {
        var waited = Duration.zero
        while waited < interval {
            let left = end - now()
            guard left > .zero else { return }
            await report(.waiting(left: left))
            let step = min(tick, interval - waited, left)
            do {
                try await sleep(step)
            } catch {
                throw .unanswered(
                    APIError(.transport(TransportError(.cancelled, "cancelled")), "cancelled"))
            }
            waited += step
        }
    }
}

extension TransportError.Kind {
    /// True if the same request may succeed later.
    fileprivate var isTemporary: Bool {
        switch self {
        case .noEndpoint, .unresolvedHost, .notConnected, .timedOut, .handshakeFailed,
            .connectionLost, .truncatedBody, .proxyFailed, .malformedAnswer, .redirectRefused,
            .unknownNetwork, .noResources:
            true
        case .identityRefused, .tooLarge, .upgradeRefused, .unusableFile, .invalidRequest,
            .libraryMissing, .receiverStopped, .cancelled:
            false
        }
    }
}
