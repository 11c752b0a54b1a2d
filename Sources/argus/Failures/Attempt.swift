import ArgusAccount
import ArgusCore
import ArgusTransport

/// Runs work of the kit and converts its error; `explain` replaces the usual rule.
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

/// Runs work of a service of the kit and converts its error.
func attempt<Value>(
    awaiting work: @autoclosure () async throws -> Value
) async throws(Failure) -> Value {
    do {
        return try await work()
    } catch let error as ServerError {
        throw await error.explained
    } catch {
        throw Failure(cause: error)
    }
}

/// A server that runs operations and explains their failures.
protocol ServerOperations {
    /// The failure of an operation; `doing` follows `cannot`, such as `list events`.
    func failure(_ error: APIError, doing: String) async -> Failure
}

extension ServerOperations {
    /// Runs an operation; `doing` as in `failure`.
    ///
    /// The work is an expression, since Swift infers the typed error of a closure only if it is
    /// written out.
    /// - Throws: `Failure` that names the server.
    func attempt<Value>(
        _ doing: String, _ work: @autoclosure () async throws(APIError) -> Value
    ) async throws(Failure) -> Value {
        do {
            return try await work()
        } catch {
            throw await failure(error, doing: doing)
        }
    }
}

extension SignedInServer: ServerOperations {
    func failure(_ error: APIError, doing: String) async -> Failure {
        let endpoint = record?.endpoints.first { $0.hasAddress(session.client.address.description) }
        var failure = await Failure(error, doing: doing, on: name, remedy: remedy)
            .addingFingerprints(of: session.client, error, on: name, trusted: endpoint)
        if failure.kind == .unreachable { failure.unreachedServer = record?.name }
        return failure
    }

    /// The hint for refused credentials.
    private var remedy: String {
        guard isStored else { return "the credentials came from \(credentialSource)" }
        if session.isStandIn { return "sign in again with '\(renewingCommand)'" }
        return switch credential {
        case .session: "sign in again with '\(renewingCommand)'"
        case .apiKey: "use another key with '\(renewingCommand) --api-key-stdin'"
        }
    }

    /// The command that repeats the sign-in.
    var renewingCommand: String {
        var isPairing = record?.account?.kind == .pairing
        if case .session(let session) = credential { isPairing = session.kind == .mobile }
        return "argus \(isPairing ? "pair" : "login") \(session.client.address)"
    }
}

extension UnverifiedServer: ServerOperations {
    func failure(_ error: APIError, doing: String) async -> Failure {
        var name = title
        // The port may be the mistake.
        if !isKnown, case .transport(let cause) = error.kind, cause.kind != .identityRefused {
            name = client.address.origin.hostAndPort
        }
        var failure = await Failure(
            error, doing: doing, on: name, remedy: "check what you sign in with"
        ).addingFingerprints(of: client, error, on: name, trusted: isKnown ? endpoint : nil)
        if failure.kind == .unreachable { failure.unreachedServer = record?.name }
        return failure
    }
}

/// Runs work to its end, and returns its result, for what has to follow a failure too.
func result<Value, Cause>(
    of work: () async throws(Cause) -> Value
) async -> Result<Value, Cause> {
    do throws(Cause) { return .success(try await work()) } catch { return .failure(error) }
}
