import ArgusKit

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
        throw await error.explained
    } catch {
        throw Failure(cause: error)
    }
}
