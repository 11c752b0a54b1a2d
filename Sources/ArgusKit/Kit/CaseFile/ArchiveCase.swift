package import ArgusArchive
import ArgusCore
import ArgusEvents

/// Which files of its events a case file has, beside their pictures.
package struct CaseScope: Sendable {
    package var withFrames: Bool
    package var withVideos: Bool

    package init(withFrames: Bool, withVideos: Bool) {
        (self.withFrames, self.withVideos) = (withFrames, withVideos)
    }
}

/// Collects events for a case file from an archive.
package struct ArchiveCase {
    private let archive: Archive
    private let scope: CaseScope
    private let spool: CaseSpool

    package init(_ archive: Archive, _ scope: CaseScope, into spool: CaseSpool) {
        (self.archive, self.scope, self.spool) = (archive, scope, spool)
    }

    /// Collects an event; nil if its object is not what was archived.
    /// - Throws: `CaseFileError`.
    package func collect(_ number: Int) throws(CaseFileError) -> CaseEvent? {
        guard
            let original = try rethrowing(
                try archive.original(number), as: CaseFileError.archive)
        else { return nil }
        var result = CaseEvent(original.event)
        result.deletedAt = original.deletedAt
        let object = try rethrowing(try spool.keep(original.raw), as: CaseFileError.file)
        result.files.append(
            CaseItem(
                kind: .object, content: object, fileExtension: "json",
                capturedAt: original.event.timestamp, collectedAt: original.archivedAt,
                archivedSHA256: original.sha256))
        var wanted: [ArchivedOriginal.Kind] = [.thumbnail]
        if scope.withFrames { wanted.append(.frame) }
        if scope.withVideos { wanted.append(.video) }
        let view = try? JSONView.parse(original.raw)
        let thumbnail = view.flatMap(EventDetail.init)?.thumbnail ?? ThumbnailReference()
        for file in original.files where wanted.contains(file.kind) {
            try collect(file, of: original.event, thumbnail, into: &result)
        }
        for kind in wanted where !original.files.contains(where: { $0.kind == kind }) {
            let isNone = kind == .thumbnail && original.event.hasThumbnail == false
            result.absences.append(
                CaseAbsence(
                    what: Self.kind(kind, 0).word,
                    reason: isNone ? "the event has none" : "the archive has not fetched any",
                    isFailure: false))
        }
        return result
    }

    private func collect(
        _ file: ArchivedOriginal.File, of event: Event, _ thumbnail: ThumbnailReference,
        into result: inout CaseEvent
    ) throws(CaseFileError) {
        let kind = Self.kind(file.kind, file.item)
        func miss(_ reason: String, isDamage: Bool = false) {
            result.absences.append(
                CaseAbsence(
                    what: kind.title, reason: reason, isFailure: isDamage, isDamage: isDamage))
        }
        guard let path = file.path, ["jpg", "png", "mp4"].contains(file.fileExtension) else {
            return miss(file.reason ?? "the archive has not fetched it")
        }
        guard let content = try rethrowing(try spool.keep(file: path), as: CaseFileError.file)
        else { return miss("its file is missing from the archive", isDamage: true) }
        guard content.sha256 == file.sha256 else {
            return miss("its file in the archive is damaged", isDamage: true)
        }
        var item = CaseItem(
            kind: kind, content: content, fileExtension: file.fileExtension,
            archivedSHA256: file.sha256, remark: file.reason)
        item.source =
            file.kind == .thumbnail
            ? CaseSource.path(of: thumbnail) : CaseSource.path(of: kind, event.id)
        // A list of frames, which has their times, is not archived.
        if file.kind != .frame { item.capturedAt = event.timestamp }
        result.files.append(item)
    }

    private static func kind(_ kind: ArchivedOriginal.Kind, _ number: Int) -> CaseItem.Kind {
        switch kind {
        case .thumbnail: .picture
        case .frame: .frame(number)
        case .video: .video
        }
    }
}
