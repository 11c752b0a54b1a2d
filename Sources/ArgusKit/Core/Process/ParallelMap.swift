extension Array where Element: Sendable {
    /// The results of work on each element, on at most `limit` at a time; a limit below one counts as one.
    package func mapInParallel<Value: Sendable>(
        _ limit: Int, _ work: @escaping @Sendable (Element) async -> Value
    ) async -> [Value] {
        await withTaskGroup(of: IndexedValue<Value>.self) { group in
            var waiting = enumerated().makeIterator()
            func startNext() {
                guard let (index, element) = waiting.next() else { return }
                group.addTask { IndexedValue(index: index, value: await work(element)) }
            }
            for _ in 0..<Swift.max(limit, 1) { startNext() }
            var values: [Int: Value] = [:]
            for await result in group {
                startNext()
                values[result.index] = result.value
            }
            return indices.compactMap { values[$0] }
        }
    }
}

private struct IndexedValue<Value: Sendable>: Sendable {
    let index: Int
    let value: Value
}
