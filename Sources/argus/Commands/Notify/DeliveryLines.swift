import ArgusCore
import ArgusEvents
import ArgusPush
import CommandLineKit
import Synchronization

/// The output of `notify run --watch`: a line for each event, or with ndjson for each verdict.
///
/// Deliveries end in any task, so the lines are written from there.
final class DeliveryLines: Sendable {
    private let streams: Streams
    private let zone: TimeZoneRules
    /// The fields of a verdict; nil prints lines for people.
    private let fields: [Field<DeliveryRecord>]?
    private let failure = Mutex<Failure?>(nil)

    /// - Throws: `Failure` 2 for a format that a stream cannot have, or an unknown field.
    init(in context: Context) throws(Failure) {
        streams = context.system.streams
        zone = try context.displayZone()
        switch try context.format() {
        case .table where context.globals.fields == nil: fields = nil
        case .ndjson:
            let all = DeliveryRecordView.fields
            let names = context.globals.fields?.values ?? all.map(\.name)
            fields = try attempt(all.selecting(names)) {
                Failure(.usage, "--fields: \($0)")
            }
        default:
            throw Failure(
                .usage, "--watch prints lines for people, or ndjson", hint: "use --format ndjson")
        }
    }

    /// - Throws: the `Failure` of an earlier line.
    func expectOpen() throws(Failure) {
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    func write(_ report: DeliveryReport) {
        guard case .dispatched(let event, let records) = report else { return }
        let text =
            fields.map { fields in
                String(decoding: records.flatMap(fields.jsonLine), as: UTF8.self)
            } ?? line(event, records)
        do throws(Failure) {
            try streams.statusLine.hidden { () throws(Failure) in try streams.write(text) }
        } catch {
            failure.withLock { $0 = $0 ?? error }
        }
    }

    /// `2026-11-22 18:00:03  Front Door, person: 2 sent, 1 silent, 2 skipped`.
    private func line(_ event: Event, _ records: [DeliveryRecord]) -> String {
        let time = event.timestamp.map { $0.displayText(in: zone) + "  " } ?? ""
        let camera = event.cameraName ?? event.cameraID ?? "-"
        let counts = DeliveryRecord.Outcome.allCases.compactMap { outcome in
            let count = records.count { $0.outcome == outcome }
            return count == 0 ? nil : "\(count) \(outcome.rawValue)"
        }
        let result = counts.isEmpty ? "no receivers" : counts.joined(separator: ", ")
        return Sanitizer.visible("\(time)\(camera), \(event.type): \(result)") + "\n"
    }
}

extension Console {
    /// Reports what happened in deliveries beyond what the verdicts show.
    var deliveryReports: @Sendable (DeliveryReport) -> Void {
        { report in
            switch report {
            case .dispatched(_, let records):
                for record in records { reportEnd(of: record) }
            case .failing(let service, let reason):
                noticeAlways("argus: deliveries by \(service.name) fail: \(reason)")
            case .recovered(let service):
                notice("deliveries by \(service.name) succeed again")
            case .notStored(let error):
                warn("\(error); after a restart receivers may get events again")
            case .notRecorded(let error):
                warn("the receivers' failures and successes cannot be stored: \(error)")
            case .unread(let error):
                noticeAlways("argus: the receivers cannot be read: \(error); trying again")
            }
        }
    }

    private func reportEnd(of record: DeliveryRecord) {
        let name = record.deviceName ?? String(record.tokenID.prefix(8))
        let reason = record.reason.map { ": \($0)" } ?? ""
        switch record.outcome {
        case .removed: notice("'\(name)' is gone and was removed\(reason)")
        case .deactivated: warn("'\(name)' has failed too often and is inactive now\(reason)")
        case .failed where record.cause == .token: warn("delivery to '\(name)' failed\(reason)")
        case .failed, .sent, .silent, .skipped: break
        }
    }
}
