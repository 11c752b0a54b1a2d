package import ArgusCore

/// Remembers the elements of earlier pages, which numbered pages repeat while the list grows.
package struct PageMemory {
    private var ids: SeenIDs
    private var page = 0

    /// Makes a memory of this many ids; 100,000 ids of usual length take some 15 MB.
    package init(capacity: Int = 100_000) { ids = SeenIDs(capacity: capacity) }

    /// True if an earlier page had this element; false for elements without an id.
    package func isKnown(_ element: JSONView) -> Bool {
        Self.id(of: element).map { ids.tag(of: $0) ?? page != page } ?? false
    }

    /// Adds an element of this page; false if it was on an earlier page.
    package mutating func insert(_ element: JSONView) -> Bool {
        guard let id = Self.id(of: element) else { return true }
        return ids.insert(id, tag: page) || ids.tag(of: id) == page
    }

    /// Ends this page: the next element belongs to another one.
    package mutating func endPage() { page += 1 }

    /// The id of an element as received; nil without one, or if it is longer than any server's.
    static func id(of element: JSONView) -> String? {
        guard let id = element["id"]?.rawBytes, id.count <= longestID else { return nil }
        return String(decoding: id, as: UTF8.self)
    }

    private static let longestID = 258
}

/// The newest ids, each with a page number; elements that a list repeats are among them.
package struct SeenIDs {
    private let capacity: Int
    private var tags: [String: Int] = [:]
    /// A ring buffer of the known ids in order of arrival.
    private var order: [String] = []
    private var oldest = 0

    package init(capacity: Int = 100_000) { self.capacity = capacity }

    func tag(of id: String) -> Int? { tags[id] }

    /// Adds an id; false if it is known already, with any number.
    package mutating func insert(_ id: String, tag: Int = 0) -> Bool {
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
