import ArgusCore
import ArgusEvents

/// A digest as a page of HTML, with a contact sheet of its pictures.
package struct DigestPage {
    /// The most rows of a table.
    private static let mostRows = 50
    /// The most kinds of a camera.
    private static let mostKinds = 12
    /// The most characters of a description below a picture.
    private static let mostLetters = 160

    private let digest: Digest
    private let images: DigestImages
    private let words: DigestWords
    /// The Content-IDs of a mail by the place of the picture; nil for a page of its own.
    private let contentID: ((Int) -> String)?

    /// Prepares a page that holds its pictures.
    package init(_ digest: Digest, _ images: DigestImages) { self.init(digest, images, nil) }

    /// Prepares the page of a mail, whose pictures are other parts of it.
    init(_ digest: Digest, _ images: DigestImages, contentID: @escaping (Int) -> String) {
        self.init(digest, images, Optional(contentID))
    }

    private init(_ digest: Digest, _ images: DigestImages, _ contentID: ((Int) -> String)?) {
        (self.digest, self.images, self.contentID) = (digest, images, contentID)
        words = DigestWords(digest)
    }

    /// The page in UTF-8.
    package var utf8: [UInt8] {
        HTMLPage(
            selfContained: "\(digest.source): \(words.title)",
            [header, HTML(.main, sections), footer]
        ).utf8
    }

    private var header: HTML {
        HTML(
            .header, HTML(.h1, .text(words.title)),
            HTML(.p, class: .quiet, .isolated(digest.source), ": ", .text(words.summary)),
            figures)
    }

    /// The numbers that matter most.
    private var figures: HTML {
        func sum(_ rows: [Digest.Row]?) -> Int? {
            rows.map { $0.reduce(0) { $0 + $1.visits.visits } }
        }
        let all: [(Int?, String)] = [
            (digest.visits, "visit"), (sum(digest.alarms), "alarm"),
            (digest.silent?.count, "silent camera"), (sum(digest.strangers), "stranger"),
            (sum(digest.rings), "ring"), (sum(digest.packages), "package"),
        ]
        let boxes = all.compactMap { number, thing in
            number.map { number in
                HTML(
                    .div, HTML(.strong, class: .number, .text(String(number))),
                    .text(number == 1 ? thing : "\(thing)s"))
            }
        }
        return HTML(.div, class: .figures, boxes)
    }

    private var sections: [HTML] {
        let silent = (digest.silent ?? []).map { silence -> [HTML] in
            [
                .isolated(words.names(silence)),
                HTML(.span, class: .warning, .text(words.silent(silence))),
            ]
        }
        let unusual = digest.unusualHours.map { hours -> [HTML] in
            [
                .isolated(hours.camera.title), .text(words.range(hours.span)),
                .text(words.unusual(hours)),
            ]
        }
        let gaps = digest.gaps.map { [HTML(.span, class: .warning, .text(words.gap($0)))] }
        return [
            section("Alarms", table("Rule", digest.alarms ?? [], \.cameras)),
            section("Silent", table(["Camera", "Since"], silent)),
            section("Gaps", table([""], gaps)),
            section("Unusual hours", table(["Camera", "Hours", "Events"], unusual)),
            section("Pictures", pictures),
            section("Strangers", table("Camera", digest.strangers ?? [])),
            section("Recognised", table("Name", digest.entities, \.cameras)),
            section("Doorbell", table("Camera", digest.rings)),
            section("Packages", table("Camera", digest.packages, \.carriers)),
            section("Visits", visits),
            section("Hours", hours),
        ].compactMap(\.self) + notes
    }

    private func section(_ title: String, _ content: HTML?) -> HTML? {
        content.map { HTML(.section, HTML(.h2, .text(title)), $0) }
    }

    private func table(_ headings: [HTML], _ rows: [[HTML]]) -> HTML? {
        guard !rows.isEmpty else { return nil }
        let shown = HTML.table(
            class: .counts, headings: headings, rows: Array(rows.prefix(Self.mostRows)))
        let more = rows.count - Self.mostRows
        guard more > 0 else { return shown }
        return .group([shown, HTML(.p, class: .quiet, .text("and \(more) more"))])
    }

    /// A table of visits with their times, and details below them.
    private func table(
        _ name: String, _ rows: [Digest.Row], _ details: (Digest.Row) -> [String] = { _ in [] }
    ) -> HTML? {
        table(
            [.text(name), "Visits", "Times"],
            rows.map { row in
                let details = details(row).joined(separator: ", ")
                let below =
                    details.isEmpty
                    ? HTML.empty : HTML(.div, class: .quiet, .isolated(details))
                return [
                    .isolated(row.title), .text(String(row.visits.visits)),
                    .group([.text(words.times(row.visits)), below]),
                ]
            })
    }

    /// The visits of each camera by kind.
    private var visits: HTML? {
        table(
            ["Camera", "Visits", "Kinds"],
            digest.cameras.map { camera in
                // A number stays on the line of its kind.
                let kinds = camera.kinds.map { "\($0.visits)\u{A0}\($0.kind)" }
                let more = kinds.count - Self.mostKinds
                let shown = kinds.prefix(Self.mostKinds) + (more > 0 ? ["\(more) more"] : [])
                return [
                    .isolated(camera.camera.title), .text(String(camera.visits)),
                    .isolated(shown.joined(separator: ", ")),
                ]
            })
    }

    /// The visits of each hour of the day, as a strip.
    private var hours: HTML? {
        words.hours(cells: 1).map { HTML(.pre, .text("\($0.ruler)\n\($0.strip)  █ = \($0.most)")) }
    }

    private var pictures: HTML? {
        guard !images.all.isEmpty else { return nil }
        let figures = images.all.enumerated().map { index, image in
            HTML(.figure, picture(image, at: index), caption(image))
        }
        let left = digest.picturesLeftOut
        let note =
            left == 0
            ? HTML.empty
            : HTML(
                .p, class: .quiet,
                .text("\(DigestWords.count(left, "visit")) with a picture left out"))
        return .group([HTML(.div, class: .sheet, figures), note])
    }

    private func picture(_ image: DigestImages.Image, at index: Int) -> HTML {
        guard let kind = image.kind else {
            return HTML(.p, class: .warning, .text("no picture: \(image.reason ?? "none")"))
        }
        let source: HTML.Source =
            contentID.map { .attachment($0(index)) } ?? .inline(image.bytes, kind)
        let event = image.picture.event
        return .picture(source, alt: event.description ?? event.type)
    }

    private func caption(_ image: DigestImages.Image) -> HTML {
        let event = image.picture.event
        let time = event.timestamp.map { HTML.time($0, words.time($0)) } ?? .empty
        let label = words.label(image.picture).map {
            HTML.group([" · ", HTML(.strong, .isolated($0))])
        }
        let description = event.description.map { text in
            let short = text.prefix(Self.mostLetters)
            return HTML(
                .p, .isolated(short.count < text.count ? short + "…" : short))
        }
        return HTML(
            .figcaption, time, " ", .isolated(event.cameraName ?? event.cameraID ?? ""), " · ",
            .isolated(event.type), label ?? .empty, description ?? .empty)
    }

    private var notes: [HTML] {
        let last = ([words.absences] + words.unknowns.map(Optional.some)).compactMap(\.self)
        return last.isEmpty ? [] : [HTML(.p, class: .quiet, .text(last.joined(separator: " ")))]
    }

    private var footer: HTML {
        HTML(
            .footer,
            .text(
                "Visits are events of one camera and one kind with pauses of at most 10 minutes. "
                    + "Times are local."))
    }
}
