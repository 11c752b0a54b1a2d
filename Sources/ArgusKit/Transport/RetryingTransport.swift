import Glibc
import Synchronization

/// Tries again what another transport could not finish, by a `RetryPolicy`.
package struct RetryingTransport: Transport {
    /// What is told before each further try.
    package struct Notice: Sendable, CustomStringConvertible {
        package var method: String
        package var origin: Origin
        /// Why, in lower-case words: `connection refused`, `status 503`.
        package var reason: String
        /// Which further try comes, counted from 1, and how many there may be.
        package var number: Int
        package var retries: Int
        package var wait: Duration

        /// A sentence such as `GET https://home: connection refused; retry 1 of 2 in 1 s`.
        package var description: String {
            "\(method) \(origin): \(reason); retry \(number) of \(retries) in \(wait.words)"
        }
    }

    /// What a retry needs from the world, so that tests need no time to pass.
    package struct Surroundings: Sendable {
        package var sleep: @Sendable (Duration) async throws -> Void
        /// A number from 0 to 1.
        package var random: @Sendable () -> Double
        package var now: @Sendable () -> Timestamp

        package init(
            sleep: @escaping @Sendable (Duration) async throws -> Void,
            random: @escaping @Sendable () -> Double, now: @escaping @Sendable () -> Timestamp
        ) {
            self.sleep = sleep
            self.random = random
            self.now = now
        }

        /// The clocks and the random numbers of this machine.
        package static var system: Surroundings {
            Surroundings(
                sleep: { try await Task.sleep(for: $0) }, random: { Double.random(in: 0...1) },
                now: { Timestamp(seconds: Int64(time(nil))) })
        }
    }

    private let base: any Transport
    private let policy: RetryPolicy
    private let surroundings: Surroundings
    private let notice: @Sendable (Notice) -> Void

    package init(
        _ base: any Transport, policy: RetryPolicy = RetryPolicy(),
        surroundings: Surroundings = .system,
        notice: @escaping @Sendable (Notice) -> Void = { _ in }
    ) {
        self.base = base
        self.policy = policy
        self.surroundings = surroundings
        self.notice = notice
    }

    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        try await retry(request, mayRetry: { true }) { () async throws(TransportError) in
            try await base.send(request)
        }
    }

    /// Sends a request whose body is handed on; it is tried again only while nothing was.
    package func send(
        _ request: HTTPRequest, receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
    ) async throws(TransportError) -> HTTPResponse {
        let handedOn = Flag()
        let counting: @Sendable (UnsafeRawBufferPointer) -> Bool = { bytes in
            handedOn.raise()
            return receive(bytes)
        }
        let mayRetry = { !handedOn.isRaised }
        return try await retry(request, mayRetry: mayRetry) { () async throws(TransportError) in
            try await base.send(request, receive: counting)
        }
    }

    package func certificate(
        of origin: Origin, holding proof: ServerProof?, deadlines: Deadlines
    ) async throws(TransportError) -> PeerCertificate {
        try await base.certificate(of: origin, holding: proof, deadlines: deadlines)
    }

    private func retry(
        _ request: HTTPRequest, mayRetry: () -> Bool,
        _ attempt: () async throws(TransportError) -> HTTPResponse
    ) async throws(TransportError) -> HTTPResponse {
        var number = 1
        while true {
            let outcome: RetryPolicy.Outcome
            do throws(TransportError) {
                outcome = .success(try await attempt())
            } catch {
                outcome = .failure(error)
            }
            let wait = policy.wait(
                before: number, of: request, after: outcome, random: surroundings.random(),
                now: surroundings.now())
            guard let wait, mayRetry() else { return try outcome.get() }
            notice(
                Notice(
                    method: request.method.rawValue, origin: request.origin,
                    reason: outcome.reason, number: number, retries: policy.retries, wait: wait))
            do {
                try await surroundings.sleep(wait)
            } catch {
                throw TransportError(.cancelled, "cancelled while waiting for another try")
            }
            number += 1
        }
    }
}

extension RetryPolicy.Outcome {
    fileprivate var reason: String {
        switch self {
        case .success(let response): "status \(response.status)"
        case .failure(let error): error.detail
        }
    }
}

/// Something that may have happened, told from the transport's thread.
private final class Flag: Sendable {
    private let value = Atomic(false)

    var isRaised: Bool { value.load(ordering: .acquiring) }

    func raise() {
        value.store(true, ordering: .releasing)
    }
}
