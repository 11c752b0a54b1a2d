/// An event, small enough to hold a million; texts are indices into the store's tables.
struct Event: Sendable {
    /// The object that the camera detected; the raw value is `smart_detection_type`.
    enum Kind: String, Sendable, CaseIterable {
        case person, vehicle, package, animal, motion, ring
        /// Types from real databases that the API documents do not list.
        case licensePlate, manualTrigger = "manual_trigger"
    }

    struct Marks: OptionSet, Sendable {
        let rawValue: UInt8
        static let thumbnail = Marks(rawValue: 1)
        static let alert = Marks(rawValue: 2)
        static let feedback = Marks(rawValue: 4)
        /// Correlated with the other events of the same instant.
        static let correlated = Marks(rawValue: 8)
        /// Stored so that the server fails for each page that has it.
        static let unreadable = Marks(rawValue: 16)
    }

    /// The possible members of `objects_detected`.
    struct Objects: OptionSet, Sendable, Hashable {
        let rawValue: UInt8
        static let names = ["person", "vehicle", "animal", "package", "unknown"]

        init(rawValue: UInt8) { self.rawValue = rawValue }

        init(_ names: [String]) {
            self.init()
            for (place, name) in Objects.names.enumerated() where names.contains(name) {
                insert(Objects(rawValue: 1 << place))
            }
        }

        var names: [String] {
            Objects.names.enumerated().filter { rawValue & 1 << $0.offset != 0 }.map(\.element)
        }
    }

    var id: Identifier
    var time: Moment
    var created: Moment
    var kind: Kind?
    var objects: Objects
    var source: Camera.Source
    var marks: Marks = []
    var confidence: UInt8
    /// Index into `Analysis.all`.
    var analysis: UInt8 = 0
    /// Index into the store's cameras.
    var camera: Int32
    /// Index into the store's descriptions.
    var description: Int32

    /// - Throws: `Refusal` 500 with this text, as the server does for a row that it cannot read.
    func expectReadable(_ failure: String) throws(Refusal) {
        guard !marks.contains(.unreadable) else { throw Refusal(failure, status: 500) }
    }

    var isDoorbellRing: Bool { kind == .ring }

    /// The folder and name of the thumbnail; the folder is the day of writing.
    var thumbnailPath: String? {
        marks.contains(.thumbnail) ? "\(created.dayText)/event_\(id.text).jpg" : nil
    }
}
