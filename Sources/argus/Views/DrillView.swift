import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusKit
import ArgusPush
import ArgusTransport

/// A link of a drill as a row, in words.
struct DrillRow: Sendable {
    let link: DrillLink
    /// What happened, as a sentence without a full stop.
    let text: String

    var state: DrillState {
        switch link.result {
        case .done: .ok
        case .skipped: .skipped
        case .broken: .failed
        case .late: .late
        }
    }

    /// The line for people: `ok       0.31 s  handed over by 'door'`.
    var line: ReportLine {
        ReportLine(
            sign: state.sign, word: state.rawValue, color: state.color,
            name: "".padded(to: 8 - seconds.count) + seconds, message: text)
    }

    /// The time since the request to store the event: `0.31 s`.
    private var seconds: String {
        let hundredths = link.after.wholeMilliseconds / 10
        let rest = String(hundredths % 100)
        return "\(hundredths / 100).\(rest.count < 2 ? "0" : "")\(rest) s"
    }
}

enum DrillState: String, Sendable {
    case ok, skipped, failed
    /// It did not happen in time.
    case late

    fileprivate var sign: String {
        switch self {
        case .ok: "✓"
        case .skipped: "-"
        case .failed, .late: "✗"
        }
    }

    fileprivate var color: TextColor {
        switch self {
        case .ok: .green
        case .skipped: .dim
        case .failed, .late: .red
        }
    }
}

enum DrillView {
    static let fields: [Field<DrillRow>] = [
        .column(
            "link", "stored, listed, announced, handed_over, command, pushed or deleted"
        ) { $0.link.step.name },
        .column("subject", "the state of the watch, or the receiver; null for the server") {
            $0.link.step.subject
        },
        .column("state", "ok, skipped (it is not for such events), failed or late") {
            $0.state.rawValue
        }.withStateColors,
        .hidden("at", "when that was known") { $0.link.at },
        .column("seconds", "the time since the event was sent to be stored") {
            Double($0.link.after.wholeMilliseconds) / 1000
        },
        .hidden("event_id", "the event of the drill") { $0.link.eventID },
        .column("explanation", "all of it in words") { $0.text }.shrinking(0, to: 24).continuing,
    ]
}

extension DrillLink.Step {
    /// The word for programs.
    var name: String {
        switch self {
        case .stored: "stored"
        case .listed: "listed"
        case .announced: "announced"
        case .handedOver: "handed_over"
        case .commandEnded: "command"
        case .pushed: "pushed"
        case .deleted: "deleted"
        }
    }

    var subject: String? {
        switch self {
        case .stored, .listed, .announced, .deleted: nil
        case .handedOver(let state), .commandEnded(let state): state
        case .pushed(let receiver): receiver.name
        }
    }

    /// What happens: `handed over by 'door'`.
    var event: String {
        switch self {
        case .stored: "stored"
        case .listed: "listed"
        case .announced: "announced"
        case .handedOver(let state): "handed over by '\(state)'"
        case .commandEnded(let state): "the command of '\(state)' ended with status 0"
        case .pushed(let receiver): "pushed to '\(receiver.name)'"
        case .deleted: "deleted again"
        }
    }

    /// What does not happen: `not handed over by 'door'`.
    var opposite: String {
        switch self {
        case .commandEnded(let state): "the command of '\(state)' did not end with status 0"
        case .deleted: "not deleted"
        default: "not \(event)"
        }
    }
}

/// The words for the links of a drill.
struct DrillWords {
    let server: SignedInServer
    /// The camera of the event; nil if it is unknown.
    let camera: Camera?
    let timeout: Duration
    let mark: String
    private let zone: TimeZoneRules
    private let now: @Sendable () -> Timestamp

    init(
        server: SignedInServer, camera: Camera?, timeout: Duration?, mark: String,
        zone: TimeZoneRules, now: @escaping @Sendable () -> Timestamp
    ) {
        (self.server, self.camera, self.mark) = (server, camera, mark)
        (self.timeout, self.zone, self.now) = (timeout ?? Drill.usualTimeout, zone, now)
    }

    func row(_ link: DrillLink) async -> DrillRow { DrillRow(link: link, text: await text(link)) }

    private func text(_ link: DrillLink) async -> String {
        switch link.result {
        case .done where link.step == .stored:
            return
                "stored as \(link.eventID?.prefix(8) ?? "?"), camera '\(camera?.name ?? "?")'"
        case .done: return link.step.event
        case .late: return "\(link.step.opposite) in \(DurationText.short(timeout))"
        case .skipped(let reason):
            return "'\(link.step.subject ?? "")' does not take it: \(await text(reason, link.step))"
        case .broken(.command(let entry)):
            return "the command of '\(link.step.subject ?? "")' \(entry.reason ?? "failed")"
        case .broken(let reason):
            return "\(link.step.opposite): \(await text(reason, link.step))"
        }
    }

    private func text(_ reason: DrillLink.Reason, _ step: DrillLink.Step) async -> String {
        switch reason {
        case .api(let error): return await failure(error, at: step).message
        case .stream(let reason): return reason
        case .filter(let filter): return "its filter is \(filter)"
        case .notRunning: return "no process watches with this state"
        case .command(let entry): return entry.reason ?? "failed"
        case .state(let error): return "\(error)"
        case .verdict(let record):
            let row = DeliveryExplanation(record, nil)
            return ExplanationView.sentence(row, in: zone, now: now())
        }
    }

    private func failure(_ error: APIError, at step: DrillLink.Step) async -> Failure {
        let doing =
            switch step {
            case .stored: "store an event"
            case .deleted: "delete the event"
            default: "list events"
            }
        return await server.failure(error, doing: doing)
    }

    /// True if the event is, or may be, left on the server against the user's will.
    func isLeft(_ report: DrillReport) -> Bool {
        report.links.contains { $0.step == .deleted && !$0.holds }
    }

    /// The failure of a drill; nil if all links hold.
    ///
    /// It is 11 for a first link that is broken, 13 for one that is late, and that of the request if the
    /// server could not be asked to store an event.
    func failure(of report: DrillReport) async -> Failure? {
        guard let first = report.firstBroken else { return nil }
        var failure = Failure(.partial, "the first link that broke: \(await text(first))")
        switch first.result {
        case .late: failure.kind = .timeout
        case .broken(.api(let error)):
            let cause = await self.failure(error, at: first.step)
            if first.step == .stored, ![.serverError, .rejected].contains(cause.kind) {
                failure = cause
            }
            failure.hint = cause.hint
        case .done, .skipped, .broken: break
        }
        let others = report.links.filter { !$0.holds && $0.step != first.step }
        for link in others {
            let kind: ExitKind = if case .late = link.result { .timeout } else { .failed }
            failure.items.append(
                .init(id: link.step.name, kind: kind, message: await text(link)))
        }
        if isLeft(report) {
            failure.hint =
                report.event.map { "delete the event with 'argus events delete \($0.id)'" }
                ?? "look for the event with 'argus events list --search \"argus drill \(mark)\"'"
        }
        return failure
    }
}
