/// Evaluates an expression and wraps its error in one of this module.
///
///     try rethrowing(file.write(list), as: AccountError.serverListFile)
package func rethrowing<Value, Thrown: Error, Converted: Error>(
    _ work: @autoclosure () throws(Thrown) -> Value, as convert: (Thrown) -> Converted
) throws(Converted) -> Value {
    do throws(Thrown) { return try work() } catch { throw convert(error) }
}

/// Evaluates an expression that waits and wraps its error in one of this module.
///
///     let kept = try await rethrowing(awaiting: await store.read(key), as: APIError.storeFailed)
package func rethrowing<Value, Thrown: Error, Converted: Error>(
    awaiting work: @autoclosure () async throws(Thrown) -> Value,
    as convert: (Thrown) -> Converted
) async throws(Converted) -> Value {
    do throws(Thrown) { return try await work() } catch { throw convert(error) }
}

extension Result {
    /// Evaluates an expression that waits, and takes its value or its error.
    package init(awaiting work: @autoclosure () async throws(Failure) -> Success) async {
        do throws(Failure) { self = .success(try await work()) } catch { self = .failure(error) }
    }
}
