/// The error that some work ends with; nil when it succeeds.
package func failure<Value, Failure: Error>(
    _ work: () async throws(Failure) -> Value
) async -> Failure? {
    do throws(Failure) {
        _ = try await work()
        return nil
    } catch {
        return error
    }
}
