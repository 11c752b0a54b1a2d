/// Knows the elements of earlier pages, which counted pages repeat while things are added.
package struct PageMemory {
    private var ids: SeenIDs
    private var page = 0

    /// A memory of so many ids; as servers make them, 100,000 are some 15 MB.
    package init(capacity: Int = 100_000) {
        ids = SeenIDs(capacity: capacity)
    }

    /// An earlier page had this element; false for elements without an id.
    package func isKnown(_ element: JSONView) -> Bool {
        Self.id(of: element).map { ids.tag(of: $0) ?? page != page } ?? false
    }

    /// Takes an element of this page; false for one that was on an earlier page.
    package mutating func insert(_ element: JSONView) -> Bool {
        guard let id = Self.id(of: element) else { return true }
        return ids.insert(id, tag: page) || ids.tag(of: id) == page
    }

    /// Says that the next element is one of another page.
    package mutating func endPage() { page += 1 }

    /// The id of an element as it came; nil also for one that is longer than any server's.
    static func id(of element: JSONView) -> String? {
        guard let id = element["id"]?.rawBytes, id.count <= longestID else { return nil }
        return String(decoding: id, as: UTF8.self)
    }

    private static let longestID = 258
}

/// The newest ids that were met, each with a number; what comes again in a list is among them.
struct SeenIDs {
    private let capacity: Int
    private var tags: [String: Int] = [:]
    /// The known ids in the order in which they came; a full one begins again at `oldest`.
    private var order: [String] = []
    private var oldest = 0

    init(capacity: Int = 100_000) {
        self.capacity = capacity
    }

    func tag(of id: String) -> Int? { tags[id] }

    /// Takes an id; false when it is known already, with whatever number.
    mutating func insert(_ id: String, tag: Int = 0) -> Bool {
        guard tags[id] == nil else { return false }
        tags[id] = tag
        guard order.count == capacity else {
            order.append(id)
            return true
        }
        tags[order[oldest]] = nil
        order[oldest] = id
        oldest = (oldest + 1) % capacity
        return true
    }
}
