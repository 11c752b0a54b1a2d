/// A sequence of the kit whose error becomes a `Failure`.
struct ExplainedSequence<Base: AsyncSequence>: AsyncSequence {
    typealias Failure = argus.Failure
    typealias Element = Base.Element

    fileprivate let base: Base
    fileprivate let explain: (Base.Failure) async -> argus.Failure

    struct AsyncIterator: AsyncIteratorProtocol {
        typealias Failure = argus.Failure

        fileprivate var base: Base.AsyncIterator
        fileprivate let explain: (Base.Failure) async -> argus.Failure

        mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(argus.Failure) -> Base.Element? {
            do throws(Base.Failure) {
                return try await base.next(isolation: actor)
            } catch {
                throw await explain(error)
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeAsyncIterator(), explain: explain)
    }
}

extension AsyncSequence {
    /// This sequence with its error explained.
    func explained(
        by explain: @escaping (Failure) async -> argus.Failure
    ) -> ExplainedSequence<Self> {
        ExplainedSequence(base: self, explain: explain)
    }
}
