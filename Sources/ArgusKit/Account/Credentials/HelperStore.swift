package import ArgusCore
import Glibc

/// Secrets kept by a program: `argus-credential-NAME get|store|erase`.
///
/// The program reads one line of JSON from stdin, with the members in this order. It answers `get`
/// with an object that has the `secret` of `store`; other members of the answer are ignored.
///
/// ```json
/// {"version":1,"server":"k3v7q2ma","item":"sign-in"}
/// {"version":1,"server":"k3v7q2ma","item":"sign-in","secret":"…"}
/// ```
/// Its status is 0 for success, 1 if there is no such secret, and anything else for a failure.
package struct HelperStore: CredentialStore {
    /// The time limit of one call, enough for a vault on the network.
    package static let timeout = Duration.seconds(10)
    /// The common prefix of the names of such programs.
    package static let programPrefix = "argus-credential-"
    private static let outputLimit = 1 << 20

    package var name: String { CredentialStoreKind.helper(helper).name }

    private let helper: String
    private let environment: Environment
    private let timeout: Duration

    /// Makes the store of a helper, found beside argus or in PATH.
    package init(
        _ helper: String, environment: Environment, timeout: Duration = HelperStore.timeout
    ) {
        self.helper = helper
        self.environment = environment
        self.timeout = timeout
    }

    package func read(
        _ key: CredentialKey
    ) async throws(AccountError) -> Redacted<[UInt8]>? {
        let ending = try await ask("get", key)
        if ending.status == 1 { return nil }
        guard ending.status == 0 else { throw failure(ending) }
        guard let answer = try? JSONView.parse(ending.output.reveal()),
            let secret = answer["secret"]?.string
        else { throw failure("its answer is not a JSON object with a 'secret'") }
        return Redacted(Array(secret.utf8))
    }

    package func write(
        _ value: Redacted<[UInt8]>, for key: CredentialKey
    ) async throws(AccountError) {
        guard let secret = String(validating: value.reveal(), as: UTF8.self) else {
            throw failure("it can store only text")
        }
        var ending = try await ask("store", key, secret: Redacted(secret))
        // A service manager that ends this process signals its helpers too, but a value that is
        // issued once must be kept. A shell whose child was signalled adds 128; other high statuses
        // are a helper's own.
        if ending.status.map([SIGHUP, SIGINT, SIGTERM].map { 128 + $0 }.contains) ?? true {
            ending = try await ask("store", key, secret: Redacted(secret))
        }
        guard ending.status == 0 else { throw failure(ending) }
    }

    package func erase(_ key: CredentialKey) async throws(AccountError) {
        let ending = try await ask("erase", key)
        guard ending.status == 0 || ending.status == 1 else { throw failure(ending) }
    }

    private func ask(
        _ verb: String, _ key: CredentialKey, secret: Redacted<String>? = nil
    ) async throws(AccountError) -> Subprocess.Answer {
        let program = Self.programPrefix + helper
        guard let path = ProgramSearch.path(of: program, in: environment) else {
            throw failure("there is no program '\(program)' beside argus or in PATH")
        }
        do throws(SubprocessError) {
            return try await Subprocess.run(
                path, [verb], environment: environment, timeout: timeout,
                outputLimit: Self.outputLimit, input: Self.request(key, secret))
        } catch {
            switch error {
            case .notStarted(let reason): throw failure("cannot run '\(path)': \(reason)")
            case .timedOut:
                throw .storeSilent(store: name, reason: "it did not answer within \(timeout.words)")
            case .tooMuchOutput: throw failure("its answer is longer than a secret can be")
            }
        }
    }

    private static func request(
        _ key: CredentialKey, _ secret: Redacted<String>?
    ) -> Redacted<[UInt8]> {
        let line = JSONWriter.object { writer in
            writer.member("version", 1)
            writer.member("server", key.server.text)
            writer.member("item", key.item.rawValue)
            if let secret { writer.member("secret", secret.reveal()) }
        }
        return Redacted(line + [0x0A])
    }

    /// The failure from the helper's status and the first line of its stderr.
    private func failure(_ ending: Subprocess.Answer) -> AccountError {
        let how = ending.status.map { "status \($0)" } ?? "ended by a signal"
        let errors = String(decoding: ending.errors, as: UTF8.self)
        guard let line = errors.split(whereSeparator: \.isNewline).first else {
            return failure(how)
        }
        return failure("\(how): \(line.cut(to: 200))")
    }

    private func failure(_ reason: String) -> AccountError {
        .storeFailed(store: name, reason: reason)
    }
}
