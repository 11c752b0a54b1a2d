import ArgusCore
import ArgusEvents

/// The page of a case file: the story in order of time, for people who have nothing but a browser.
struct CasePage {
    private let file: CaseFile
    /// The paths of the files of each event, in their order.
    private let paths: [[String]]

    init(_ file: CaseFile, paths: [[String]]) {
        (self.file, self.paths) = (file, paths)
    }

    var utf8: [UInt8] {
        HTMLPage(besideFiles: title, [HTML(.main, header + cameras + story + check)]).utf8
    }

    private var title: String {
        let count = "\(file.events.count) \(file.events.count == 1 ? "event" : "events")"
        return "Case file: \(count) of \(file.server.name)"
    }

    // MARK: What it is

    private var header: [HTML] {
        var pieces = [HTML(.h1, .text(title))]
        if let first = file.events.lazy.compactMap(\.event.timestamp).first,
            let last = file.events.lazy.compactMap(\.event.timestamp).last
        {
            pieces.append(
                HTML(
                    .p, class: .quiet, local(first), first == last ? .empty : " to ",
                    first == last ? .empty : local(last), ", local time",
                    .text(file.zoneName.map { " of \($0)" } ?? "")))
        }
        if let note = file.note {
            pieces.append(HTML(.section, HTML(.h2, "Note"), HTML(.p, .isolated(note))))
        }
        pieces += [HTML(.h2, "Origin"), facts(origin)]
        return pieces
    }

    private var origin: [(String, HTML)] {
        var rows: [(String, HTML)] = [
            ("Selection", .isolated(file.selection)),
            (
                "Server",
                .group([.isolated(file.server.name), ", ", .isolated(file.server.address)])
            ),
        ]
        if let fingerprint = file.server.fingerprint {
            rows.append(("Certificate", HTML(.code, "SHA-256 \(fingerprint)")))
        }
        if let offset = file.server.clockOffset {
            let size = DurationText.short(offset < .zero ? .zero - offset : offset)
            let words =
                offset == .zero
                ? "agreed with the exporting machine's, within 2 s"
                : "was \(size) \(offset < .zero ? "behind" : "ahead of") the exporting machine's"
            rows.append(("Its clock", .text(words)))
        }
        if case .archive(let lastSync) = file.origin {
            rows.append(
                (
                    "Read from",
                    .group([
                        "an archive, which collected this earlier",
                        lastSync.map { .group(["; its last complete sync: ", both($0)]) } ?? .empty,
                    ])
                ))
        }
        if let until = file.collectedUntil { rows.append(("Collected until", both(until))) }
        if let time = file.exportedAt { rows.append(("Exported", both(time))) }
        let exporter = file.exporter
        rows.append(
            (
                "Exported by",
                .group([
                    .isolated("\(exporter.user)@\(exporter.host)"),
                    exporter.account.map { .group([", signed in as ", .isolated($0)]) } ?? .empty,
                    .text(", with \(exporter.program)"),
                ])
            ))
        return rows
    }

    // MARK: Where it was

    private var cameras: [HTML] {
        var order: [String] = []
        var rows: [String: (name: String, count: Int, first: Timestamp?, last: Timestamp?)] = [:]
        for event in file.events.map(\.event) {
            let key = event.cameraID ?? event.cameraName ?? ""
            if rows[key] == nil { order.append(key) }
            var row = rows[key] ?? (event.cameraName ?? key, 0, event.timestamp, nil)
            row.count += 1
            row.last = event.timestamp ?? row.last
            rows[key] = row
        }
        guard !order.isEmpty else { return [] }
        return [
            HTML(.h2, "Cameras"),
            .table(
                headings: ["Camera", "Events", "First", "Last"],
                rows: order.compactMap { rows[$0] }.map { row in
                    [
                        .isolated(row.name.isEmpty ? "unnamed" : row.name), "\(row.count)",
                        row.first.map(local) ?? "", row.last.map(local) ?? "",
                    ]
                }),
        ]
    }

    // MARK: What happened

    private var story: [HTML] {
        guard !file.events.isEmpty else { return [HTML(.p, "There are no events.")] }
        var pieces: [HTML] = []
        var day: CivilDate?
        for (event, paths) in zip(file.events, paths) {
            let date = event.event.timestamp.map { file.zone.fields(of: $0).date }
            if date != day || pieces.isEmpty {
                pieces.append(HTML(.h2, .text(date?.longText ?? "Without a time")))
                day = date
            }
            pieces.append(article(event, paths))
        }
        return pieces
    }

    private func article(_ entry: CaseEvent, _ paths: [String]) -> HTML {
        let event = entry.event
        let heading = HTML(
            .h3, event.timestamp.map { .time($0, clock($0)) } ?? "Time unknown", " · ",
            .isolated(event.cameraName ?? event.cameraID ?? "unknown camera"), " · ",
            .isolated(event.type))
        var pieces = [
            HTML(
                .header, heading,
                HTML(.p, class: .quiet, .text(event.timestamp.map { utc($0) } ?? "")))
        ]
        if let description = event.description, !description.isEmpty {
            pieces.append(HTML(.p, .isolated(description)))
        }
        let files = zip(entry.files, paths).filter { $0.0.kind != .object }
        if !files.isEmpty {
            pieces.append(
                HTML(.div, class: .pictures, files.map { figure($0, path: $1, of: event) }))
        }
        for absence in entry.absences {
            pieces.append(
                HTML(
                    .p, class: absence.isFailure ? .warning : .quiet,
                    .text("No \(absence.what): "), .isolated(absence.reason)))
        }
        if let time = entry.deletedAt {
            pieces.append(
                HTML(.p, class: .warning, "The server no longer had this event on ", both(time)))
        }
        pieces.append(facts(details(entry, paths)))
        return HTML(.article, class: .event, pieces)
    }

    private func figure(_ item: CaseItem, path: String, of event: Event) -> HTML {
        let camera = event.cameraName ?? event.cameraID ?? "a camera"
        let picture: HTML =
            item.kind == .video
            ? .video(file: path, label: "video of \(camera)")
            : .picture(.file(path), alt: "\(item.kind.title) of \(camera)")
        return HTML(
            .figure, picture,
            HTML(
                .figcaption, .link(toFile: path, .text(item.kind.title)),
                item.capturedAt.map { .text(", \(clock($0)) (\(utc($0).dropFirst(11)))") }
                    ?? .empty,
                item.remark.map { .group(["; ", .isolated($0)]) } ?? .empty))
    }

    private func details(_ entry: CaseEvent, _ paths: [String]) -> [(String, HTML)] {
        let event = entry.event
        var rows: [(String, HTML)] = [("Event", HTML(.code, .text(event.id)))]
        if let name = event.entityName { rows.append(("Recognised", .isolated(name))) }
        if let objects = event.objects, !objects.isEmpty {
            rows.append(("Seen", .isolated(objects.joined(separator: ", "))))
        }
        if let confidence = event.confidence { rows.append(("Confidence", "\(confidence) %")) }
        if event.isDoorbellRing == true { rows.append(("Doorbell", "rang")) }
        if event.alertTriggered == true { rows.append(("Alarm", "raised by the server")) }
        let sums = zip(entry.files, paths).map { item, path in
            HTML(
                .li,
                .link(
                    toFile: path, .text(item.kind == .object ? "server's object" : item.kind.title)),
                " ", HTML(.code, .text(item.content.sha256)))
        }
        rows.append(("SHA-256", HTML(.ul, class: .code, sums)))
        return rows
    }

    // MARK: How to check it

    private var check: [HTML] {
        [
            HTML(
                .footer,
                HTML(.h2, "How to check this file"),
                HTML(
                    .p,
                    .text(
                        "Extract all files first: this page shows the pictures beside it, and loads "
                            + "nothing from a network.")),
                HTML(
                    .p, "On Linux, in the extracted folder: ",
                    HTML(.code, "sha256sum -c SHA256SUMS")),
                HTML(
                    .p, "With argus, the file as a whole, and its signature if it has one: ",
                    HTML(.code, "argus bundle verify FILE")),
                HTML(
                    .p, .link(toFile: CasePath.manifest, .text(CasePath.manifest)),
                    " lists each file with its size, its checksum and its origin. ",
                    .link(toFile: CasePath.events, .text(CasePath.events)),
                    " has the events for programs."))
        ]
    }

    // MARK: Times

    private func facts(_ rows: [(String, HTML)]) -> HTML {
        HTML(.dl, class: .facts, rows.flatMap { [HTML(.dt, .text($0)), HTML(.dd, $1)] })
    }

    /// A local time with its day.
    private func local(_ time: Timestamp) -> HTML { .time(time, time.displayText(in: file.zone)) }

    /// The local time of day.
    private func clock(_ time: Timestamp) -> String {
        String(time.displayText(in: file.zone).dropFirst(11))
    }

    private func utc(_ time: Timestamp) -> String { time.displayText(in: .utc) + " UTC" }

    private func both(_ time: Timestamp) -> HTML {
        .group([local(time), .text(" (\(utc(time)))")])
    }
}
