/// Waits until somebody has confirmed a code, and then exchanges it.
///
/// What a server does not answer ends nothing: the code lives on there, so it is asked again until
/// the code's own end.
package struct PairingWait: Sendable {
    /// What the person who waits is shown.
    package enum Progress: Hashable, Sendable {
        case waiting(left: Duration)
        case confirmed
        /// The server gave no usable answer this time; in lower-case words why.
        case unanswered(String)
    }

    /// How a code ended that brought no tokens.
    package enum Failure: Error, Sendable {
        /// Nobody confirmed it in time.
        case expired
        /// It was gone before its time.
        case vanished
        /// It was exchanged, and the answer with the tokens was lost on its way.
        case answerLost
        case request(APIError)
    }

    /// What is done about a code; each may be called many times.
    package struct Steps<Value: Sendable>: Sendable {
        /// Exchanges the code and keeps the tokens; throws a refusal as the server gave it.
        var claim: @Sendable () async throws(APIError) -> Value
        /// What another process made of the same code; nil when none did.
        var elsewhere: @Sendable () async -> Value?

        package init(
            claim: @escaping @Sendable () async throws(APIError) -> Value,
            elsewhere: @escaping @Sendable () async -> Value?
        ) {
            self.claim = claim
            self.elsewhere = elsewhere
        }
    }

    /// The pause between two questions where the server has a route for them.
    package static let interval = Duration.seconds(2)
    /// The pause where each question is an exchange, of which servers allow ten a minute.
    package static let exchangeInterval = Duration.seconds(7)
    /// How much earlier than told a code may end, since servers cut times to seconds.
    private static let slack = Duration.seconds(2)

    private let client: APIClient
    private let now: @Sendable () -> Timestamp
    private let sleep: @Sendable (Duration) async throws -> Void
    private let tick: Duration

    /// Makes a wait; `tick` is how often the progress is reported while nothing happens.
    package init(
        client: APIClient, tick: Duration = interval, now: @escaping @Sendable () -> Timestamp,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.client = client
        self.tick = tick
        self.now = now
        self.sleep = sleep
    }

    /// Waits for a code that ends at a moment of our clock.
    ///
    /// - Throws: how the code ended, or the failure that keeps it from being waited for.
    package func run<Value: Sendable>(
        _ code: PairingCode, until end: Timestamp, _ steps: Steps<Value>,
        report: (Progress) async -> Void
    ) async throws(Failure) -> Value {
        var question = Question()
        while true {
            let isLast = now() >= end
            switch await ask(code, steps, &question) {
            case .value(let value): return value
            case .waiting: break
            case .confirmed:
                await report(.confirmed)
                continue
            case .unanswered(let why): await report(.unanswered(why))
            case .gone:
                if let value = await steps.elsewhere() { return value }
                if question.lostAnswer { throw .answerLost }
                throw now() + Self.slack >= end ? .expired : .vanished
            case .failed(let error): throw .request(error)
            }
            if isLast {
                if let value = await steps.elsewhere() { return value }
                throw .expired
            }
            try await pause(question.interval, until: end, report)
        }
    }

    /// What is known of how to ask, and what the last answers were.
    private struct Question {
        /// Whether the server has a route that tells the status.
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
        _ code: PairingCode, _ steps: Steps<Value>, _ question: inout Question
    ) async -> Answer<Value> {
        do throws(APIError) {
            if question.hasStatus, !question.isConfirmed {
                let status = try await client.call(PairingRoutes.status, code)
                if status.isGone { return .gone }
                question.isConfirmed = status.isConfirmed
                return status.isConfirmed ? .confirmed : .waiting
            }
            return .value(try await steps.claim())
        } catch {
            return meaning(of: error, &question)
        }
    }

    private func meaning<Value>(
        of error: APIError, _ question: inout Question
    ) -> Answer<Value> {
        let wasExchange = question.isConfirmed || !question.hasStatus
        switch error.kind {
        case .unsupported where !wasExchange:
            question.hasStatus = false
            return .waiting
        // A server may say with a 404 that it no longer knows the code.
        case .notFound where !wasExchange: return .gone
        case .unauthorized, .notFound, .rejected:
            guard wasExchange, error.kind != .unauthorized || error.refusesPairingCode else {
                return .failed(error)
            }
            // Unconfirmed, expired and unknown look alike; where the status tells, it is believed.
            return question.hasStatus ? .gone : .waiting
        case .transport(let cause) where cause.kind.isPassing:
            question.lostAnswer = question.lostAnswer || (wasExchange && !cause.nothingSent)
            // Whether the exchange was done is what the status tells.
            question.isConfirmed = false
            return .unanswered(error.detail)
        case .serverError:
            question.isConfirmed = false
            return .unanswered("status \(error.status ?? 500)")
        default: return .failed(error)
        }
    }

    private func pause(
        _ interval: Duration, until end: Timestamp, _ report: (Progress) async -> Void
    ) async throws(Failure) {
        var waited = Duration.zero
        while waited < interval {
            let left = end - now()
            guard left > .zero else { return }
            await report(.waiting(left: left))
            let step = min(tick, interval - waited, left)
            do {
                try await sleep(step)
            } catch {
                throw .request(
                    APIError(.transport(TransportError(.cancelled, "cancelled")), "cancelled"))
            }
            waited += step
        }
    }
}

extension TransportError.Kind {
    /// Whether the same request may be answered in a while.
    fileprivate var isPassing: Bool {
        switch self {
        case .noEndpoint, .unresolvedHost, .notConnected, .timedOut, .handshakeFailed,
            .connectionLost, .truncatedBody, .proxyFailed:
            true
        case .identityRefused, .tooLarge, .malformedAnswer, .redirectRefused, .unusableFile,
            .invalidRequest, .libraryMissing, .receiverStopped, .cancelled:
            false
        }
    }
}
