import ArgusKit
import CommandLineKit

/// An error of the kit that means one thing to a user, whatever command meets it.
protocol FailureCause: Error {
    /// The error with its status, hint and reason.
    var failure: Failure { get }
}

extension FileSystemError: FailureCause { var failure: Failure { Failure(self) } }
extension OutputTargetError: FailureCause {
    var failure: Failure {
        if case .file(let cause) = self {
            cause.failure
        } else {
            Failure(.usage, "--output: \(self)")
        }
    }
}
extension OutputError: FailureCause { var failure: Failure { Failure(self) } }
extension UsageError: FailureCause { var failure: Failure { Failure(self) } }
extension PushFieldError: FailureCause { var failure: Failure { Failure(self) } }
extension ServerError: FailureCause { var failure: Failure { Failure(self) } }
extension ServerDirectoryError: FailureCause { var failure: Failure { Failure(self) } }
extension ServerStateError: FailureCause { var failure: Failure { Failure(self) } }
extension SignInError: FailureCause { var failure: Failure { Failure(self) } }
extension SignOutError: FailureCause { var failure: Failure { Failure(self) } }
extension SettingError: FailureCause { var failure: Failure { Failure(.usage, "\(self)") } }
extension SettingsError: FailureCause { var failure: Failure { Failure(self) } }
extension ConfigurationFileError: FailureCause {
    var failure: Failure {
        switch self {
        case .settings(let error): error.failure
        case .noPlace, .file: Failure(.failed, "\(self)")
        case .tooComplex:
            Failure(.failed, "\(self)", hint: "change it by hand with 'argus config edit'")
        }
    }
}
extension RelayHeaderError: FailureCause {
    var failure: Failure { Failure(.usage, "\(self)", hint: remedy) }
}
extension CredentialStoreError: FailureCause { var failure: Failure { Failure(self) } }
extension PendingPairingError: FailureCause { var failure: Failure { Failure(self) } }

extension Failure {
    /// Reports an unusable config file.
    init(_ error: SettingsError) {
        self.init(.usage, "\(error)")
        if case .settings(_, let others) = error, others > 0 {
            hint = "'argus config list' tells all of them"
        }
    }

    /// A file that cannot be written.
    init(_ error: FileSystemError) {
        self.init(
            .failed, "\(error)", hint: error.reason == .exists ? "overwrite it with --force" : nil)
    }

    /// The failure that an error of the kit is to a user.
    init(cause error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let cause as any FailureCause: self = cause.failure
        default: self.init(.failed, "\(error)")
        }
    }
}

/// Runs what the kit may refuse; `explain` replaces the usual meaning of its error.
///
/// - Throws: `Failure` for whatever the work throws.
func attempt<Value>(
    _ work: @autoclosure () throws -> Value,
    or explain: (any Error) -> Failure = Failure.init(cause:)
) throws(Failure) -> Value {
    do {
        return try work()
    } catch {
        throw explain(error)
    }
}

/// Runs what a service of the kit may refuse.
///
/// - Throws: `Failure` for whatever the work throws.
func attempt<Value>(
    awaiting work: @autoclosure () async throws -> Value
) async throws(Failure) -> Value {
    do {
        return try await work()
    } catch let error as ServerError {
        throw await Failure.explained(error)
    } catch {
        throw Failure(cause: error)
    }
}
