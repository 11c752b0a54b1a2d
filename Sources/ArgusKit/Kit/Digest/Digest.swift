package import ArgusCore
package import ArgusEvents

/// What happened at the cameras in a span of time, in numbers, with the pictures that tell most of it.
///
/// Everything is counted in *visits*: events of one camera and one kind that follow each other with
/// pauses of at most ten minutes are one visit. A kind is the smart detection type, else the first
/// object seen, else `motion`. The visits of a recognised person or vehicle and those of an alert rule
/// are counted in the same way, over all cameras; those of strangers, packages and rings by camera. A
/// visit over the end of the span counts in both.
package struct Digest: Sendable, Equatable {
    /// The longest pause within a visit.
    package static let pause = Duration.seconds(600)

    /// The first and the last instant that count.
    package var span: ClosedRange<Timestamp>
    package var zone: TimeZoneRules
    /// The server's name, or the folder of the archive.
    package var source: String
    package var events = 0
    /// The visits of all cameras and kinds.
    package var visits = 0
    /// The cameras that had events, the busiest first.
    package var cameras: [CameraCount] = []
    /// The visits that began in each hour of local days, 0 to 23.
    package var hours = [Int](repeating: 0, count: 24)
    package var unusualHours: [UnusualHours] = []
    /// The alarms by rule; nil if nothing is known of alarms.
    package var alarms: [Row]?
    /// The visits of people in which the server recognised nobody, by camera; nil if the server does
    /// not report whom it recognised.
    package var strangers: [Row]?
    /// The people and vehicles that the server recognised.
    package var entities: [Row] = []
    package var packages: [Row] = []
    package var rings: [Row] = []
    /// The cameras that were silent at the end; nil if that could not be learnt.
    package var silent: [Silence]?
    package var gaps: [Gap] = []
    package var pictures: [Picture] = []
    /// The visits with a picture for which there was no room.
    package var picturesLeftOut = 0

    package init(of source: String, span: ClosedRange<Timestamp>, zone: TimeZoneRules) {
        (self.source, self.span, self.zone) = (source, span, zone)
    }

    /// A camera; two servers may give one id.
    package struct Camera: Sendable, Hashable {
        /// The server, where there are several.
        package var server: String?
        package var id: String
        /// The name; nil where none is known.
        package var name: String?

        /// The name, else the id, with the server where there are several.
        package var title: String {
            let name = name ?? (id.isEmpty ? "no camera" : id)
            return server.map { "\($0): \(name)" } ?? name
        }
    }

    /// The visits of one camera.
    package struct CameraCount: Sendable, Equatable {
        package var camera: Camera
        package var visits: Int
        package var events: Int
        /// The visits of each kind, the most frequent first.
        package var kinds: [KindCount]
    }

    /// The visits of one kind.
    package struct KindCount: Sendable, Equatable {
        package var kind: String
        package var visits: Int
        package var events: Int
    }

    /// The visits of a rule, a person, or of one sort at a camera.
    package struct Row: Sendable, Equatable {
        /// The id of the rule, the entity or the camera; nil for alarms of the server itself.
        package var id: String?
        /// The name of the rule, the entity or the camera, as people read it.
        package var title: String
        package var visits: VisitCount
        /// The cameras, by their titles.
        package var cameras: [String]
        /// The carriers of packages.
        package var carriers: [String] = []
    }

    /// Hours in which a camera had events, though it has had none around them for weeks.
    package struct UnusualHours: Sendable, Equatable {
        package var camera: Camera
        /// The beginning of the first hour, and the end of the last.
        package var span: Range<Timestamp>
        package var events: Int
        /// The days that were learnt from.
        package var days: Int
    }

    /// A camera that had no event for longer than usual, or several together.
    package struct Silence: Sendable, Equatable {
        package var cameras: [Camera]
        /// The time of the last event.
        package var since: Timestamp?
        /// The longest quiet spell that was usual; nil if it was silent for weeks.
        package var longest: Duration?
        /// The days that were learnt from.
        package var days: Int
    }

    /// A part of the span whose events may be missing.
    package struct Gap: Sendable, Equatable {
        package enum Reason: String, Sendable {
            /// The server fails to list it.
            case unreadable
            /// No sync of the archive has read it.
            case notArchived = "not_archived"
            /// The archive's copies of so many events are damaged.
            case damaged
        }

        package var reason: Reason
        /// The server, where there are several.
        package var server: String?
        /// The range; nil for damaged events, whose times are not known.
        package var span: ClosedRange<Timestamp>?
        /// The number of damaged events.
        package var count: Int?

        package init(
            _ reason: Reason, of server: String? = nil, span: ClosedRange<Timestamp>? = nil,
            count: Int? = nil
        ) {
            (self.reason, self.server, self.span, self.count) = (reason, server, span, count)
        }
    }

    /// The reason for which a picture is chosen, the most important one last.
    package enum PictureReason: Int, Sendable, Comparable {
        case visit, recognised, package, stranger, ring, alarm

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// An event whose picture stands for its visit.
    package struct Picture: Sendable, Equatable {
        package var event: Event
        package var thumbnail: ThumbnailReference
        package var reason: PictureReason
        /// The rules that match it, by name.
        package var rules: [String] = []
    }
}

/// A count of visits, and of the events in them.
package struct VisitCount: Sendable, Equatable {
    /// The most beginnings that are kept.
    private static let mostStarts = 6

    package private(set) var visits = 0
    package private(set) var events = 0
    package private(set) var first: Timestamp?
    package private(set) var last: Timestamp?
    /// The beginnings of the visits, in order; empty if there are too many.
    package var starts: [Timestamp] { visits <= Self.mostStarts ? kept.sorted() : [] }
    private var kept: [Timestamp] = []
    /// The event that was counted last.
    private var edge: Timestamp?

    package init() {}

    /// Counts an event; those of a group come in order of time, up or down.
    ///
    /// Returns true if it begins a visit, or ends one where the newest come first.
    @discardableResult
    package mutating func add(_ time: Timestamp) -> Bool {
        let distance = edge.map { $0 < time ? time - $0 : $0 - time }
        let isNew = distance.map { $0 > Digest.pause } ?? true
        edge = time
        events += 1
        first = first.map { min($0, time) } ?? time
        last = last.map { max($0, time) } ?? time
        if isNew {
            visits += 1
            if visits <= Self.mostStarts { kept.append(time) }
        } else if visits <= Self.mostStarts, let start = kept.last, time < start {
            kept[kept.count - 1] = time
        }
        return isNew
    }
}
