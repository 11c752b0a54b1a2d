import ArgusKit

/// Runs work of the kit and converts its error by `explain` instead of the usual rule.
///
/// - Throws: `Failure` for any error of the work.
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
///
/// - Throws: `Failure` for any error of the work.
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
