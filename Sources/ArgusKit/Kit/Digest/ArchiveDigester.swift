package import ArgusArchive
import ArgusCore
import ArgusEvents

/// Makes a digest of archived events, one batch of them in memory at a time.
package struct ArchiveDigester {
    private let archive: Archive
    private var query: ArchiveQuery
    private let rules: RuleSet?

    /// Prepares a digest of the events that match a query with both ends of the span.
    ///
    /// Rules of its filter do not choose events: their alarms are counted.
    package init(_ archive: Archive, _ query: ArchiveQuery) {
        (self.archive, self.query) = (archive, query)
        rules = query.filter.rules
        self.query.filter.rules = nil
    }

    /// Reads the events, and counts them; `damaged` are the ids of those whose copies are.
    ///
    /// Where the archive has several servers, each camera has the name of its own before it.
    /// - Throws: `ArchiveError`.
    package func make(
        _ empty: Digest
    ) throws(ArchiveError) -> (digest: Digest, rows: ArchiveRows) {
        let syncs = try archive.syncs(of: query.server)
        let isMixed = syncs.count > 1
        let rows = try ArchiveRows(query, in: archive)
        var counter = DigestCounter(empty, rules: rules)
        while let batch = try rows.next() {
            for row in batch {
                var event = row.event
                if !isMixed { event.server = nil }
                counter.add(event, thumbnail: ThumbnailReference())
            }
        }
        var digest = counter.finish(try habits(empty, syncs))
        let end = empty.span.upperBound
        for sync in syncs where sync.last.map({ $0 < end }) ?? true {
            let start = sync.last.map { max($0, empty.span.lowerBound) } ?? empty.span.lowerBound
            digest.gaps.append(
                Digest.Gap(.notArchived, of: isMixed ? sync.name : nil, span: start...end))
        }
        if !rows.damagedIDs.isEmpty {
            digest.gaps.append(Digest.Gap(.damaged, count: rows.damagedIDs.count))
        }
        return (digest, rows)
    }

    /// What the weeks before show; each server has its own house, and its own last sync.
    private func habits(
        _ empty: Digest, _ syncs: [(name: String, last: Timestamp?)]
    ) throws(ArchiveError) -> HouseHabits {
        let (start, end) = (empty.span.lowerBound, empty.span.upperBound)
        let memory = Duration.seconds(Int64(LearntSilence.memory + 1) * 86400)
        let sightings = Dictionary(
            grouping: try archive.sightings(in: start - memory...end, of: query.server),
            by: \.server)
        let names = Dictionary(
            try archive.cameras(of: query.server).map {
                (Digest.Camera(server: $0.server, id: $0.id), $0.name)
            }, uniquingKeysWith: { first, _ in first })
        let isMixed = syncs.count > 1
        var habits = HouseHabits()
        for sync in syncs {
            guard let last = sync.last else { continue }
            let known = sightings[sync.name] ?? []
            let judged = min(end, last)
            var house = HouseActivity()
            house.add(
                known.map { sighting in
                    var event = Event(id: "")
                    (event.cameraID, event.timestamp) = (sighting.cameraID, sighting.time)
                    return event
                }, until: end, in: empty.zone)
            let sources = Dictionary(
                known.map { ($0.cameraID, $0.source) }, uniquingKeysWith: { $1 ?? $0 })
            let members = sources.sorted { $0.key < $1.key }.map {
                LearntSilence.Member(id: $0.key, source: $0.value)
            }
            habits.learn(
                house, of: isMixed ? sync.name : nil, members, before: start, silentAt: judged,
                in: empty.zone)
        }
        let chosen = query.filter.cameraIDs
        let only = syncs.only?.name
        habits.name(
            { names[Digest.Camera(server: $0.server ?? only, id: $0.id)] ?? nil },
            keeping: { chosen.isEmpty || chosen.contains($0.id) })
        return habits
    }

    /// Reads the pictures of a digest from the archive.
    /// - Throws: `ArchiveError`.
    package func images(of digest: Digest) throws(ArchiveError) -> DigestImages {
        var images = DigestImages()
        for picture in digest.pictures {
            let bytes = try archive.thumbnail(of: picture.event, atMost: DigestImages.mostBytes)
            if let bytes {
                images.add(bytes, of: picture)
            } else {
                images.miss(picture, "the archive does not have it")
            }
        }
        return images
    }
}
