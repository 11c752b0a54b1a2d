/// The events in ascending order of time, with the tables of their texts.
struct EventStore: Sendable {
    /// A camera as events name it; it need not exist, since ids are free text.
    struct CameraLabel: Sendable {
        var id: String
        var name: String
        /// The id and the name as JSON, ready to copy into pages.
        let encodedID: [UInt8]
        let encodedName: [UInt8]

        init(id: String, name: String) {
            (self.id, self.name) = (id, name)
            encodedID = JSON.text(id).bytes()
            encodedName = JSON.text(name).bytes()
        }
    }

    private(set) var rows: [Event] = []
    private(set) var cameras: [CameraLabel]
    /// The descriptions, also encoded as JSON to copy into pages.
    private(set) var descriptions: [(text: String, encoded: [UInt8])] = []
    private var times: [Identifier: Moment] = [:]
    private var descriptionNumbers: [String: Int32] = [:]

    init(cameras: [Camera]) {
        self.cameras = cameras.map { CameraLabel(id: $0.id.text, name: $0.name) }
    }

    mutating func reserve(_ count: Int) {
        rows.reserveCapacity(count)
        times.reserveCapacity(count)
    }

    /// The index of a description, added if it is new.
    mutating func number(ofDescription text: String) -> Int32 {
        if let number = descriptionNumbers[text] { return number }
        let number = Int32(descriptions.count)
        descriptions.append((text, JSON.text(text).bytes()))
        descriptionNumbers[text] = number
        return number
    }

    /// The index of a camera id; an unknown id gets a generated name, as on the server.
    mutating func number(ofCamera id: String) -> Int32 {
        if let index = cameras.firstIndex(where: { $0.id == id }) { return Int32(index) }
        cameras.append(CameraLabel(id: id, name: "Camera \(id.prefix(8))"))
        return Int32(cameras.count - 1)
    }

    /// Inserts an event after those of the same time.
    mutating func insert(_ event: Event) {
        times[event.id] = event.time
        if let last = rows.last, last.time > event.time {
            rows.insert(event, at: firstIndex { $0.time > event.time })
        } else {
            rows.append(event)
        }
    }

    @discardableResult
    mutating func remove(at index: Int) -> Event {
        times[rows[index].id] = nil
        return rows.remove(at: index)
    }

    /// Changes an event, but neither its id nor its time.
    mutating func change(at index: Int, _ body: (inout Event) -> Void) { body(&rows[index]) }

    mutating func mark(at index: Int, _ mark: Event.Marks) { rows[index].marks.insert(mark) }

    /// The index of an event id, compared case-sensitively as the server does.
    func index(of id: String) -> Int? {
        guard let id = Identifier(id), let time = times[id] else { return nil }
        return indices(from: time, through: time).first { rows[$0].id == id }
    }

    /// The indices of rows between two times, both inclusive.
    func indices(from start: Moment?, through end: Moment?) -> Range<Int> {
        let lower = start.map { start in firstIndex { $0.time >= start } } ?? 0
        let upper = end.map { end in firstIndex { $0.time > end } } ?? rows.count
        return lower..<max(lower, upper)
    }

    func label(of event: Event) -> CameraLabel { cameras[Int(event.camera)] }

    func text(of event: Event) -> String { descriptions[Int(event.description)].text }

    /// The index of the first row that meets `condition`, which all later rows must meet too.
    private func firstIndex(where condition: (Event) -> Bool) -> Int {
        var low = 0
        var high = rows.count
        while low < high {
            let middle = (low + high) / 2
            if condition(rows[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
