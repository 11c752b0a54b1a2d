import ArgusCore
import ArgusEvents
import ArgusKit

/// The canonical fields of a digest (docs/digest.md, "For programs").
enum DigestView {
    static let fields: [Field<Digest>] = [
        .column("since", "the first instant that counts") { $0.span.lowerBound },
        .column("until", "the last instant that counts") { $0.span.upperBound },
        .column("source", "the server's name, or the folder of the archive") { $0.source },
        .column("events", "how many events there were") { $0.events },
        .column("visits", "how many visits they make") { $0.visits },
        .column("cameras", "the visits of each camera, by kind") { $0.cameras.map(count) },
        .column("hours", "the visits that began in each hour of local days") { $0.hours },
        .column("unusual_hours", "hours with events at which a camera usually has none") {
            $0.unusualHours.map { hours -> FieldValue in
                [
                    "camera_id": hours.camera.id, "camera_name": hours.camera.title,
                    "since": hours.span.lowerBound, "until": hours.span.upperBound,
                    "events": hours.events, "days": hours.days,
                ]
            }
        },
        .column("alarms", "the alarms by rule; null if nothing is known of alarms") {
            $0.alarms?.map { row($0, "rule", withCameras: true) }
        },
        .column("strangers", "people whom the server did not recognise; null if it does not say") {
            $0.strangers?.map { row($0, "camera") }
        },
        .column("entities", "the people and vehicles that the server recognised") {
            $0.entities.map { row($0, "entity", withCameras: true) }
        },
        .column("packages", "the packages, by camera") {
            $0.packages.map { package -> FieldValue in
                guard case .object(let members) = row(package, "camera") else { return .null }
                return .object(
                    members + [FieldValue.Member("carriers", package.carriers.fieldValue)])
            }
        },
        .column("rings", "the visitors who rang, by camera") { $0.rings.map { row($0, "camera") } },
        .column("silent", "cameras that were silent at the end; null if that is not known") {
            $0.silent?.map { silence -> FieldValue in
                [
                    "camera_ids": silence.cameras.map(\.id),
                    "camera_names": silence.cameras.map(\.title), "since": silence.since,
                    "longest_quiet_seconds": silence.longest.map {
                        Int($0.components.seconds)
                    }, "days": silence.days,
                ]
            }
        },
        .column("gaps", "parts of which events may be missing") {
            $0.gaps.map { gap -> FieldValue in
                [
                    "reason": gap.reason.rawValue, "server": gap.server,
                    "since": gap.span?.lowerBound, "until": gap.span?.upperBound,
                    "events": gap.count,
                ]
            }
        },
        .column("pictures", "the ids of the events whose pictures are shown") {
            $0.pictures.map(\.event.id)
        },
        .column("pictures_left_out", "how many visits have a picture that is not shown") {
            $0.picturesLeftOut
        },
    ]

    private static func count(_ count: Digest.CameraCount) -> FieldValue {
        [
            "camera_id": count.camera.id, "camera_name": count.camera.title,
            "visits": count.visits, "events": count.events,
            "kinds": count.kinds.map { kind -> FieldValue in
                ["kind": kind.kind, "visits": kind.visits, "events": kind.events]
            },
        ]
    }

    /// A row, whose id and name are those of a `thing`.
    private static func row(
        _ row: Digest.Row, _ thing: String, withCameras: Bool = false
    ) -> FieldValue {
        let visits = row.visits
        var members = [
            FieldValue.Member("\(thing)_id", row.id.fieldValue),
            FieldValue.Member("\(thing)_name", row.title.fieldValue),
            FieldValue.Member("visits", visits.visits.fieldValue),
            FieldValue.Member("events", visits.events.fieldValue),
            FieldValue.Member("first", visits.first.fieldValue),
            FieldValue.Member("last", visits.last.fieldValue),
        ]
        if withCameras { members.append(FieldValue.Member("cameras", row.cameras.fieldValue)) }
        return .object(members)
    }
}
