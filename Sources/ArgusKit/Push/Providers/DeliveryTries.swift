import ArgusCore
import ArgusTransport

/// The next step after a try, as the table of answers of a provider gives it.
enum DeliveryStep: Hashable, Sendable {
    /// The result stands.
    case end(DeliveryAnswer.Verdict, String?)
    /// Another try after a wait; if there is none left, the result stands.
    case again(DeliveryWait, DeliveryAnswer.Verdict, String)
    /// Another try at once with new credentials, if these were not new already.
    case renew(DeliveryAnswer.Verdict, String)
    /// Another try with a shorter payload, once.
    case shorten(DeliveryAnswer.Verdict, String)
}

/// The wait before another try.
enum DeliveryWait: Hashable, Sendable {
    /// This long before the second try, doubled before each later one, ± 25 %.
    case backoff(Duration)
    /// The same, but never less: up to 25 % more.
    case atLeast(Duration)
    /// As long as the service asks for.
    case exactly(Duration)

    /// A service that asks for a longer wait is not asked again.
    private static let longestWait = Duration.seconds(300)

    /// The wait before a retry, counted from 1; nil if it is too long to wait for.
    func duration(before retry: Int, random: Double) -> Duration? {
        let random = min(max(random, 0), 1)
        let factor = Double(1 << min(max(retry - 1, 0), 10))
        switch self {
        case .backoff(let first): return first * (factor * (0.75 + 0.5 * random))
        case .atLeast(let first): return first * (factor * (1 + 0.25 * random))
        case .exactly(let wait): return wait <= Self.longestWait ? wait : nil
        }
    }
}

/// Sends a push, again as the provider's table allows.
struct DeliveryTries {
    typealias Outcome = Result<HTTPResponse, TransportError>

    let environment: PushEnvironment
    /// The wait before another try after one without an answer.
    var wait = DeliveryWait.backoff(.seconds(1))
    /// Sends a push once; throws if there are no credentials for it.
    let attempt: (PreparedPush) async throws(DeliveryError) -> Outcome
    /// The table of answers.
    let step: (HTTPResponse) async -> DeliveryStep
    /// Makes new credentials in place of rejected ones; false if they are new already.
    var renew: () async -> Bool = { false }
    /// Makes the push shorter; nil if that is impossible.
    var shorten: (PreparedPush) async -> PreparedPush? = { _ in nil }

    /// Sends the push and returns the result of the last try.
    func run(_ push: PreparedPush) async -> DeliveryAnswer {
        let start = environment.now()
        var push = push
        var (attempts, retries) = (0, 0)
        var (hasRenewed, hasShortened) = (false, false)
        var status: Int?
        func answer(_ verdict: DeliveryAnswer.Verdict, _ reason: String?) -> DeliveryAnswer {
            DeliveryAnswer(
                verdict: verdict, reason: reason, httpStatus: status, attempts: attempts,
                duration: environment.now() - start)
        }
        while true {
            attempts += 1
            let next: DeliveryStep
            do throws(DeliveryError) {
                switch try await attempt(push) {
                case .success(let answer):
                    status = answer.status
                    next = await step(answer)
                case .failure(let error):
                    status = nil
                    next = DeliveryStep(error, of: push.origin.host, wait)
                }
            } catch {
                next = error.step
            }
            switch next {
            case .end(let verdict, let reason): return answer(verdict, reason)
            case .again(let wait, let verdict, let reason):
                retries += 1
                guard retries <= environment.retries,
                    let pause = wait.duration(before: retries, random: environment.random())
                else { return answer(verdict, reason) }
                environment.debug("\(push.service.name): \(reason); again in \(pause.words)")
                do {
                    try await environment.sleep(pause)
                } catch {
                    return answer(.providerFailure(.service), "interrupted: \(reason)")
                }
            case .renew(let verdict, let reason):
                guard !hasRenewed, await renew() else { return answer(verdict, reason) }
                hasRenewed = true
            case .shorten(let verdict, let reason):
                guard !hasShortened, let shorter = await shorten(push) else {
                    return answer(verdict, reason)
                }
                (push, hasShortened) = (shorter, true)
            }
        }
    }
}

extension DeliveryError {
    /// The step after a try for which there were no credentials.
    fileprivate var step: DeliveryStep {
        switch kind {
        case .unavailable:
            .again(.atLeast(.seconds(10)), .providerFailure(.service), description)
        case .failed: .end(.providerFailure(.service), description)
        default: .end(.providerFailure(.credentials), description)
        }
    }
}

extension DeliveryStep {
    /// The step after an answer that is not the service's own, which decides nothing: a proxy or a
    /// captive portal may have answered.
    static func unusable(
        _ answer: HTTPResponse, of service: String, at host: String, _ wait: DeliveryWait
    ) -> DeliveryStep {
        .again(
            wait, .providerFailure(.service),
            "\(host) did not answer as \(service) does (\(answer.status))")
    }

    /// The step after a try without an answer, which is never the token's fault: this machine may have
    /// no network, a wrong clock or a captive portal.
    init(_ error: TransportError, of host: String, _ wait: DeliveryWait) {
        let fault: DeliveryAnswer.Fault =
            switch error.kind {
            case .identityRefused: .identity
            case .cancelled, .invalidRequest, .noResources, .libraryMissing, .unusableFile:
                .service
            default: .unreachable
            }
        let reason = "\(host): \(error.detail)"
        self =
            error.isWorthRetrying
            ? .again(wait, .providerFailure(fault), reason) : .end(.providerFailure(fault), reason)
    }
}

extension JSONView {
    /// The code of a push service's error, which is safe to print; nil for other text.
    var codeWord: String? {
        guard let text = string, text.utf8.count <= 64,
            text.utf8.allSatisfy({ $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "_") })
        else { return nil }
        return text
    }
}

extension TransportError {
    /// True if another try may succeed: the connection failed, not the proof or the request.
    var isWorthRetrying: Bool {
        switch kind {
        case .unresolvedHost, .notConnected, .timedOut, .connectionLost, .truncatedBody,
            .proxyFailed, .malformedAnswer:
            true
        default: false
        }
    }
}
