/// Knows the elements of earlier pages by their ids: while things are added, pages that are counted
/// repeat some.
///
/// What comes again was pushed on by what was added between two requests, so that it is among the
/// newest ids: older ones are forgotten, and the memory does not grow with the list.
package struct PageMemory {
    private let capacity: Int
    private var known: Set<String> = []
    /// The known ids in the order in which they came; a full one begins again at `oldest`.
    private var order: [String] = []
    private var oldest = 0

    /// A memory of so many ids; as servers make them, 100,000 are some 15 MB.
    package init(capacity: Int = 100_000) {
        self.capacity = capacity
    }

    /// The elements of a page that were on none before; what has no id is always one of them.
    package mutating func fresh(_ elements: [JSONView]) -> [JSONView] {
        let ids = elements.map { element in
            element["id"].map { String(decoding: $0.rawBytes, as: UTF8.self) }
        }
        let fresh = zip(elements, ids).filter { _, id in id.map { !known.contains($0) } ?? true }
        for case let id? in ids { remember(id) }
        return fresh.map(\.0)
    }

    private mutating func remember(_ id: String) {
        guard known.insert(id).inserted else { return }
        guard order.count == capacity else { return order.append(id) }
        known.remove(order[oldest])
        order[oldest] = id
        oldest = (oldest + 1) % capacity
    }
}
