/// The events in ascending order of time, with the tables that their numbers point into.
struct EventStore: Sendable {
    /// A camera as events name it, which need not exist: ids are free text (backend-facts 0.6).
    struct CameraLabel: Sendable {
        var id: String
        var name: String
        /// Both as JSON, ready to be copied into pages.
        var encodedID: [UInt8]
        var encodedName: [UInt8]

        init(id: String, name: String) {
            self.id = id
            self.name = name
            encodedID = JSON.text(id).bytes()
            encodedName = JSON.text(name).bytes()
        }
    }

    private(set) var rows: [Event] = []
    private(set) var cameras: [CameraLabel]
    /// The texts, and the same as JSON, ready to be copied into pages.
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

    /// The number of a description, the same for the same text.
    mutating func number(ofDescription text: String) -> Int32 {
        if let number = descriptionNumbers[text] { return number }
        let number = Int32(descriptions.count)
        descriptions.append((text, JSON.text(text).bytes()))
        descriptionNumbers[text] = number
        return number
    }

    /// The number of a camera id; an unknown one gets the name that the server makes up.
    mutating func number(ofCamera id: String) -> Int32 {
        if let index = cameras.firstIndex(where: { $0.id == id }) { return Int32(index) }
        cameras.append(CameraLabel(id: id, name: "Camera \(id.prefix(8))"))
        return Int32(cameras.count - 1)
    }

    /// Puts an event in its place, after those of the same time.
    mutating func insert(_ event: Event) {
        times[event.id] = event.time
        if let last = rows.last, last.time > event.time {
            rows.insert(event, at: firstIndex { $0.time > event.time })
        } else {
            rows.append(event)
        }
    }

    mutating func remove(at index: Int) {
        times[rows[index].id] = nil
        rows.remove(at: index)
    }

    mutating func removeAll(ofCamera id: String) {
        let doomed = rows.filter { cameras[Int($0.camera)].id == id }
        for event in doomed { times[event.id] = nil }
        rows.removeAll { times[$0.id] == nil }
    }

    /// Makes a new camera's name known to the rows to come.
    mutating func add(_ camera: Camera) {
        cameras.append(CameraLabel(id: camera.id.text, name: camera.name))
    }

    /// Renames a camera in the rows to come.
    mutating func rename(camera id: String, to name: String) {
        for index in cameras.indices where cameras[index].id == id {
            cameras[index] = CameraLabel(id: id, name: name)
        }
    }

    mutating func mark(at index: Int, _ mark: Event.Marks, _ isSet: Bool) {
        if isSet { rows[index].marks.insert(mark) } else { rows[index].marks.remove(mark) }
    }

    /// Where an id is, compared as the case-sensitive text that it is to the server.
    func index(of id: String) -> Int? {
        guard let id = Identifier(id), let time = times[id] else { return nil }
        return indices(from: time, through: time).first { rows[$0].id == id }
    }

    /// The rows between two times, both inclusive.
    func indices(from start: Moment?, through end: Moment?) -> Range<Int> {
        let lower = start.map { start in firstIndex { $0.time >= start } } ?? 0
        let upper = end.map { end in firstIndex { $0.time > end } } ?? rows.count
        return lower..<max(lower, upper)
    }

    func label(of event: Event) -> CameraLabel { cameras[Int(event.camera)] }

    func text(of event: Event) -> String { descriptions[Int(event.description)].text }

    /// The first row for which `condition` holds, which must hold for all later ones too.
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
