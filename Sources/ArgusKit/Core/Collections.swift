extension Sequence where Element: Hashable {
    /// The elements in order, without repetitions.
    package var distinct: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

extension Collection {
    /// The element of a collection that has one; nil for none and for several.
    package var only: Element? { count == 1 ? first : nil }
}

extension Array {
    /// The index of the first element of which `isPast` is true, as it is of all after that one.
    package func partitioningIndex(where isPast: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isPast(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
