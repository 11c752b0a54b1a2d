package import ArgusCore
import Glibc
import Synchronization

/// Secrets in the desktop's keyring: the Secret Service of freedesktop.org, by libsecret.
///
/// It answers or fails within a second, never prompts, and starts neither a bus nor a service.
package struct SecretServiceStore: CredentialStore {
    package var name: String { CredentialStoreKind.secretService.name }

    /// The time limits in ms for an answer and for the end of a cancelled call; together enough
    /// below a second that a whole command ends within one.
    private static let timeout: Int32 = 750
    private static let grace: Int32 = 100

    private let environment: Environment

    package init(_ environment: Environment) {
        self.environment = environment
    }

    package func read(
        _ key: CredentialKey
    ) async throws(AccountError) -> Redacted<[UInt8]>? {
        try await ask { client throws(SecretServiceClient.Problem) in
            try client.read(key)
        }
    }

    package func write(
        _ value: Redacted<[UInt8]>, for key: CredentialKey
    ) async throws(AccountError) {
        try await ask { client throws(SecretServiceClient.Problem) in
            try client.write(value, for: key)
        }
    }

    package func erase(_ key: CredentialKey) async throws(AccountError) {
        try await ask { client throws(SecretServiceClient.Problem) in
            try client.erase(key)
        }
    }

    /// Calls the service on one thread, with a time limit on another.
    ///
    /// The first to finish decides; a call that ignores its cancellation is abandoned.
    private func ask<Value: Sendable>(
        _ work:
            @escaping @Sendable (SecretServiceClient) throws(SecretServiceClient.Problem) -> Value
    ) async throws(AccountError) -> Value {
        if let problem = SessionBus.problem(environment) { throw failure(problem) }
        let answer = await withCheckedContinuation { continuation in
            let answer = TimedAnswer<Value>(continuation)
            startThread { answer.work(work) }
            startThread {
                poll(nil, 0, Self.timeout)
                answer.cancel()
                poll(nil, 0, Self.grace)
                answer.giveUp()
            }
        }
        switch answer {
        case .success(let value): return value
        case .failure(.locked): throw .storeLocked(store: name)
        case .failure(.failed(let reason)): throw failure(reason)
        case .failure(.silent):
            throw .storeSilent(store: name, reason: "it gave no answer within a second")
        }
    }

    private func failure(_ reason: String) -> AccountError {
        .storeFailed(store: name, reason: reason)
    }
}

/// The result of one call, set once: by the service or by the time limit.
private final class TimedAnswer<Value: Sendable>: Sendable {
    typealias Answer = Result<Value, SecretServiceClient.Problem>

    private struct State {
        var waiter: CheckedContinuation<Answer, Never>?
        var cancellation: SecretCancellation?
        var isCancelled = false
    }

    private let state: Mutex<State>

    init(_ waiter: CheckedContinuation<Answer, Never>) {
        state = Mutex(State(waiter: waiter))
    }

    func work(
        _ work: (SecretServiceClient) throws(SecretServiceClient.Problem) -> Value
    ) {
        switch SecretLibrary.shared {
        case .failure(let error): give(.failure(.failed(error.reason)))
        case .success(let library):
            let cancellation = SecretCancellation(library)
            state.withLock { $0.cancellation = cancellation }
            let client = SecretServiceClient(library, cancellation)
            give(Result { () throws(SecretServiceClient.Problem) in try work(client) })
        }
    }

    func cancel() {
        state.withLock { state -> SecretCancellation? in
            state.isCancelled = true
            return state.waiter == nil ? nil : state.cancellation
        }?.cancel()
    }

    func giveUp() { give(.failure(.silent)) }

    private func give(_ answer: Answer) {
        let (waiter, isCancelled) = state.withLock { state in
            defer { state.waiter = nil }
            return (state.waiter, state.isCancelled)
        }
        // The failure of a cancelled call only means that it was cancelled.
        if isCancelled, case .failure(.failed) = answer {
            waiter?.resume(returning: .failure(.silent))
        } else {
            waiter?.resume(returning: answer)
        }
    }
}

/// Finds the D-Bus session bus before any library does, which would start one.
enum SessionBus {
    /// The reason why there is no bus; nil if its socket is known.
    ///
    /// See the D-Bus specification, server addresses; GIO looks in the same places.
    static func problem(_ environment: Environment) -> String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"] {
            // Other kinds of addresses start a program (`autolaunch:`, `unixexec:`) or leave the
            // machine.
            let isSocket = address.split(separator: ";").allSatisfy { $0.hasPrefix("unix:") }
            return isSocket ? nil : "DBUS_SESSION_BUS_ADDRESS names no socket of a session bus"
        }
        if let folder = environment["XDG_RUNTIME_DIR"], isOwnSocket(folder + "/bus") { return nil }
        return "there is no session bus: DBUS_SESSION_BUS_ADDRESS is unset, as in a cron job"
    }

    private static func isOwnSocket(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
            && status.st_uid == geteuid()
    }
}
