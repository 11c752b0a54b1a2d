/// The error of some work; nil if it succeeds.
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
